import { Button, Text } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MemberChanges } from '#contract/courses'
import { ErrorBox } from '../../components/error-box.tsx'
import { SortHeader, type Sort } from '../../components/sort-header.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { courseQuery, useCourse } from '../../lib/course.ts'
import { changeMembers } from './api.ts'
import { SORT_KEYS, type Member } from './members.ts'
import classes from './members-page.module.css'

interface ActionsProps {
  member: Member
  disabled: boolean
  onChange: (changes: MemberChanges) => void
}

function Actions({ member: { username, courseRole }, disabled, onChange }: ActionsProps) {
  const { t } = useTranslation()
  if (courseRole === 'teacher') return null
  const isTa = courseRole === 'ta'

  function remove() {
    if (window.confirm(t('members.confirmRemove', { username }))) onChange({ remove: [username] })
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={disabled}
        aria-label={t(isTa ? 'members.toStudentOf' : 'members.toTaOf', { username })}
        onClick={() => onChange({ add: [{ user: username, role: isTa ? 'student' : 'ta' }] })}
      >
        {t(isTa ? 'members.toStudent' : 'members.toTa')}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={disabled}
        leftSection={<IconUserMinus size={15} aria-hidden="true" />}
        aria-label={t('members.removeOf', { username })}
        onClick={remove}
      >
        {t('members.remove')}
      </Button>
    </>
  )
}

interface MemberTableProps {
  members: Member[]
  /** Whether the reader may change them. */
  manages: boolean
  sort: Sort
  onSort: (sort: Sort) => void
}

/** The people of a course, with what the teacher may do about each. */
export function MemberTable({ members, manages, sort, onSort }: MemberTableProps) {
  const { t } = useTranslation()
  const { course, unconfirmed = [] } = useCourse()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (changes: MemberChanges) => changeMembers(course, changes),
    onSuccess: () => client.invalidateQueries({ queryKey: courseQuery(course).queryKey }),
  })
  const heads = [
    { by: SORT_KEYS.username, label: t('profile.username') },
    { by: SORT_KEYS.name, label: t('profile.displayName') },
    { by: SORT_KEYS.role, label: t('members.role') },
  ]
  return (
    <>
      {change.isError ? <ErrorBox error={change.error} /> : null}
      {members.some(({ username }) => unconfirmed.includes(username)) ? (
        <Text size="sm" c="dimmed" mb="xs">
          {t('members.unconfirmedHelp')}
        </Text>
      ) : null}
      <TableBox className="app-cards">
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <SortHeader key={head.by} {...head} sort={sort} onSort={onSort} />
              ))}
              {manages ? <th scope="col">{t('common.actions')}</th> : null}
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.username}>
                <td className="mono">{member.username}</td>
                <td className={classes.name}>
                  {member.displayedName}
                  {unconfirmed.includes(member.username) ? (
                    <span className={classes.unconfirmed}>{t('members.unconfirmed')}</span>
                  ) : null}
                </td>
                <td>{t(`courseRole.${member.courseRole}`)}</td>
                {manages ? (
                  <td className={classes.actions}>
                    <Actions member={member} disabled={change.isPending} onChange={change.mutate} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </>
  )
}
