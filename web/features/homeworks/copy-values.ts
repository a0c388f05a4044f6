/** The form that copies a homework. */
import type { HomeworkCopy } from '#contract/course-copy'
import type { Homework } from '#contract/homeworks'
import { daysTo, moveDates } from '#contract/moved-dates'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { parseDeadline, parseTime } from '../../lib/format/parse-time.ts'

export type HomeworkCopyValues = {
  courseName: string
  name: string
  /** Times as in the homework form. */
  start: string
  end: string
  close: string
}

/** The same name and weekdays, from today on. @param now epoch seconds */
export function toCopyValues(
  { id, name, start, end, close }: Pick<Homework, 'id' | 'name' | 'start' | 'end' | 'close'>,
  timeZone: string,
  now: number,
): HomeworkCopyValues {
  const homework = { id, start, end, close, labels: [] }
  const days = daysTo(formatTime(now, timeZone).slice(0, 10), [homework], true, timeZone)
  const [moved = homework] = moveDates([homework], {
    days,
    holidays: [],
    onHoliday: 'day',
    from: timeZone,
    to: timeZone,
  })
  return {
    courseName: '',
    name,
    start: formatTime(moved.start),
    end: formatDeadline(moved.end),
    close: moved.close === null ? '' : formatDeadline(moved.close),
  }
}

/** What the form sends. */
export function toCopyBody({
  courseName,
  name,
  start,
  end,
  close,
}: HomeworkCopyValues): HomeworkCopy {
  return {
    courseName,
    name: name.trim(),
    start: parseTime(start),
    end: parseDeadline(end),
    close: close.trim() === '' ? null : parseDeadline(close),
  }
}
