import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconDownload, IconSearch, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PUBLIC_COURSE } from '#contract/fields'
import { can } from '#contract/roles'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
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
import { LabelBar } from './label-bar.tsx'
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
}

function FilterFields({ filter, onChange }: FilterFieldsProps) {
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

/** `/course/{name}/members`. The teacher adds and removes members, and makes TAs of students. */
export function MembersPage() {
  const { t } = useTranslation()
  const course = useCourse()
  const crumbs = useCourseCrumbs()
  const [filter, setFilter] = useState({ text: '', role: '' })
  const [sort, setSort] = useState<Sort>({ by: SORT_KEYS.role, descending: false })
  const label = useLabelChoice(true)
  const chosen = useChosen()
  const isPublic = course.course === PUBLIC_COURSE
  const manages = course.may('members.manage') && !isPublic
  const givesLabels = course.may('homework.write') && !isPublic && course.students.length > 0
  const members = membersOf(course)
  // Only students have labels, so only they can be without one.
  const labelled = members.filter(
    ({ username, courseRole }) =>
      label.choice === '' || (can(courseRole, 'scoreboard.appear') && label.isShown(username)),
  )
  const shown = sortMembers(filterMembers(labelled, filter), sort.by, sort.descending)

  return (
    <Page title={t('nav.members')} crumbs={crumbs}>
      {manages ? <AddMember course={course.course} /> : null}
      {manages ? <CsvImport course={course.course} /> : null}
      <Group gap="8px 12px" mb={12} align="flex-end">
        <FilterFields filter={filter} onChange={setFilter} />
        <LabelFilter withNone />
        <Text component="output" ml={4} mr="auto" fz="sm" c="dimmed">
          {shown.length === members.length
            ? t('members.count', { count: members.length })
            : t('members.found', { count: shown.length, total: members.length })}
        </Text>
        {course.may('submission.readAll') ? <ExportButton members={shown} /> : null}
      </Group>
      {givesLabels ? <LabelBar members={shown} {...chosen} /> : null}
      {shown.length === 0 ? (
        <EmptyState Icon={IconUsers} text={t('members.noneFound')} />
      ) : (
        <MemberTable
          members={shown}
          manages={manages}
          chosen={givesLabels ? chosen : null}
          sort={sort}
          onSort={setSort}
        />
      )}
    </Page>
  )
}
