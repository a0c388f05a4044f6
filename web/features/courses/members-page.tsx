import { Button, TextInput } from '@mantine/core'
import { IconSearch, IconUserMinus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseDetail, MemberChanges } from '#contract/courses'
import type { UserInfo } from '#contract/fields'
import type { CourseRole } from '#contract/roles'
import { ErrorBox } from '../../components/error-box.tsx'
import { Page } from '../../components/page.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { courseQuery, useCourse } from '../../lib/course.ts'
import { AddMember } from './add-member.tsx'
import { changeMembers } from './api.ts'
import { CsvImport } from './csv-import.tsx'
import classes from './members-page.module.css'

interface Member extends UserInfo {
  courseRole: CourseRole
}

/** Everyone of a course, staff first. */
function membersOf(course: CourseDetail): Member[] {
  return [
    { ...course.teacher, courseRole: 'teacher' },
    ...course.TAs.map((person): Member => ({ ...person, courseRole: 'ta' })),
    ...course.students.map((person): Member => ({ ...person, courseRole: 'student' })),
  ]
}

function matches(member: Member, filter: string): boolean {
  const wanted = filter.trim().toLowerCase()
  return `${member.username} ${member.displayedName}`.toLowerCase().includes(wanted)
}

/** `/course/{name}/members`. The teacher adds, removes and makes TAs. */
export function MembersPage() {
  const { t } = useTranslation()
  const course = useCourse()
  const crumbs = useCourseCrumbs()
  const client = useQueryClient()
  const [filter, setFilter] = useState('')
  const manages = course.may('members.manage')
  const change = useMutation({
    mutationFn: (changes: MemberChanges) => changeMembers(course.course, changes),
    onSuccess: () => client.invalidateQueries({ queryKey: courseQuery(course.course).queryKey }),
  })
  const members = membersOf(course)
  const shown = members.filter((member) => matches(member, filter))

  function remove(username: string) {
    if (window.confirm(t('members.confirmRemove', { username })))
      change.mutate({ remove: [username] })
  }

  return (
    <Page title={t('nav.members')} crumbs={crumbs}>
      {manages ? <AddMember course={course.course} /> : null}
      {manages ? <CsvImport course={course.course} /> : null}
      <div className={classes.bar}>
        <TextInput
          aria-label={t('members.filter')}
          placeholder={t('members.filter')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <span className={classes.count}>{t('members.count', { count: members.length })}</span>
      </div>
      {change.isError ? <ErrorBox error={change.error} /> : null}
      <TableBox>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('profile.username')}</th>
              <th scope="col">{t('profile.displayName')}</th>
              <th scope="col">{t('members.role')}</th>
              {manages ? <th scope="col">{t('common.actions')}</th> : null}
            </tr>
          </thead>
          <tbody>
            {shown.map((member) => (
              <tr key={member.username}>
                <td className="mono">{member.username}</td>
                <td>{member.displayedName}</td>
                <td>{t(`courseRole.${member.courseRole}`)}</td>
                {manages ? (
                  <td className={classes.actions}>
                    {member.courseRole === 'teacher' ? null : (
                      <>
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          disabled={change.isPending}
                          aria-label={t(
                            member.courseRole === 'ta' ? 'members.toStudentOf' : 'members.toTaOf',
                            { username: member.username },
                          )}
                          onClick={() =>
                            change.mutate({
                              add: [
                                {
                                  user: member.username,
                                  role: member.courseRole === 'ta' ? 'student' : 'ta',
                                },
                              ],
                            })
                          }
                        >
                          {t(member.courseRole === 'ta' ? 'members.toStudent' : 'members.toTa')}
                        </Button>
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          disabled={change.isPending}
                          leftSection={<IconUserMinus size={15} aria-hidden="true" />}
                          aria-label={t('members.removeOf', { username: member.username })}
                          onClick={() => remove(member.username)}
                        >
                          {t('members.remove')}
                        </Button>
                      </>
                    )}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </Page>
  )
}
