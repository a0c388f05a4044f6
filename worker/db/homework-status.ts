/** When homeworks run for a person: `homeworkStatusAt` as conditions of SQL. */
import { sql, type Column, type Placeholder, type SQL } from 'drizzle-orm'
import type { HomeworkStatus } from '#contract/homeworks'

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
