import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { codeIn, codeOfHash } from './join-rules.ts'

/** Asks for a code; a whole link may be pasted. */
export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const code = codeOfHash(codeIn(typed))
        setIsWrong(code === null)
        if (code === null) focusFirstInvalid(event.currentTarget)
        else onCode(code)
      }}
    >
      <Stack className="app-card" p="lg" maw={480}>
        <Text size="sm">{t('join.ask')}</Text>
        <TextInput
          label={t('join.code')}
          classNames={{ input: 'mono' }}
          placeholder="ABCD-EFGH-JKMN"
          withAsterisk
          data-autofocus
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setIsWrong(false)
          }}
          error={isWrong ? t('join.notACode') : null}
        />
        <Button type="submit">{t('join.look')}</Button>
      </Stack>
    </form>
  )
}
