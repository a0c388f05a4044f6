/** Reads what explains marks of people: columns, groups, marks, and what staff gave, set and wrote. */
import { and, asc, desc, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { UserInfo } from '#contract/fields'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { givenColumns } from '../../db/given-points.ts'
import { lastClosing } from '../../db/homework-status.ts'
import { FIRST_KEY, userInfoColumns } from '../../db/people.ts'
import {
  gradebookColumns,
  heldMarks,
  homeworkDates,
  homeworkProblems,
  homeworks,
  markSettings,
  marks,
  memberships,
  problems,
  questions,
  staffPoints,
  users,
} from '../../db/schema.ts'
import { isMarkShown } from '../../db/shown-marks.ts'
import { membershipCan } from '../../db/standing.ts'
import { scalar } from '../../db/statements.ts'
import { selectColumns, selectGroups } from './columns-queries.ts'

/** A student whose marks are explained. */
export type Student = UserInfo & { id: number }

/** A student of a course by username. */
export async function findStudent(
  db: Db,
  courseId: number,
  username: string,
): Promise<Student | undefined> {
  return db
    .select({ id: users.id, ...userInfoColumns(users) })
    .from(users)
    .innerJoin(
      memberships,
      and(eq(memberships.userId, users.id), eq(memberships.courseId, courseId)),
    )
    .where(and(eq(users.usernameKey, username.toLowerCase()), membershipCan('scoreboard.appear')))
    .get()
}

const d = alias(homeworkDates, 'd')
const setter = alias(users, 'setter')

const ofCourse = (courseId: number) => eq(gradebookColumns.courseId, courseId)

/** The names of the problems of the course's homeworks. @param isNamed condition on `problems`, for readers who do not see all */
function selectProblemNames(db: Db, courseId: number, isNamed: SQL | undefined) {
  return db
    .selectDistinct({ problemId: problems.id, name: problems.name })
    .from(homeworks)
    .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
    .innerJoin(problems, eq(problems.id, homeworkProblems.problemId))
    .where(and(eq(homeworks.courseId, courseId), isNull(problems.deletedAt), isNamed))
}

/** The marks. `why`: the reason of the dates, where the mark is excused. */
function selectMarks(db: Db, courseId: number, isMeant: SQL) {
  const why = scalar<string | null>(sql`select ${d.why} from ${homeworkDates} ${d}
    where ${d.homeworkId} = ${gradebookColumns.homeworkId} and ${d.userId} = ${marks.userId}`)
  return db
    .select({
      userId: marks.userId,
      columnId: marks.columnId,
      hundredths: marks.hundredths,
      isExcused: marks.isExcused,
      derivation: marks.derivation,
      why: sql<string | null>`iif(${marks.isExcused}, ${why}, null)`.as('why'),
    })
    .from(gradebookColumns)
    .innerJoin(marks, eq(marks.columnId, gradebookColumns.id))
    .where(and(ofCourse(courseId), sql`${marks.userId} in (${isMeant})`))
}

/** The points that staff gave. */
function selectGiven(db: Db, courseId: number, isMeant: SQL) {
  const { homeworkId, userId, problemId } = staffPoints
  return db
    .select({ homeworkId, userId, problemId, ...givenColumns })
    .from(homeworks)
    .innerJoin(staffPoints, eq(homeworkId, homeworks.id))
    .where(and(eq(homeworks.courseId, courseId), sql`${userId} in (${isMeant})`))
    .orderBy(asc(problemId))
}

/** What staff have set, newest first. */
function selectHistory(db: Db, courseId: number, isMeant: SQL) {
  const { columnId, userId, hundredths, isExcused, reason, setAt } = markSettings
  return db
    .select({
      ...aliasColumns({ columnId, userId, hundredths, isExcused, reason, setAt }),
      by: sql<
        string | null
      >`iif(${setter.usernameKey} >= ${FIRST_KEY}, ${setter.username}, null)`.as('by'),
    })
    .from(gradebookColumns)
    .innerJoin(markSettings, eq(columnId, gradebookColumns.id))
    .innerJoin(setter, eq(setter.id, markSettings.setterId))
    .where(and(ofCourse(courseId), sql`${userId} in (${isMeant})`))
    .orderBy(desc(markSettings.id))
}

/** The newest question about each mark. */
function selectQuestions(db: Db, courseId: number, isMeant: SQL) {
  return rawQuery<{ columnId: number; userId: number; id: string }>(
    db,
    sql`select ${questions.columnId} as "columnId", ${questions.studentId} as "userId", max(${questions.id}) as id
      from ${gradebookColumns} join ${questions} on ${questions.columnId} = ${gradebookColumns.id} and ${questions.columnId} is not null
      where ${ofCourse(courseId)} and ${questions.studentId} in (${isMeant})
      group by ${questions.columnId}, ${questions.studentId}`,
  )
}

/**
 * The selects of what explains everybody's marks in a course, for one batch.
 * @param isNamed condition on `problems` that the reader sees their names
 */
export function selectColumnsExplained(db: Db, courseId: number, isNamed?: SQL) {
  return [
    selectColumns(db, courseId),
    selectGroups(db, courseId),
    selectProblemNames(db, courseId, isNamed),
  ] as const
}

/** The selects of what explains the marks of these people besides. */
export function selectPeopleExplained(db: Db, courseId: number, userIds: readonly number[]) {
  const isMeant = sql`select value from json_each(${JSON.stringify(userIds)})`
  return [
    selectMarks(db, courseId, isMeant),
    selectGiven(db, courseId, isMeant),
    selectHistory(db, courseId, isMeant),
    selectQuestions(db, courseId, isMeant),
  ] as const
}

/** The selects that explain the marks of people in a course, for one batch. @param isNamed see `selectColumnsExplained` */
export function selectExplained(
  db: Db,
  courseId: number,
  userIds: readonly number[],
  isNamed?: SQL,
) {
  return [
    ...selectColumnsExplained(db, courseId, isNamed),
    ...selectPeopleExplained(db, courseId, userIds),
  ] as const
}

type RowsOf<Selects extends readonly unknown[]> = {
  [Index in keyof Selects]: Awaited<Selects[Index]>
}

/** The rows of `selectExplained`. */
export type ExplainedRows = RowsOf<ReturnType<typeof selectExplained>>

/** The rows of `selectColumnsExplained`. */
export type ExplainedColumns = RowsOf<ReturnType<typeof selectColumnsExplained>>

/** Which columns a student sees their marks in, and since and until when they can hand in, also with late days. `opens`, `closes`: only of homeworks. */
export function selectShown(db: Db, courseId: number, userId: number, now: number) {
  // A join would make the view's rows of all people; in a subquery both ids are known.
  const dated = (time: SQLWrapper) =>
    scalar<number | null>(sql`select ${time} from ${homeworkDates}
      where ${homeworkDates.homeworkId} = ${gradebookColumns.homeworkId} and ${homeworkDates.userId} = ${userId}`)
  const isHeld = scalar<number>(sql`select count(*) from ${heldMarks}
    where ${heldMarks.columnId} = ${gradebookColumns.id} and ${heldMarks.userId} = ${userId}`)
  return db
    .select({
      columnId: gradebookColumns.id,
      opens: dated(homeworkDates.opens).as('opens'),
      closes: dated(lastClosing).as('closes'),
      isShown: scalar<number>(isMarkShown(userId, now)).as('is_shown'),
      isHeld: isHeld.as('is_held'),
    })
    .from(gradebookColumns)
    .where(ofCourse(courseId))
}
export type ShownRow = Awaited<ReturnType<typeof selectShown>>[number]
