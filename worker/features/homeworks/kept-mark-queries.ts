/** Kept marks: what counted before a change of dates that would lower it. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { pointsFor } from '#contract/homework-dates'
import type { KeptMark } from '#contract/homework-overrides'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { keptMarks, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { chunksOf } from '../../lib/chunks.ts'
import {
  higherThan,
  markValues,
  type DateRows,
  type MarksState,
  type ValueRow,
} from './kept-marks.ts'
import { peopleDetail, selectStudents } from './people-queries.ts'
import { withItsBudget, type HomeworkAccess } from './queries.ts'
import { selectSpending, type RowsOf } from './spending-queries.ts'

/** Rows that one statement writes: D1 takes parameters of 2 MB. */
const ROWS_AT_ONCE = 10_000

/**
 * The selects of what decides about the marks of these people, for one batch.
 * @param which condition on `homeworks`: all that share late days
 * @param user whoever reads it, for staff
 */
export function selectMarksState(db: Db, which: SQL, progress: SQL, user: Pick<SessionUser, 'id'>) {
  return selectSpending(db, { standing: 'admin', user, which, progress, now: 0 }, 'ever')
}

/** Rows → what decides about marks, with the dates. */
export function toMarksState([
  homeworks,
  problems,
  attempts,
  asked,
  overrides,
  labelled,
  kept,
  given,
]: RowsOf<ReturnType<typeof selectMarksState>>) {
  return { homeworks, problems, attempts, asked, overrides, labelled, kept, given }
}

/** The students of a homework's course who have kept marks there: a list for `in`. */
export function keepersOf({
  homeworkId,
  courseId,
}: Pick<HomeworkAccess, 'homeworkId' | 'courseId'>) {
  return sql`(select ${keptMarks.userId} from ${keptMarks} where ${keptMarks.homeworkId} = ${homeworkId}
    and ${keptMarks.userId} in (${selectStudents(courseId)}))`
}

/** The kept marks of a homework that are higher than what would count without any. */
export function higherOf(state: MarksState & DateRows, { homeworkId }: HomeworkAccess) {
  const kept = state.kept.filter((row) => row.homeworkId === homeworkId)
  return higherThan(markValues(state, state, []), kept)
}

/** The statements that store kept marks, and forget others. */
export function writeKept(db: Db, stored: readonly ValueRow[], dropped: readonly ValueRow[]) {
  const { homeworkId, userId, problemId } = keptMarks
  const lists = (rows: readonly ValueRow[]) =>
    chunksOf(rows, ROWS_AT_ONCE).map((chunk) =>
      JSON.stringify(chunk.map((row) => [row.homeworkId, row.userId, row.problemId, row.value])),
    )
  return [
    ...lists(dropped).map((list) =>
      db
        .delete(keptMarks)
        .where(
          sql`(${homeworkId}, ${userId}, ${problemId}) in (select value ->> 0, value ->> 1, value ->> 2 from json_each(${list}))`,
        ),
    ),
    ...lists(stored).map((list) =>
      insertSelect(
        db,
        keptMarks,
        {
          homeworkId: sql`value ->> 0`,
          userId: sql`value ->> 1`,
          problemId: sql`value ->> 2`,
          value: sql`value ->> 3`,
        },
        sql`from json_each(${list}) where true
          ${onConflictUpdate(keptMarks, [homeworkId, userId, problemId], { value: excluded(keptMarks.value) })}`,
      ),
    ),
  ]
}

/** The kept marks of a homework's students that are higher than what counts, by username. */
export async function listKeptMarks(
  db: Db,
  homework: HomeworkAccess,
  user: SessionUser,
): Promise<KeptMark[]> {
  const keepers = keepersOf(homework)
  const [people, ...read] = await db.batch([
    db
      .select(aliasColumns({ id: users.id, ...userInfoColumns(users) }))
      .from(users)
      .where(sql`${users.id} in ${keepers}`)
      .orderBy(users.usernameKey),
    ...selectMarksState(db, withItsBudget(homework), keepers, user),
  ])
  const state = toMarksState(read)
  const inOrder = state.problems
    .filter(({ homeworkId }) => homeworkId === homework.homeworkId)
    .toSorted((left, right) => left.position - right.position)
  const higher = Map.groupBy(higherOf(state, homework), ({ userId }) => userId)
  return people.flatMap(({ id, ...person }) =>
    inOrder.flatMap(({ problemId, problemName, points }) =>
      (higher.get(id) ?? [])
        .filter((row) => row.problemId === problemId)
        .map(({ value, now }) => ({
          problemId,
          problemName,
          user: person,
          kept: pointsFor(value, points),
          now: pointsFor(now, points),
        })),
    ),
  )
}

/** Brings the lower marks of these people into force. */
export async function confirmMarks(
  db: Db,
  { homeworkId, course }: HomeworkAccess,
  usernames: string[],
  change: Change,
): Promise<void> {
  const keys = JSON.stringify(usernames.map((name) => name.toLowerCase()))
  await db.batch([
    db.delete(keptMarks).where(
      and(
        eq(keptMarks.homeworkId, homeworkId),
        sql`${keptMarks.userId} in (select ${users.id} from ${users}
          where ${users.usernameKey} in (select value from json_each(${keys})))`,
      ),
    ),
    insertAudit(db, change, {
      action: 'homework.marks.confirm',
      subject: homeworkId,
      detail: { course, ...peopleDetail(usernames) },
    }),
  ])
}
