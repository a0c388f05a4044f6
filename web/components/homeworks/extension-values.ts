/** The values of the dialog that gives people dates of their own, and the changes that it sends. */
import type { UserInfo } from '#contract/fields'
import { datesOf, type OwnDates } from '#contract/homework-dates'
import type {
  HomeworkDatesTable,
  HomeworkOverride,
  OverrideChange,
} from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import type { Label } from '#contract/labels'
import { addCalendarDays } from '../../lib/format/calendar-days.ts'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'
import { takesLate } from './late-rule.ts'

/** Whose dates change: students, everybody with a label, or all. */
export type Whose = readonly UserInfo[] | { label: Label } | 'everybody'

/** One whose dates change: a student, a label by its id, or with `username` null and no label all. `own`: the present dates. */
export interface Target {
  username: string | null
  label?: number
  own: OwnDates
  override: HomeworkOverride | null
}

/** A number field of Mantine: an empty text while nothing is typed. */
type Typed = number | string

/** Times as texts in the reader's zone; an empty field: as the homework has it. `days`: days to add to each one's due time. */
export type ExtensionValues = {
  days: number | null
  opens: string
  due: string
  closes: string
  graceMinutes: Typed
  latePercent: Typed
  quota: Typed
  excused: boolean
  reason: string
}

/** The present dates of students, a label or all. @param homework whose `own` dates are those for all */
export function targetsOf(
  whose: Whose,
  table: HomeworkDatesTable,
  homework: Pick<Homework, 'own' | 'start' | 'end' | 'close' | 'graceMinutes'>,
): Target[] {
  if (whose === 'everybody') return [{ username: null, own: homework.own, override: table.forAll }]
  if ('label' in whose) {
    const { id } = whose.label
    const override = table.labels.find(({ label }) => label === id)?.override ?? null
    const own = { ...datesOf(homework, table.forAll, null, override), why: null }
    return [{ username: null, label: id, own, override }]
  }
  const wanted = new Set(whose.map(({ username }) => username))
  return table.people
    .filter(({ user }) => wanted.has(user.username))
    .map(({ user, own, override }) => ({ username: user.username, own, override }))
}

/** The form's first values: the override of the one target. Of several targets a filled field changes all. */
export function valuesOf(targets: readonly Target[]): ExtensionValues {
  const [first] = targets
  const override = targets.length === 1 ? first?.override : null
  const deadline = (at: number | null | undefined) => (at == null ? '' : formatDeadline(at))
  return {
    days: null,
    opens: override?.opens == null ? '' : formatTime(override.opens),
    due: deadline(override?.due),
    closes: deadline(override?.closes),
    graceMinutes: override?.graceMinutes ?? '',
    latePercent: override?.latePercent ?? '',
    quota: override?.quota ?? '',
    excused: override?.excused ?? false,
    reason: override?.reason ?? '',
  }
}

const timeOf = (text: string) => (text === '' ? null : parseTime(text))
const deadlineOf = (text: string) => (text === '' ? null : parseDeadline(text))
const numberOf = (typed: Typed) => (typed === '' ? null : Number(typed))

/** The closing time that goes with another due time: the time for late work stays as long. Undefined: none need be set. */
function closesWith(due: number, { own, override }: Target, addDays: (at: number) => number) {
  if (takesLate(own)) return addDays(own.closes)
  return override?.closes != null && override.closes < due ? due : undefined
}

/**
 * What the form changes for one target: the fields that differ from `initial`. The closing time moves along with the due time.
 * @param timeZone the course's, which says when a day is over
 */
export function changeFor(
  target: Target,
  values: ExtensionValues,
  initial: ExtensionValues,
  timeZone: string,
): OverrideChange {
  const { username, label, own } = target
  const change: OverrideChange = { username, ...(label !== undefined && { label }) }
  if (values.opens !== initial.opens) change.opens = timeOf(values.opens)
  const { days } = values
  if (days !== null) change.due = addCalendarDays(own.due, days, timeZone)
  else if (values.due !== initial.due) change.due = deadlineOf(values.due)
  const { due } = change
  if (values.closes !== initial.closes) change.closes = deadlineOf(values.closes)
  else if (due != null) {
    const moved = closesWith(due, target, (at) =>
      days === null ? at + due - own.due : addCalendarDays(at, days, timeZone),
    )
    if (moved !== undefined) change.closes = moved
  }
  for (const field of ['graceMinutes', 'latePercent', 'quota'] as const)
    if (values[field] !== initial[field]) change[field] = numberOf(values[field])
  if (values.excused !== initial.excused) change.excused = values.excused || null
  if (values.reason !== initial.reason) change.reason = values.reason
  return change
}
