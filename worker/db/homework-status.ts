/** When homeworks run for a person: `homeworkStatusAt` as conditions of SQL. */
import { sql, type Column, type Placeholder, type SQL } from 'drizzle-orm'
import type { HomeworkStatus } from '#contract/homeworks'
import { askedLateDays, homeworkDates, lateDayBudgets } from './schema.ts'

/** The columns of `homeworkDates` or an alias. */
interface PersonDates {
  opens: Column
  closes: Column
}

/**
 * The condition that a homework has a status for a person.
 * @param now epoch seconds
 */
export function isHomework(
  status: HomeworkStatus,
  { opens, closes }: PersonDates,
  now: number | Placeholder,
): SQL {
  if (status === 'not-started') return sql`${opens} > ${now}`
  const isClosed = status === 'over' ? sql`${closes} < ${now}` : sql`${closes} >= ${now}`
  return sql`(${opens} <= ${now} and ${isClosed})`
}

const { homeworkId, userId, budgetId, due, closes, graceMinutes } = homeworkDates
const { size, mostEach, spending, movesClosing } = lateDayBudgets

/** The late days that a person may use in a homework, as if none were used elsewhere, in seconds. */
const lateSeconds = sql`86400 * min(${size}, ${mostEach}, iif(${spending} = 'auto', ${size}, coalesce(${askedLateDays.days}, 0)))`

/** Of a row of `homeworkDates`: when the homework closes for the person with all the late days that they may use in it, as `withLateDays` has it. */
export const lastClosing = sql`max(${closes}, coalesce(
  (select iif(${movesClosing}, ${closes}, ${due} + ${graceMinutes} * 60) + ${lateSeconds} from ${lateDayBudgets}
    left join ${askedLateDays} on ${askedLateDays.homeworkId} = ${homeworkId} and ${askedLateDays.userId} = ${userId}
    where ${lateDayBudgets.id} = ${budgetId}), 0))`
