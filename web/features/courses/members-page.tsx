import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconDownload, IconSearch, IconUsers } from '@tabler/icons-react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PUBLIC_COURSE } from '#contract/fields'
import { joinCodeText, type Joining } from '#contract/joining'
import { can } from '#contract/roles'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { LabelFilter } from '../../components/labels/label-filter.tsx'
import { labelCell } from '../../components/labels/labels.ts'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import { Page } from '../../components/page/page.tsx'
import { useChosen } from '../../components/lists/use-chosen.ts'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { downloadCsv } from '../../lib/files/download.ts'
import { AddMember } from './add-member.tsx'
import { CsvImport } from './csv-import.tsx'
import { Invitations } from './invitations.tsx'
import { JoinCodes } from './join-codes.tsx'
import { JoinRequests } from './join-requests.tsx'
import { waysOf, WAYS, withWays } from './joining.ts'
import { joiningQuery } from './joining-calls.ts'
import { LabelBar } from './label-bar.tsx'
import { LeaveCourse } from './leave-course.tsx'
import { MemberTable } from './member-table.tsx'
import {
  filterMembers,
  membersOf,
  SORT_KEYS,
  sortMembers,
  type Member,
  type MemberFilter,
} from './members.ts'

interface FilterFieldsProps {
  filter: MemberFilter
  onChange: (filter: MemberFilter) => void
  /** The ways by which members came, as choices; empty for whoever may not know them. */
  ways: { value: string; label: string }[]
}

function FilterFields({ filter, onChange, ways }: FilterFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        aria-label={t('members.filter')}
        placeholder={t('members.filter')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t('members.role')}
        value={filter.role}
        onChange={(event) => onChange({ ...filter, role: event.currentTarget.value })}
        data={[
          { value: '', label: t('members.everyRole') },
          ...(['teacher', 'ta', 'student'] as const).map((role) => ({
            value: role,
            label: t(`courseRole.${role}`),
          })),
        ]}
      />
      {ways.length === 0 ? null : (
        <NativeSelect
          aria-label={t('joinCodes.joined')}
          value={filter.way}
          onChange={(event) => onChange({ ...filter, way: event.currentTarget.value })}
          data={[{ value: '', label: t('joinCodes.everyWay') }, ...ways]}
        />
      )}
    </>
  )
}

/** Downloads the members that are shown. */
function ExportButton({ members }: { members: Member[] }) {
  const { t } = useTranslation()
  const course = useCourse()
  const { isOffered } = useLabelChoice()

  function exportCsv() {
    const heads = [
      t('profile.username'),
      t('profile.displayName'),
      t('members.role'),
      ...(isOffered ? [t('csv.column.labels')] : []),
    ]
    const rows = members.map(({ username, displayedName, courseRole }) => [
      username,
      displayedName,
      t(`courseRole.${courseRole}`),
      ...(isOffered ? [labelCell(course, username)] : []),
    ])
    return downloadCsv(`${course.course} ${t('nav.members')}`, [heads, ...rows])
  }

  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      onClick={() => void exportCsv()}
    >
      {t('scoreboard.export')}
    </Button>
  )
}

/** The codes and how members came; `joining` is undefined until read, and for whoever may not know it. */
function useJoining(manages: boolean) {
  const { course } = useCourse()
  const read = useQuery({ ...joiningQuery(course), enabled: manages })
  // Whoever has lost the right may still have what was read before.
  return { read, joining: manages ? read.data : undefined }
}

/** Says how a person came, from one of `WAYS` or the id of a code. */
function useWayText(joining: Joining | undefined): (way: string) => string {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const texts = new Map<string, string>(
    joining?.codes.map(({ id, code, labelId }) => {
      const label = labels.find((each) => each.id === labelId)
      const text = [joinCodeText(code ?? ''), ...(label ? [label.name] : [])].join(' · ')
      return [String(id), t('joinCodes.way.code', { code: text })]
    }),
  )
  texts.set(WAYS.staff, t('joinCodes.way.staff'))
  texts.set(WAYS.invitation, t('joinCodes.way.invitation'))
  return (way) => texts.get(way) ?? ''
}

/** The page's heading, with how many people wait until staff let them in. */
function Heading({ waiting }: { waiting: number }) {
  const { t } = useTranslation()
  return (
    <>
      {t('nav.members')}{' '}
      {waiting === 0 ? null : (
        <Text span size="md" c="dimmed">
          {t('joinCodes.waitingCount', { count: waiting })}
        </Text>
      )}
    </>
  )
}

/** The course's members, and those whom the filter and the label let through. */
function useFilteredMembers(joining: Joining | undefined) {
  const course = useCourse()
  const [wanted, setFilter] = useState<MemberFilter>({ text: '', role: '', way: '' })
  const label = useLabelChoice(true)
  const ways = waysOf(joining)
  // A way by which nobody is here any more is no choice.
  const filter = ways.includes(wanted.way) ? wanted : { ...wanted, way: '' }
  const members = joining ? withWays(membersOf(course), joining) : membersOf(course)
  // Only students have labels, so only they can be without one.
  const labelled = members.filter(
    ({ username, courseRole }) =>
      label.choice === '' || (can(courseRole, 'scoreboard.appear') && label.isShown(username)),
  )
  return { members, found: filterMembers(labelled, filter), ways, filter, setFilter }
}

/** What lets people into the course, for whoever manages its members. */
function Managing({ read }: { read: UseQueryResult<Joining> }) {
  const { course } = useCourse()
  const { data } = read
  return (
    <>
      <ErrorBox of={read} />
      {data ? <JoinRequests waiting={data.waiting} /> : null}
      {data ? <JoinCodes joining={data} /> : null}
      <AddMember course={course} />
      <CsvImport course={course} />
      {data ? <Invitations joining={data} /> : null}
    </>
  )
}

/** `/course/{name}/members`. The teacher adds and removes members, makes TAs of students, and lets people join by codes. */
export function MembersPage() {
  const { t } = useTranslation()
  const course = useCourse()
  const crumbs = useCourseCrumbs()
  const [sort, setSort] = useState<Sort>({ by: SORT_KEYS.role, descending: false })
  const chosen = useChosen()
  const isPublic = course.course === PUBLIC_COURSE
  const manages = course.may('members.manage') && !isPublic
  const givesLabels = course.may('homework.write') && !isPublic && course.students.length > 0
  const { read, joining } = useJoining(manages)
  const wayText = useWayText(joining)
  const { members, found, ways, filter, setFilter } = useFilteredMembers(joining)
  const shown = sortMembers(found, sort.by, sort.descending)

  return (
    <Page
      title={t('nav.members')}
      heading={<Heading waiting={joining?.waiting.length ?? 0} />}
      crumbs={crumbs}
      actions={
        course.may('course.leave') && !isPublic ? <LeaveCourse course={course.course} /> : null
      }
    >
      {manages ? <Managing read={read} /> : null}
      <Group gap="8px 12px" mb={12} align="flex-end">
        <FilterFields
          filter={filter}
          onChange={setFilter}
          ways={ways.map((value) => ({ value, label: wayText(value) }))}
        />
        <LabelFilter withNone />
        <Text component="output" ml={4} mr="auto" fz="sm" c="dimmed">
          {shown.length === members.length
            ? t('members.count', { count: members.length })
            : t('members.found', { count: shown.length, total: members.length })}
        </Text>
        {course.may('submission.readAll') ? <ExportButton members={shown} /> : null}
      </Group>
      {givesLabels ? <LabelBar members={shown} manages={manages} {...chosen} /> : null}
      {shown.length === 0 ? (
        <EmptyState Icon={IconUsers} text={t('members.noneFound')} />
      ) : (
        <MemberTable
          members={shown}
          manages={manages}
          wayText={joining ? wayText : null}
          chosen={givesLabels ? chosen : null}
          sort={sort}
          onSort={setSort}
        />
      )}
    </Page>
  )
}
