/** The table of all dates of a course that comes back: the proposed dates, and over them what staff typed into cells. */
import type { CourseCopy } from '#contract/course-copy'
import { daysTo, moveDates, type DatedHomework } from '#contract/moved-dates'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'

/** A homework of the old course. */
export interface OldHomework extends DatedHomework {
  name: string
}

/** Days without lessons, both included, as `YYYY-MM-DD`, or what was typed so far. `last` empty: one day. */
export interface Holiday {
  first: string
  last: string
}

/** What happens with homeworks that are due on a holiday: they move a week with all after them, or to the next free day. */
export const ON_HOLIDAY = ['week', 'day'] as const

/** The rule by which dates are proposed. */
export type DateRule = {
  /** The day on which the first homework opens, as `YYYY-MM-DD`. */
  firstDay: string
  keepWeekdays: boolean
  holidays: Holiday[]
  onHoliday: (typeof ON_HOLIDAY)[number]
}

export type CopyValues = DateRule & {
  course: string
  closeOld: boolean
  /** Ids of the homeworks that stay behind. */
  left: string[]
  /** What was typed into cells, by the cells' keys; null: nothing. */
  edits: Record<string, string>
}

export const DATE_FIELDS = ['opens', 'due', 'closes'] as const
export type DateField = (typeof DATE_FIELDS)[number]

type Times = Record<DateField, number | null>

/** What is wrong with a time: it cannot be read, or it comes before the time that must precede it. */
export type DateFault = 'form' | 'beforeOpening' | 'beforeDue'

/** A cell of the table. `old` and `at` are epoch seconds. */
export interface DateCell {
  key: string
  field: DateField
  old: number | null
  /** `at` as it is shown or was typed. */
  text: string
  at: number | null
  isEdited: boolean
  isHoliday: boolean
  fault: DateFault | null
}

/** The dates of a homework, or with a label those of the label. */
export interface DateRow {
  key: string
  homework: OldHomework
  label: number | null
  isLeft: boolean
  cells: Record<DateField, DateCell>
}

/** Whether a text is a day as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return !Number.isNaN(parseTime(`${text} 00:00`, 'UTC'))
}

/** Which day of a holiday is wrong; null: neither, or nothing is filled in. */
export function holidayFault({ first, last }: Holiday): keyof Holiday | null {
  if (!isDay(first)) return first === '' && last === '' ? null : 'first'
  return last === '' || (isDay(last) && last >= first) ? null : 'last'
}

/** The holidays that are filled in, each with its last day. */
function completeHolidays(holidays: readonly Holiday[]): Holiday[] {
  return holidays
    .filter((holiday) => isDay(holiday.first) && holidayFault(holiday) === null)
    .map(({ first, last }) => ({ first, last: last === '' ? first : last }))
}

/** The homeworks with proposed dates; those that stay behind keep theirs. */
export function proposedDates(
  homeworks: OldHomework[],
  left: readonly string[],
  rule: DateRule,
  timeZone: string,
): DatedHomework[] {
  const coming = homeworks.filter(({ id }) => !left.includes(id))
  const { firstDay, keepWeekdays, onHoliday } = rule
  const holidays = completeHolidays(rule.holidays)
  const days = isDay(firstDay) ? daysTo(firstDay, coming, keepWeekdays, timeZone) : 0
  const zones = { from: timeZone, to: timeZone }
  const moved = moveDates(coming, { days, holidays, onHoliday, ...zones })
  const byId = new Map(moved.map((homework) => [homework.id, homework]))
  return homeworks.map((homework) => byId.get(homework.id) ?? homework)
}

/** The first day to propose: that of the old course some whole weeks later, a year or more, and not in the past. */
export function proposedFirstDay(
  homeworks: readonly OldHomework[],
  timeZone: string,
  now: number,
): string {
  if (homeworks.length === 0) return ''
  const first = Math.min(...homeworks.map(({ start }) => start))
  const week = 7 * 86_400
  const weeks = Math.max(52, Math.ceil((now - first) / week))
  return formatTime(first + weeks * week, timeZone).slice(0, 10)
}

const timesOf = ({ start, end, close }: DatedHomework): Times => ({
  opens: start,
  due: end,
  closes: close,
})

function textOf(field: DateField, at: number | null): string {
  if (at === null) return ''
  return field === 'opens' ? formatTime(at) : formatDeadline(at)
}

function read(field: DateField, text: string): number | null {
  if (text.trim() === '') return null
  return field === 'opens' ? parseTime(text.trim()) : parseDeadline(text.trim())
}

/** What is wrong with each time. @param whole the homework's own times, which stand where a label has none */
function faultsOf(times: Times, whole: Times): Record<DateField, DateFault | null> {
  const opens = times.opens ?? whole.opens
  const due = times.due ?? whole.due
  const closes = times.closes ?? whole.closes
  const isUnreadable = (field: DateField) =>
    Number.isNaN(times[field]) || (whole === times && field !== 'closes' && times[field] === null)
  return {
    opens: isUnreadable('opens') ? 'form' : null,
    due: isUnreadable('due')
      ? 'form'
      : opens !== null && due !== null && due < opens
        ? 'beforeOpening'
        : null,
    closes: isUnreadable('closes')
      ? 'form'
      : due !== null && closes !== null && closes < due
        ? 'beforeDue'
        : null,
  }
}

/** Fills in the table. @param proposed as `proposedDates` gives them */
export function rowsOf(
  homeworks: OldHomework[],
  proposed: DatedHomework[],
  values: Pick<CopyValues, 'left' | 'edits' | 'holidays'>,
  timeZone: string,
): DateRow[] {
  const { edits, left } = values
  const holidays = completeHolidays(values.holidays)
  const isHoliday = (at: number | null) => {
    if (at === null || Number.isNaN(at)) return false
    const day = formatTime(at, timeZone).slice(0, 10)
    return holidays.some(({ first, last }) => first <= day && day <= last)
  }

  function timesIn(key: string, next: Times): Times {
    const timeOf = (field: DateField) => {
      const typed = edits[`${key}/${field}`]
      return typed === undefined ? next[field] : read(field, typed)
    }
    return { opens: timeOf('opens'), due: timeOf('due'), closes: timeOf('closes') }
  }

  return homeworks.flatMap((homework, index) => {
    const next = proposed[index] ?? homework
    const whole = timesIn(homework.id, timesOf(next))
    const rows = [
      { label: null, key: homework.id, old: timesOf(homework), times: whole, next: timesOf(next) },
      ...homework.labels.map((old, at) => {
        const key = `${homework.id}/${old.label}`
        const nextOfLabel = next.labels[at] ?? old
        return { label: old.label, key, old, times: timesIn(key, nextOfLabel), next: nextOfLabel }
      }),
    ]
    return rows.map(({ label, key, old, times, next: moved }) => {
      const faults = faultsOf(times, whole)
      const cellOf = (field: DateField): DateCell => {
        const typed = edits[`${key}/${field}`]
        return {
          key: `${key}/${field}`,
          field,
          old: old[field],
          text: typed ?? textOf(field, moved[field]),
          at: times[field],
          isEdited: typed !== undefined,
          isHoliday: isHoliday(times[field]),
          fault: faults[field],
        }
      }
      const cells = { opens: cellOf('opens'), due: cellOf('due'), closes: cellOf('closes') }
      return { key, homework, label, isLeft: left.includes(homework.id), cells }
    })
  })
}

/** Whether a date of a homework that comes along is wrong. */
export function hasFault(rows: readonly DateRow[]): boolean {
  return rows.some(
    ({ isLeft, cells }) => !isLeft && DATE_FIELDS.some((field) => cells[field].fault !== null),
  )
}

/** What the table sends. */
export function toBody({ course, closeOld }: CopyValues, rows: readonly DateRow[]): CourseCopy {
  const coming = rows.filter(({ isLeft }) => !isLeft)
  return {
    course: course.trim(),
    closeOld,
    homeworks: coming
      .filter(({ label }) => label === null)
      .map(({ homework: { id }, cells: { opens, due, closes } }) => ({
        id,
        start: opens.at ?? Number.NaN,
        end: due.at ?? Number.NaN,
        close: closes.at,
        labels: coming.flatMap(({ homework, label, cells }) =>
          homework.id === id && label !== null
            ? { label, opens: cells.opens.at, due: cells.due.at, closes: cells.closes.at }
            : [],
        ),
      })),
  }
}
