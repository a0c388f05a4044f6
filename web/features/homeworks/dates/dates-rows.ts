/** Dates of people as rows of a spreadsheet's file: what the app writes is what it reads. */
import type { HomeworkDatesTable, HomeworkOverride } from '#contract/homework-overrides'
import { formatDeadline, formatTime } from '../../../lib/format/format.ts'

/** The columns of the file, by their headers. The name is for those who read the file; nothing reads it back. */
export const DATES_COLUMNS = {
  username: 'username',
  displayedName: 'name',
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

/** Everybody's own dates as a table for `toCsv`. @param timeZone the course's */
export function toDatesTable({ people }: HomeworkDatesTable, timeZone: string): Cell[][] {
  return [
    Object.values(DATES_COLUMNS),
    ...people.map(({ user, override }) => [
      user.username,
      user.displayedName,
      ...cellsOf(override, timeZone),
    ]),
  ]
}
