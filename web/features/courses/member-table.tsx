import { Anchor, Checkbox, Group, Menu, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MemberChanges } from '#contract/courses'
import { can } from '#contract/roles'
import { call } from '../../lib/api/call.ts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { LabelChips } from '../../components/labels/label-chips.tsx'
import { labelsOf } from '../../components/labels/labels.ts'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import type { Chosen } from '../../components/lists/use-chosen.ts'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { RowMenu } from '../../components/overlays/row-menu.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { courseQuery, useCourse } from '../../lib/queries/course.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { formatTime } from '../../lib/format/format.ts'
import { paths } from '../../paths.ts'
import { SORT_KEYS, type Member } from './members.ts'
import classes from './members-page.module.css'

interface ActionsProps {
  member: Member
  /** The e-mail address is not confirmed: the server gives such a person no rights. */
  isUnconfirmed: boolean
  disabled: boolean
  onChange: (changes: MemberChanges) => void
}

function Actions(props: ActionsProps) {
  const { member, isUnconfirmed, disabled, onChange } = props
  const { username, courseRole } = member
  const { t } = useTranslation()
  const { course } = useCourse()
  // This compares roles and not capabilities, because the menu changes the role itself.
  if (courseRole === 'teacher') return null
  const isTa = courseRole === 'ta'

  const cannotBeTa = isUnconfirmed && !isTa

  async function askAndRemove() {
    const isSure = await askToConfirm({
      title: t('members.confirmRemove.title', { username }),
      text: t('members.confirmRemove.text'),
      label: t('members.remove'),
    })
    if (isSure) onChange({ remove: [username] })
  }

  return (
    <RowMenu label={t('members.actionsOf', { name: username })} disabled={disabled}>
      {can(courseRole, 'scoreboard.appear') ? (
        <Menu.Item component={Link} to={paths.studentMarks(course, username)}>
          {t('marks.asSeen')}
        </Menu.Item>
      ) : null}
      <Menu.Item
        disabled={cannotBeTa}
        onClick={() => onChange({ add: [{ user: username, role: isTa ? 'student' : 'ta' }] })}
      >
        {t(isTa ? 'members.toStudent' : 'members.toTa')}
        {cannotBeTa ? (
          <span className={classes.beneath}>{t('members.toTaUnconfirmed')}</span>
        ) : null}
      </Menu.Item>
      <Menu.Item c="var(--mantine-color-error)" onClick={() => void askAndRemove()}>
        {t('members.remove')}
      </Menu.Item>
    </RowMenu>
  )
}

/** The username; for staff with a link, and for students with a checkbox. */
function Username({ member, chosen }: Pick<MemberTableProps, 'chosen'> & { member: Member }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const { username, courseRole } = member
  const name = may('submission.readAll') ? (
    <Anchor component={Link} to={paths.submissions(course, { username })} inherit>
      {username}
    </Anchor>
  ) : (
    username
  )
  if (chosen === null || !can(courseRole, 'scoreboard.appear')) return name
  return (
    <Group gap={10} wrap="nowrap">
      <Checkbox
        size="xs"
        aria-label={t('labels.choose', { name: username })}
        checked={chosen.chosen.has(username)}
        onChange={({ currentTarget }) => chosen.choose([username], currentTarget.checked)}
      />
      {name}
    </Group>
  )
}

/** The columns of the table. */
function useColumns(chosen: Chosen | null, wayText: MemberTableProps['wayText']): Column<Member>[] {
  const { t } = useTranslation()
  const course = useCourse()
  const { unconfirmed = [] } = course
  return [
    {
      head: t('profile.username'),
      sortBy: SORT_KEYS.username,
      className: 'mono',
      renderCell: (member) => <Username member={member} chosen={chosen} />,
    },
    {
      head: t('profile.displayName'),
      sortBy: SORT_KEYS.name,
      className: classes.name,
      renderCell: ({ username, displayedName, email }) => (
        <>
          {displayedName}
          {email === undefined ? null : <span className={classes.beneath}>{email}</span>}
          {unconfirmed.includes(username) ? (
            <span className={classes.beneath}>{t('members.unconfirmed')}</span>
          ) : null}
        </>
      ),
    },
    {
      head: t('members.role'),
      sortBy: SORT_KEYS.role,
      renderCell: ({ courseRole }) => t(`courseRole.${courseRole}`),
    },
    ...(course.labels.length === 0
      ? []
      : [
          {
            head: t('csv.column.labels'),
            className: classes.labels,
            isWide: true,
            renderCell: ({ username }: Member) => (
              <LabelChips labels={labelsOf(course, username)} />
            ),
          },
        ]),
    ...(wayText === null
      ? []
      : [
          {
            head: t('joinCodes.joined'),
            sortBy: SORT_KEYS.joined,
            isLabelled: true,
            renderCell: ({ joinedAt, way = '' }: Member) =>
              joinedAt === undefined ? null : (
                <>
                  {formatTime(joinedAt)}
                  <span className={classes.beneath}>{wayText(way)}</span>
                </>
              ),
          },
        ]),
  ]
}

interface MemberTableProps {
  members: Member[]
  /** Whether the user may change the members. */
  manages: boolean
  /** The students who are chosen for a change of labels; null for whoever gives no labels. */
  chosen: Chosen | null
  /** Says how a person came; null for whoever may not know it. */
  wayText: ((way: string) => string) | null
  sort: Sort
  onSort: (sort: Sort) => void
}

/** The members of a course, with the teacher's actions on each. */
export function MemberTable(props: MemberTableProps) {
  const { members, manages, chosen, wayText, sort, onSort } = props
  const { t } = useTranslation()
  const { course, unconfirmed = [] } = useCourse()
  const change = useMutation({
    mutationFn: (changes: MemberChanges) =>
      call('PATCH /course/:name/members', {
        params: { name: course },
        body: changes,
        ifMatch: null,
      }),
    onSuccess: () => refresh(courseQuery(course).queryKey),
  })
  const columns = useColumns(chosen, wayText)
  const actions: Column<Member> = {
    head: t('common.actions'),
    className: classes.actions,
    renderCell: (member) => (
      <Actions
        member={member}
        isUnconfirmed={unconfirmed.includes(member.username)}
        disabled={change.isPending}
        onChange={change.mutate}
      />
    ),
  }
  return (
    <>
      <ErrorBox of={change} />
      {members.some(({ username }) => unconfirmed.includes(username)) ? (
        <Text size="sm" c="dimmed" mb="xs">
          {t('members.unconfirmedHelp')}
        </Text>
      ) : null}
      <ListTable
        className="app-cards app-long"
        columns={manages ? [...columns, actions] : columns}
        rows={members}
        keyOf={({ username }) => username}
        sort={sort}
        onSort={onSort}
      />
    </>
  )
}
