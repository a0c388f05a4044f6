import { Stack, Text } from '@mantine/core'
import { IconReportAnalytics } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ExplainedMark, OwnMarks } from '#contract/gradebook'
import { Facts } from '../../components/display/facts.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { MarkPoints } from '../../components/marks/mark-points.tsx'
import { Section } from '../../components/page/section.tsx'
import { useNumberText } from '../../lib/format/number-text.ts'
import { MarkDetails } from './mark-details.tsx'
import classes from './marks.module.css'

/** What a mark adds to the total. */
function Part({ part }: { part: NonNullable<ExplainedMark['part']> }) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  return t(`marks.part.${part.fate}`, { points: points(part.points), most: points(part.share) })
}

interface MarksTableProps {
  title: string
  marks: ExplainedMark[]
  isOwn: boolean
}

/** The marks of a group; each opens why it is what it is. */
function MarksTable({ title, marks, isOwn }: MarksTableProps) {
  const { t } = useTranslation()
  const points = {
    head: t('marks.points'),
    isLabelled: true,
    className: classes.top,
    renderCell: (mark: ExplainedMark) => <MarkPoints mark={mark} />,
  }
  const adds = {
    head: t('marks.adds'),
    isLabelled: true,
    className: classes.top,
    renderCell: ({ part }: ExplainedMark) => (part === null ? null : <Part part={part} />),
  }
  return (
    <Section title={title}>
      <ListTable
        className="app-cards"
        label={title}
        rows={marks}
        keyOf={({ column }) => column.id}
        columns={[
          {
            head: t('marks.column'),
            isWide: true,
            className: classes.first,
            renderCell: (mark) => (
              <MarkDetails mark={mark} title={mark.column.name} isOwn={isOwn} />
            ),
          },
          points,
          ...(marks.some(({ part }) => part !== null) ? [adds] : []),
        ]}
      />
    </Section>
  )
}

/** The total, what it can still become, and how it is made. */
function TotalSection({ mark, reachable }: { mark: ExplainedMark; reachable: number | null }) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const facts = [{ label: t('marks.points'), value: <MarkPoints mark={mark} />, isKey: true }]
  const still = { label: t('marks.reachable'), value: points(reachable ?? 0) }
  return (
    <Section title={t('marks.total')}>
      <Facts facts={reachable === null ? facts : [...facts, still]} />
      <MarkDetails mark={mark} title={t('marks.howTotal')} isOwn={false} />
    </Section>
  )
}

/** The marks by group, in the order of the groups; then those of no group. */
function useGroups({ groups, marks }: OwnMarks) {
  const { t } = useTranslation()
  const columns = marks.filter(({ column }) => column.kind !== 'total')
  const known = new Set(groups.map(({ id }) => id))
  const rest = columns.filter(({ column: { groupId } }) => groupId === null || !known.has(groupId))
  return [
    ...groups.map(({ id, name }) => ({
      id,
      title: name,
      marks: columns.filter(({ column }) => column.groupId === id),
    })),
    { id: 0, title: t(groups.length === 0 ? 'marks.all' : 'marks.noGroup'), marks: rest },
  ].filter((group) => group.marks.length > 0)
}

interface StudentMarksProps {
  own: OwnMarks
  /** Whether the reader is the student: staff only look. */
  isOwn: boolean
}

/** The marks that a student sees. */
export function StudentMarks({ own, isOwn }: StudentMarksProps) {
  const { t } = useTranslation()
  const groups = useGroups(own)
  const { marks, reachable, hidden } = own
  const total = marks.find(({ column }) => column.kind === 'total')
  return (
    <Stack gap={24}>
      {total === undefined ? null : <TotalSection mark={total} reachable={reachable} />}
      {groups.map(({ id, title, marks: inGroup }) => (
        <MarksTable key={id} title={title} marks={inGroup} isOwn={isOwn} />
      ))}
      {marks.length === 0 ? <EmptyState Icon={IconReportAnalytics} text={t('marks.none')} /> : null}
      {hidden.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          {t('marks.hidden', { names: hidden.join(', ') })}
        </Text>
      )}
    </Stack>
  )
}
