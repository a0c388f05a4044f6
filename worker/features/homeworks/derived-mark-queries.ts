/** Reads what decides about marks of homeworks, and derives them. */
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { homeworks } from '../../db/schema.ts'
import { withSharing } from './date-change-queries.ts'
import { HomeworkMarks } from './derived-marks.ts'
import { selectMarksState, toMarksState } from './kept-mark-queries.ts'
import type { RowsOf } from './spending-queries.ts'

/** The selects of what decides about the marks of these people in these homeworks, for one batch. */
export function selectDeciding(db: Db, homeworkIds: readonly string[], userIds: readonly number[]) {
  const which = sql`${homeworks.id} in (select value from json_each(${JSON.stringify(homeworkIds)}))`
  const people = sql`(select value from json_each(${JSON.stringify(userIds)}))`
  // Nobody is asked for what staff may see.
  return selectMarksState(db, withSharing(which), people, { id: 0 })
}

/** The marks that follow from the rows of `selectDeciding`. */
export function deriveMarks(read: RowsOf<ReturnType<typeof selectDeciding>>): HomeworkMarks {
  return new HomeworkMarks(toMarksState(read))
}
