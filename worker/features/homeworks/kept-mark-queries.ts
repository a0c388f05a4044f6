/** Kept marks: what counted before a change of dates that would lower it. */
import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { pointsFor } from '#contract/homework-dates'
import type { KeptMark } from '#contract/homework-overrides'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { homeworkProblems, homeworks, keptMarks, problems, users } from '../../db/schema.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { chunksOf } from '../../lib/chunks.ts'
import { higherThan, markValues, type ValueRow } from './kept-marks.ts'
import { DatesReader, isOf, selectLabelled, selectOverrides, type Whose } from './own-dates.ts'
import { peopleDetail, selectStudents } from './people-queries.ts'
import type { HomeworkAccess } from './queries.ts'
import { selectAttempts, selectHomeworks } from './reading-queries.ts'

/** Rows that one statement writes: D1 takes parameters of 2 MB. */
const ROWS_AT_ONCE = 10_000

/**
 * The selects of `MarksState`, for one batch.
 * @param which condition on `homeworks`
 */
export function selectMarksState(db: Db, which: SQL, whose: Whose) {
  const { homeworkId, problemId, userId } = keptMarks
  const isProblem = and(
    eq(homeworkProblems.homeworkId, homeworkId),
    eq(homeworkProblems.problemId, problemId),
  )
  return [
    selectHomeworks(db, { which }),
    selectAttempts(db, { which, progress: whose }, 'ever'),
    db
      .select(getTableColumns(keptMarks))
      .from(homeworks)
      .innerJoin(keptMarks, eq(homeworkId, homeworks.id))
      .innerJoin(homeworkProblems, isProblem)
      .where(and(which, isOf(userId, whose))),
  ] as const
}

/** The students of a homework's course who have kept marks there: a list for `in`. */
export function keepersOf({
  homeworkId,
  courseId,
}: Pick<HomeworkAccess, 'homeworkId' | 'courseId'>) {
  return sql`(select ${keptMarks.userId} from ${keptMarks} where ${keptMarks.homeworkId} = ${homeworkId}
    and ${keptMarks.userId} in (${selectStudents(courseId)}))`
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
export async function listKeptMarks(db: Db, homework: HomeworkAccess): Promise<KeptMark[]> {
  const isThis = eq(homeworks.id, homework.homeworkId)
  const keepers = keepersOf(homework)
  const [marked, attempts, kept, overrides, labelled, contents, people] = await db.batch([
    ...selectMarksState(db, isThis, keepers),
    selectOverrides(db, isThis, keepers),
    selectLabelled(db, isThis, keepers),
    db
      .select({
        problemId: homeworkProblems.problemId,
        points: homeworkProblems.points,
        problemName: problems.name,
      })
      .from(homeworkProblems)
      .innerJoin(problems, eq(problems.id, homeworkProblems.problemId))
      .where(eq(homeworkProblems.homeworkId, homework.homeworkId))
      .orderBy(homeworkProblems.position),
    db
      .select(aliasColumns({ id: users.id, ...userInfoColumns(users) }))
      .from(users)
      .where(sql`${users.id} in ${keepers}`)
      .orderBy(users.usernameKey),
  ])
  const values = markValues({ homeworks: marked, attempts }, new DatesReader(overrides, labelled))
  const higher = Map.groupBy(higherThan(values, kept), ({ userId }) => userId)
  return people.flatMap(({ id, ...user }) =>
    contents.flatMap(({ points, ...problem }) =>
      (higher.get(id) ?? [])
        .filter(({ problemId }) => problemId === problem.problemId)
        .map(({ value, now }) => ({
          ...problem,
          user,
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
