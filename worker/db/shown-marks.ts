/** Columns of gradebooks: what they are called, and which marks a student sees. */
import { sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { lastClosing } from './homework-status.ts'
import { gradebookColumns, heldMarks, homeworkDates, homeworks } from './schema.ts'
import { scalar } from './statements.ts'

const named = alias(homeworks, 'named')

/** The name of the present row of `gradebook_columns`: its homework's, or its own; empty for the total. */
export const columnTitle =
  scalar<string>(sql`coalesce((select ${named.name} from ${homeworks} ${named}
  where ${named.id} = ${gradebookColumns.homeworkId}), ${gradebookColumns.name})`)

/**
 * The condition on `gradebook_columns` that its marks are shown to a student, unless theirs is held.
 * @param userId the student's id, or a column with it
 * @param now epoch seconds
 */
export function isColumnShown(userId: number | SQLWrapper, now: number | Placeholder): SQL {
  const { shown, homeworkId } = gradebookColumns
  return sql`(${shown} = 'yes' or (${shown} = 'atClosing' and exists (select 1 from ${homeworkDates}
      where ${homeworkDates.homeworkId} = ${homeworkId} and ${homeworkDates.userId} = ${userId} and ${lastClosing} < ${now})))`
}

/** The condition on `gradebook_columns` that a student's mark in the column is held. */
export function isMarkHeld(userId: number | SQLWrapper): SQL {
  return sql`exists (select 1 from ${heldMarks}
    where ${heldMarks.columnId} = ${gradebookColumns.id} and ${heldMarks.userId} = ${userId})`
}

/**
 * The condition on `gradebook_columns` that a student sees their mark in the column.
 * @param userId the student's id, or a column with it
 * @param now epoch seconds
 */
export function isMarkShown(userId: number | SQLWrapper, now: number | Placeholder): SQL {
  return sql`(${isColumnShown(userId, now)} and not ${isMarkHeld(userId)})`
}
