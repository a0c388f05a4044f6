/** Dates of people as rows of a spreadsheet's file: what the app writes is what it reads. */
import type { CourseDetail } from '#contract/courses'
import type { HomeworkDatesTable, HomeworkOverride } from '#contract/homework-overrides'
import type { Label } from '#contract/labels'
import { labelCell } from '../../../components/labels/labels.ts'
import { targetsOf, type Target } from '../../../components/homeworks/extension-values.ts'
import { formatDeadline, formatTime } from '../../../lib/format/format.ts'

/** The columns of the file, by their headers. Name and labels are for those who read the file; nothing reads them back. */
export const DATES_COLUMNS = {
  username: 'username',
  displayedName: 'name',
  labels: 'labels',
  due: 'due',
  closes: 'closes',
  opens: 'opens',
  graceMinutes: 'grace',
  latePercent: 'late percent',
  quota: 'quota',
  excused: 'excused',
  reason: 'reason',
} as const
export type DatesField = keyof typeof DATES_COLUMNS

type Cell = string | number | null

/** The cells of a person's override; empty ones are as the homework has it. */
function cellsOf(override: HomeworkOverride | null, timeZone: string): Cell[] {
  if (override === null) return Array.from({ length: 8 }, () => null)
  const { due, closes, opens, graceMinutes, latePercent, quota, excused, reason } = override
  return [
    due === null ? null : formatDeadline(due, timeZone),
    closes === null ? null : formatDeadline(closes, timeZone),
    opens === null ? null : formatTime(opens, timeZone),
    graceMinutes,
    latePercent,
    quota,
    excused === true ? 'yes' : null,
    reason,
  ]
}

/** A label in the column of usernames; no username holds a colon. */
const nameOfLabel = ({ name }: Label) => `label:${name}`

/** The dates of labels and people as a table for `toCsv`; times in the course's zone. */
export function toDatesTable(
  table: HomeworkDatesTable,
  course: Pick<CourseDetail, 'labels' | 'memberLabels' | 'timeZone'>,
): Cell[][] {
  const { timeZone } = course
  const labelRows = table.labels.flatMap(({ label: id, override }) =>
    course.labels
      .filter((label) => label.id === id)
      .map((label) => [nameOfLabel(label), null, null, ...cellsOf(override, timeZone)]),
  )
  return [
    Object.values(DATES_COLUMNS),
    ...labelRows,
    ...table.people.map(({ user, override }) => [
      user.username,
      user.displayedName,
      labelCell(course, user.username),
      ...cellsOf(override, timeZone),
    ]),
  ]
}

/** Whose dates a file can change, by what stands in its column of usernames. */
export function targetsByName(
  table: HomeworkDatesTable,
  homework: Parameters<typeof targetsOf>[2],
  labels: readonly Label[],
): ReadonlyMap<string, Target> {
  const people = table.people.map(({ user, own, override }): [string, Target] => [
    user.username,
    { username: user.username, own, override },
  ])
  const ofLabels = labels.flatMap((label) =>
    targetsOf({ label }, table, homework).map((target): [string, Target] => [
      nameOfLabel(label),
      target,
    ]),
  )
  return new Map([...people, ...ofLabels])
}
