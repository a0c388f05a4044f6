import { Button, NativeSelect, Textarea } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unconfirmedUsers, unknownUsers } from '#contract/courses'
import { refusalData } from '../../lib/api-error.ts'
import { courseQuery } from '../../lib/course.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useLeaveWarning } from '../../lib/leave-warning.ts'
import { refresh } from '../../lib/query-client.ts'
import { changeMembers } from './api.ts'
import { splitNames } from './members.ts'
import classes from './members-page.module.css'

/** Why nobody was added, with the names at fault. */
function useRefusalText(): (error: Error) => string {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return function refusalText(error) {
    const unknown = refusalData(error, unknownUsers)?.unknown
    if (unknown?.length) return t('members.unknown', { names: unknown.join(', ') })
    const unconfirmed = refusalData(error, unconfirmedUsers)?.unconfirmed
    if (!unconfirmed?.length) return errorText(error)
    const names = unconfirmed.map((person) => `${person.displayedName} (${person.username})`)
    return t('members.mustConfirm', { names: names.join(', ') })
  }
}

/** Adds people by exact username or e-mail, several at once. */
export function AddMember({ course }: { course: string }) {
  const { t } = useTranslation()
  const refusalText = useRefusalText()
  const [text, setText] = useState('')
  const [role, setRole] = useState<'student' | 'ta'>('student')
  useLeaveWarning(useCallback(() => text.trim() !== '', [text]))
  const users = splitNames(text)
  const add = useMutation({
    mutationFn: () => changeMembers(course, { add: users.map((user) => ({ user, role })) }),
    onSuccess: async () => {
      setText('')
      await refresh(courseQuery(course).queryKey)
    },
  })
  return (
    <form
      className={`app-card ${classes.add}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (users.length > 0) add.mutate()
      }}
    >
      <Textarea
        className={classes.addText}
        label={t('members.addField')}
        description={t('members.addHelp')}
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={add.isError ? refusalText(add.error) : null}
      />
      <NativeSelect
        label={t('members.role')}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value === 'ta' ? 'ta' : 'student')}
        data={[
          { value: 'student', label: t('courseRole.student') },
          { value: 'ta', label: t('courseRole.ta') },
        ]}
      />
      <Button
        type="submit"
        loading={add.isPending}
        leftSection={<IconUserPlus size={16} aria-hidden="true" />}
      >
        {t('members.add')}
      </Button>
    </form>
  )
}
