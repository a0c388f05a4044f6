/** Which marks a student sees. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { gradebookColumns, heldMarks, homeworkDates } from './schema.ts'

/**
 * The condition on `gradebook_columns` that a student sees their mark in the column.
 * @param userId the student's id, or a column with it
 * @param now epoch seconds
 */
export function isMarkShown(userId: number | SQLWrapper, now: number): SQL {
  const { id, shown, homeworkId } = gradebookColumns
  return sql`(${shown} = 'yes' or (${shown} = 'atClosing' and exists (select 1 from ${homeworkDates}
      where ${homeworkDates.homeworkId} = ${homeworkId} and ${homeworkDates.userId} = ${userId} and ${homeworkDates.closes} < ${now})))
    and not exists (select 1 from ${heldMarks} where ${heldMarks.columnId} = ${id} and ${heldMarks.userId} = ${userId})`
}
