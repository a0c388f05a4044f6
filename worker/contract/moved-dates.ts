/** The proposal for the dates of a copied course: moved by days, over clock changes, around holidays. */
import { instantOf, wallSecondsAt } from '#contract/wall-time'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS

/** The dates of a label in a homework; null: those of the homework. Epoch seconds. */
interface LabelTimes {
  label: number
  opens: number | null
  due: number | null
  closes: number | null
}

/** The dates of a homework and of labels in it, in epoch seconds. `close` null: it closes when it is due. */
export interface DatedHomework {
  id: string
  start: number
  end: number
  close: number | null
  labels: LabelTimes[]
}

/**
 * How dates move. `days` may be negative. `holidays`: from the first day to the last one, as YYYY-MM-DD in the zone `to`.
 * `from` and `to`: IANA names of the time zones of the old and the new course.
 * - `week`: a homework that is due on a holiday moves on by whole weeks, and so do all homeworks that are due later.
 * - `day`: each due or closing time on a holiday moves alone to the same clock time of the next free day.
 */
export interface DateMoves {
  days: number
  holidays: readonly { first: string; last: string }[]
  onHoliday: 'week' | 'day'
  from: string
  to: string
}

/** The date that a clock shows at a wall time. */
function dayOf(wallSeconds: number): string {
  return new Date(wallSeconds * 1000).toISOString().slice(0, 10)
}

/** A homework with each of its times changed; times that are not set stay so. */
function mapTimes<Homework extends DatedHomework>(
  homework: Homework,
  change: (at: number, name: 'opens' | 'due' | 'closes') => number,
): Homework {
  const changed = (at: number | null, name: 'opens' | 'due' | 'closes') =>
    at === null ? null : change(at, name)
  return {
    ...homework,
    start: change(homework.start, 'opens'),
    end: change(homework.end, 'due'),
    close: changed(homework.close, 'closes'),
    labels: homework.labels.map(({ label, opens, due, closes }) => ({
      label,
      opens: changed(opens, 'opens'),
      due: changed(due, 'due'),
      closes: changed(closes, 'closes'),
    })),
  }
}

/** A homework whose times come in order: a time that comes too early takes that of the time before it. */
function inOrder<Homework extends DatedHomework>(homework: Homework): Homework {
  const { start } = homework
  const end = Math.max(start, homework.end)
  const notBefore = (at: number | null, earliest: number) =>
    at === null ? null : Math.max(at, earliest)
  const labels = homework.labels.map(({ label, opens, ...own }) => {
    const due = notBefore(own.due, opens ?? start)
    return { label, opens, due, closes: notBefore(own.closes, due ?? end) }
  })
  return { ...homework, end, close: notBefore(homework.close, end), labels }
}

/** Moves homeworks that are due on holidays by whole weeks, with all that are due later. Wall times. */
function slideByWeeks<Homework extends DatedHomework>(
  homeworks: readonly Homework[],
  isHoliday: (wallSeconds: number) => boolean,
): Homework[] {
  const moved = new Map<Homework, Homework>()
  let slide = 0
  let farthest = 0
  let dueBefore = -Infinity
  for (const homework of homeworks.toSorted((left, right) => left.end - right.end)) {
    // Homeworks that are due at the same time do not move each other.
    if (homework.end > dueBefore) slide = farthest
    dueBefore = homework.end
    const dues = [homework.end, ...homework.labels.flatMap(({ due }) => due ?? [])]
    let own = slide
    while (dues.some((due) => isHoliday(due + own))) own += WEEK_SECONDS
    farthest = Math.max(farthest, own)
    moved.set(
      homework,
      mapTimes(homework, (at) => at + own),
    )
  }
  return homeworks.map((homework) => moved.get(homework) ?? homework)
}

/**
 * The dates of homeworks, moved by days. Clocks in the new course show the same times as clocks in the old one, over clock changes, too.
 * @returns the homeworks in the same order
 */
export function moveDates<Homework extends DatedHomework>(
  homeworks: readonly Homework[],
  { days, holidays, onHoliday, from, to }: DateMoves,
): Homework[] {
  const isHoliday = (wallSeconds: number) => {
    const day = dayOf(wallSeconds)
    return holidays.some(({ first, last }) => first <= day && day <= last)
  }
  const toFreeDay = (wallSeconds: number): number =>
    isHoliday(wallSeconds) ? toFreeDay(wallSeconds + DAY_SECONDS) : wallSeconds
  const shifted = homeworks.map((homework) =>
    mapTimes(homework, (at) => wallSecondsAt(at, from) + days * DAY_SECONDS),
  )
  const free =
    onHoliday === 'week'
      ? slideByWeeks(shifted, isHoliday)
      : shifted.map((homework) =>
          mapTimes(homework, (at, name) => (name === 'opens' ? at : toFreeDay(at))),
        )
  return free.map((homework) => inOrder(mapTimes(homework, (at) => instantOf(at, to))))
}

/**
 * By how many days homeworks move, so that the first one opens on a day.
 * @param firstDay YYYY-MM-DD
 * @param keepWeekdays rounds up to whole weeks
 * @param timeZone IANA name of that of the old course
 */
export function daysTo(
  firstDay: string,
  homeworks: readonly Pick<DatedHomework, 'start'>[],
  keepWeekdays: boolean,
  timeZone: string,
): number {
  if (homeworks.length === 0) return 0
  const earliest = Math.min(...homeworks.map(({ start }) => start))
  const now = dayOf(wallSecondsAt(earliest, timeZone))
  const days = (Date.parse(firstDay) - Date.parse(now)) / (DAY_SECONDS * 1000)
  // Adding 0 makes -0 to 0.
  return keepWeekdays ? Math.ceil(days / 7) * 7 + 0 : days
}
