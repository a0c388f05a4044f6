/** When homeworks run: `homeworkStatusAt` as conditions of SQL. */
import { sql, type Column, type Placeholder, type SQL } from 'drizzle-orm'
import type { HomeworkStatus } from '#contract/homeworks'

/** The columns of `homeworks` or an alias. */
interface HomeworkTimes {
  startAt: Column
  endAt: Column
}

/**
 * The condition that a homework has a status. It compares bare columns, so that SQLite uses their index.
 * @param now epoch seconds
 */
export function isHomework(
  status: HomeworkStatus,
  { startAt, endAt }: HomeworkTimes,
  now: number | Placeholder,
): SQL {
  if (status === 'not-started') return sql`${startAt} > ${now}`
  const isEnded = status === 'over' ? sql`${endAt} < ${now}` : sql`${endAt} >= ${now}`
  return sql`(${startAt} <= ${now} and ${isEnded})`
}
