import { Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import type { Hint, MistakeGroup } from '#contract/mistakes'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { MarkdownField } from '../../components/markdown/markdown-field.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { refreshMistakes, saveHint, secretOf, type HintSecret, type HintTarget } from './api.ts'
import { useCaseText } from './group-name.tsx'

interface TextFormProps {
  problemId: number
  /** What a new hint is about, or the hint to write anew. */
  on: HintTarget | Pick<Hint, 'hintId'>
  text: string
  onText: (text: string) => void
  saveLabel: string
  onSaved: () => void
  onCancel: () => void
  children: React.ReactNode
}

/** The text of a hint. If the text names something that students may not see, the form asks before it is stored. */
function TextForm(props: TextFormProps) {
  const { problemId, on, text, onText, saveLabel, onSaved, onCancel, children } = props
  const { t } = useTranslation()

  function mayName(what: HintSecret) {
    return askToConfirm({
      title: t('mistakes.nameAsk.title'),
      text: t(`mistakes.nameAsk.${what}`),
      label: t('mistakes.nameAsk.label'),
      keepLabel: t('mistakes.nameAsk.keep'),
    })
  }

  const saving = useMutation({
    mutationFn: async () => {
      await saveHint(problemId, on, text, mayName)
      await refreshMistakes(problemId)
    },
    onSuccess: onSaved,
  })
  const secret = secretOf(saving.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') saving.mutate()
      }}
    >
      <Stack gap="sm">
        {children}
        <MarkdownField
          label={t('mistakes.hintText')}
          description={t('mistakes.hintHelp')}
          value={text}
          onChange={onText}
          maxLength={TEXT_LIMITS.hint}
          minRows={4}
          data-autofocus
        />
        <FormError error={saving.error}>
          {secret && t('mistakes.notSaved', { why: t(`mistakes.nameAsk.${secret}`) })}
        </FormError>
        <FormButtons
          label={saveLabel}
          isSending={saving.isPending}
          disabled={text.trim() === ''}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

interface NewHintFormProps extends Pick<TextFormProps, 'problemId' | 'onSaved' | 'onCancel'> {
  group: MistakeGroup
}

/** The form of a new hint: for everybody with this mistake, or for everybody who fails first at this case. */
export function NewHintForm({ group, ...props }: NewHintFormProps) {
  const { t } = useTranslation()
  const caseText = useCaseText()
  const [text, setText] = useState('')
  const [isForCase, setIsForCase] = useState(false)
  const { mistake, failed, people } = group
  return (
    <TextForm
      {...props}
      on={isForCase && failed !== null ? { failed } : { mistake }}
      text={text}
      onText={setText}
      saveLabel={t('mistakes.show')}
    >
      {failed === null ? (
        <Text size="sm">{t('mistakes.forMistakeNow', { count: people })}</Text>
      ) : (
        <Radio.Group
          label={t('mistakes.forWhom')}
          value={isForCase ? 'case' : 'mistake'}
          onChange={(value) => setIsForCase(value === 'case')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="mistake" label={t('mistakes.forMistakeNow', { count: people })} />
            <Radio value="case" label={t('mistakes.forCase', { where: caseText(failed) })} />
          </Stack>
        </Radio.Group>
      )}
    </TextForm>
  )
}

interface HintEditFormProps extends Pick<TextFormProps, 'problemId' | 'onSaved' | 'onCancel'> {
  hint: Hint
}

/** Writes a hint anew; saving shows a hint again that was set aside. */
export function HintEditForm({ hint, ...props }: HintEditFormProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(hint.markdown)
  return (
    <TextForm
      {...props}
      on={hint}
      text={text}
      onText={setText}
      saveLabel={hint.isAside ? t('mistakes.showAgain') : t('common.save')}
    >
      {hint.isAside ? <Text size="sm">{t('mistakes.asideHelp')}</Text> : null}
    </TextForm>
  )
}
