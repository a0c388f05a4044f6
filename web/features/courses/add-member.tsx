import { Button, NativeSelect, Textarea } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unconfirmedUsers, unknownUsers, type MemberChanges } from '#contract/courses'
import { call } from '../../lib/api/call.ts'
import { refusalData } from '../../lib/api/api-error.ts'
import { courseQuery } from '../../lib/queries/course.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { lastName, splitNames } from './members.ts'
import classes from './members-page.module.css'
import { PeopleSuggestions } from './people-suggestions.tsx'

/** Says why nobody was added, and names the usernames or e-mails at fault. */
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

/** The call that adds people. */
function useAddition(course: string, onAdded: () => void) {
  return useMutation({
    mutationFn: (people: MemberChanges['add']) =>
      call('PATCH /course/:name/members', {
        params: { name: course },
        body: { add: people },
        ifMatch: null,
      }),
    onSuccess: async () => {
      onAdded()
      await refresh(courseQuery(course).queryKey)
    },
  })
}

/** Adds people by username or e-mail, several at once; suggests people for a part of a name. */
export function AddMember({ course }: { course: string }) {
  const { t } = useTranslation()
  const refusalText = useRefusalText()
  const [text, setText] = useState('')
  const [role, setRole] = useState<'student' | 'ta'>('student')
  useLeaveWarning(useCallback(() => text.trim() !== '', [text]))
  const field = useRef<HTMLTextAreaElement>(null)
  const users = splitNames(text)
  const typed = lastName(text)
  const add = useAddition(course, () => setText(''))
  return (
    <form
      className={`app-card ${classes.add}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (users.length > 0) add.mutate(users.map((user) => ({ user, role })))
      }}
    >
      <Textarea
        ref={field}
        flex="1 1 260px"
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
      <PeopleSuggestions
        course={course}
        typed={typed}
        onChoose={(username) => {
          setText(`${text.slice(0, text.length - typed.length)}${username} `)
          field.current?.focus()
        }}
      />
    </form>
  )
}
