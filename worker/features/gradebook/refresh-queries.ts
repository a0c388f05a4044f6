/** Reads and writes marks that are computed anew. */
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { isSettingOf } from '../../db/mark-settings.ts'
import { gradebookColumns, marks, markSettings, staleMarks } from '../../db/schema.ts'
import { columnName, excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import { chunksOf } from '../../lib/chunks.ts'
import type { DerivedMark } from './derive.ts'

/** Marks that one statement writes: D1 takes parameters of 2 MB, and a derivation may have 10 KB. */
const MARKS_AT_ONCE = 100

/** A person's mark in a column. */
export interface CellRow {
  columnId: number
  userId: number
}

/** A stale mark that a refresh has claimed. */
export interface ClaimedRow extends CellRow {
  homeworkId: string | null
  isByRule: 0 | 1
}

/** The claim of marks that wait for a rejudge: its verdict takes the claim away, as any change does. */
const JUDGING = 'judging'

/** The condition on `stale_marks` that a mark is to be computed now. */
export const isDue = sql`${staleMarks.claim} is not ${JUDGING}`

/** A list of ids, for `in`. */
const listOfIds = (ids: readonly number[]) =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`

/** The columns of a course, for `in`: its total, or all others. */
function columnsOf(courseId: number, part: 'total' | 'others'): SQL {
  const isTotal = sql`${gradebookColumns.kind} = 'total'`
  return sql`(select ${gradebookColumns.id} from ${gradebookColumns}
    where ${gradebookColumns.courseId} = ${courseId} and ${part === 'total' ? isTotal : sql`not ${isTotal}`})`
}

/**
 * The statement that claims the stale marks of these people, before all that decides about them is read. Another claim, or a change in
 * between, takes the claim away.
 */
export function claimMarks(
  db: Db,
  courseId: number,
  part: 'total' | 'others',
  userIds: readonly number[],
  claim: string,
) {
  const { columnId, userId, isByRule } = staleMarks
  const homeworkId = sql`(select ${gradebookColumns.homeworkId} from ${gradebookColumns} where ${gradebookColumns.id} = ${columnId})`
  return rawQuery<ClaimedRow>(
    db,
    sql`update ${staleMarks} set ${columnName(staleMarks.claim)} = ${claim}
      where ${columnId} in ${columnsOf(courseId, part)} and ${userId} in ${listOfIds(userIds)} and ${isDue}
      returning ${columnName(columnId)} as columnId, ${columnName(userId)} as userId, ${homeworkId} as homeworkId,
        ${columnName(isByRule)} as isByRule`,
  )
}

/** The marks of these cells as they are stored; `derivation` is its JSON. */
export function selectStored(db: Db, columnIds: readonly number[], userIds: readonly number[]) {
  const { userId, columnId, hundredths, isExcused } = marks
  return db
    .select({
      ...aliasColumns({ userId, columnId, hundredths, isExcused }),
      derivation: sql<string | null>`${marks.derivation}`.as('derivation'),
    })
    .from(marks)
    .where(
      and(sql`${userId} in ${listOfIds(userIds)}`, sql`${columnId} in ${listOfIds(columnIds)}`),
    )
}
export type StoredRow = Awaited<ReturnType<typeof selectStored>>[number]

/** What staff set in these cells last. */
export function selectSettings(db: Db, columnIds: readonly number[], userIds: readonly number[]) {
  const { columnId, userId, hundredths, isExcused } = markSettings
  return db
    .select(aliasColumns({ columnId, userId, hundredths, isExcused }))
    .from(markSettings)
    .where(
      and(
        sql`${columnId} in ${listOfIds(columnIds)}`,
        sql`${userId} in ${listOfIds(userIds)}`,
        isSettingOf(columnId, userId),
      ),
    )
}

/** All marks of these people in a course. */
export function selectMarksOf(db: Db, courseId: number, userIds: readonly number[]) {
  const { userId, columnId, hundredths, isExcused } = marks
  return db
    .select(aliasColumns({ userId, columnId, hundredths, isExcused }))
    .from(marks)
    .where(
      and(
        sql`${userId} in ${listOfIds(userIds)}`,
        inArray(
          columnId,
          db
            .select({ id: gradebookColumns.id })
            .from(gradebookColumns)
            .where(eq(gradebookColumns.courseId, courseId)),
        ),
      ),
    )
}

/** The statement that has claimed marks wait for a rejudge, as they are. */
export function waitForRejudge(db: Db, claim: string, cells: readonly CellRow[]) {
  const list = JSON.stringify(cells.map(({ columnId, userId }) => [columnId, userId]))
  return db
    .update(staleMarks)
    .set({ claim: JUDGING })
    .where(
      and(
        eq(staleMarks.claim, claim),
        sql`(${staleMarks.columnId}, ${staleMarks.userId}) in (select value ->> 0, value ->> 1 from json_each(${list}))`,
      ),
    )
}

/** A mark as it will be; null: none. */
export type ComputedCell = CellRow & { mark: DerivedMark | null }

/**
 * The statements that write the computed marks which are still claimed, and end their claims.
 * @param all every claimed mark
 * @param changed those among them that differ from what is stored
 */
export function writeMarks(
  db: Db,
  claim: string,
  all: readonly CellRow[],
  changed: readonly ComputedCell[],
  now: number,
) {
  const { columnId, userId } = staleMarks
  const isClaimed = sql`${columnId} = j.value ->> 0 and ${userId} = j.value ->> 1 and ${staleMarks.claim} = ${claim}`
  const gone = changed.flatMap((cell) => (cell.mark ? [] : [[cell.columnId, cell.userId]]))
  const written = changed.flatMap(({ mark, ...cell }) =>
    mark
      ? [
          [
            cell.columnId,
            cell.userId,
            mark.hundredths,
            Number(mark.isExcused),
            Number(mark.isSet),
            Number(mark.isKept),
            mark.derivation && JSON.stringify(mark.derivation),
          ],
        ]
      : [],
  )
  const isSame = sql`(${marks.hundredths}, ${marks.isExcused}) is (${excluded(marks.hundredths)}, ${excluded(marks.isExcused)})`
  return [
    db.delete(marks).where(
      sql`(${marks.userId}, ${marks.columnId}) in (select ${userId}, ${columnId}
          from json_each(${JSON.stringify(gone)}) j cross join ${staleMarks} on ${isClaimed})`,
    ),
    ...chunksOf(written, MARKS_AT_ONCE).map((chunk) =>
      insertSelect(
        db,
        marks,
        {
          userId: sql`${userId}`,
          columnId: sql`${columnId}`,
          hundredths: sql`j.value ->> 2`,
          isExcused: sql`j.value ->> 3`,
          isSet: sql`j.value ->> 4`,
          isKept: sql`j.value ->> 5`,
          changedAt: now,
          derivation: sql`j.value ->> 6`,
        },
        sql`from json_each(${JSON.stringify(chunk)}) j cross join ${staleMarks} on ${isClaimed} where true
          ${onConflictUpdate(marks, [marks.userId, marks.columnId], {
            hundredths: excluded(marks.hundredths),
            isExcused: excluded(marks.isExcused),
            isSet: excluded(marks.isSet),
            isKept: excluded(marks.isKept),
            changedAt: sql`iif(${isSame}, ${marks.changedAt}, ${excluded(marks.changedAt)})`,
            derivation: excluded(marks.derivation),
          })}`,
      ),
    ),
    db
      .delete(staleMarks)
      .where(
        and(
          eq(staleMarks.claim, claim),
          sql`${columnId} in ${listOfIds([...new Set(all.map((cell) => cell.columnId))])}`,
          sql`${userId} in ${listOfIds([...new Set(all.map((cell) => cell.userId))])}`,
        ),
      ),
  ] as const
}

/** The people of a course who have marks to be computed now, up to a number. */
export function selectStalePeople(db: Db, courseId: number, limit: number) {
  return rawQuery<{ userId: number }>(
    db,
    sql`select distinct ${staleMarks.userId} as userId from ${gradebookColumns}
      cross join ${staleMarks} on ${staleMarks.columnId} = ${gradebookColumns.id}
      where ${gradebookColumns.courseId} = ${courseId} and ${isDue} limit ${limit}`,
  )
}
