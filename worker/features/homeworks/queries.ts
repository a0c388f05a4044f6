/** Reads homeworks with the progress of their students. */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import type { UserInfo } from '#contract/fields'
import {
  homeworkStatusAt,
  type HomeworkProgress,
  type SentHomework,
  type SentRunningHomework,
} from '#contract/homeworks'
import { can, type CourseRole, type Standing } from '#contract/roles'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { isHomework } from '../../db/homework-status.ts'
import { attemptsWithin } from '../../db/problem-results.ts'
import {
  courses,
  homeworkProblems,
  homeworks,
  memberships,
  problemResults,
  problems,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, selectOwnCourses, standingOf } from '../../db/standing.ts'
import { visibleTo } from '../../db/visibility.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../submissions/target-queries.ts'
import { toFields } from './row.ts'
import { toStudentStatus } from './student-status.ts'

/** A homework as a guard knows it: its times, who sees its scoreboard, its course and the caller's standing there. */
export interface HomeworkAccess extends Pick<
  typeof homeworks.$inferSelect,
  'startAt' | 'endAt' | 'scoreboardStatus' | 'scoreboardNames'
> {
  homeworkId: string
  courseId: number
  course: string
  standing: Standing
}

/** A homework with its course and the caller's standing there. */
export async function findHomeworkAccess(
  db: Db,
  user: SessionUser,
  homeworkId: string,
): Promise<HomeworkAccess | undefined> {
  return db
    .select({
      homeworkId: homeworks.id,
      startAt: homeworks.startAt,
      endAt: homeworks.endAt,
      scoreboardStatus: homeworks.scoreboardStatus,
      scoreboardNames: homeworks.scoreboardNames,
      courseId: courses.id,
      course: courses.name,
      standing: standingOf(user),
    })
    .from(homeworks)
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(homeworks.id, homeworkId), isNull(courses.deletedAt)))
    .get()
}

/** Which homeworks are read, and for whom. */
export interface Reading {
  standing: Standing
  user: SessionUser
  /** Condition on `homeworks`. */
  which: SQL
  /** Whose progress is read. */
  progress: HomeworkProgress
  now: number
}

/** The problems of the homeworks that the caller may see. */
export function selectProblems(db: Db, { standing, which, now }: Reading) {
  return db
    .select({
      homeworkId: homeworkProblems.homeworkId,
      problemId: homeworkProblems.problemId,
      problemName: problems.name,
      position: homeworkProblems.position,
    })
    .from(homeworks)
    .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
    .innerJoin(problems, eq(problems.id, homeworkProblems.problemId))
    .where(and(which, visibleTo(standing, now)))
}

/**
 * The attempts at the homeworks' problems: one row for each person and problem. They come as text and are parsed one row at a
 * time, because the parsed attempts of a whole course would not fit the memory of a Worker. If SQL cut the text, it would be a quarter
 * shorter, but the query would read a row for each attempt and occupy the database thirty times as long.
 */
export function selectAttempts(db: Db, { which, progress, user }: Reading) {
  // The id of a two-step submission is up to ten minutes older than its code.
  const from = sql`printf('%012x', max(0, ${homeworks.startAt} - ${CLAIMED_SUBMISSION_SECONDS}) * 1000)`
  return db
    .select({
      ...aliasColumns({
        homeworkId: homeworkProblems.homeworkId,
        userId: problemResults.userId,
        problemId: problemResults.problemId,
      }),
      attempts: attemptsWithin(from, sql`'g'`).as('attempts'),
    })
    .from(homeworks)
    .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
    .innerJoin(
      problemResults,
      and(
        eq(problemResults.problemId, homeworkProblems.problemId),
        progress === 'all' ? undefined : eq(problemResults.userId, user.id),
      ),
    )
    .where(which)
}

/** A member of the homeworks' course. */
type Member = UserInfo & { id: number; courseRole: CourseRole }

/** The members of the homeworks' course, unless only the caller's progress is read. Each name comes once, not for each problem. */
export function selectMembers(db: Db, { which, progress }: Reading) {
  return rawQuery<Member>(
    db,
    progress === 'own'
      ? sql`select 0 as id where 0`
      : sql`select ${users.id}, ${users.username}, ${users.displayedName} as displayedName, ${users.role},
          ${memberships.role} as courseRole from ${memberships}
          join ${users} on ${users.id} = ${memberships.userId}
          where ${memberships.courseId} in (select ${homeworks.courseId} from ${homeworks} where ${which})`,
  )
}

/** The names of all who handed in: the members that were read, the caller, and people who have left the course. */
async function completeNames(
  db: Db,
  user: SessionUser,
  members: { id: number; username: string }[],
  rows: { userId: number }[],
): Promise<Map<number, string>> {
  const names = new Map(members.map(({ id, username }) => [id, username]))
  names.set(user.id, user.username)
  const unknown = new Set(rows.map(({ userId }) => userId).filter((id) => !names.has(id)))
  if (unknown.size === 0) return names
  const others = await rawQuery<{ id: number; username: string }>(
    db,
    sql`select ${users.id}, ${users.username} from ${users}
      where ${users.id} in (select value from json_each(${JSON.stringify([...unknown])}))`,
  )
  for (const { id, username } of others) names.set(id, username)
  return names
}

/** Reads homeworks, in no order, each with the version its edits are checked against. */
async function readHomeworks(
  db: Db,
  reading: Reading,
): Promise<{ homework: SentHomework; version: number }[]> {
  const { standing, which, now, user } = reading
  const [rows, contents, attempts, members] = await db.batch([
    db
      .select({ ...getTableColumns(homeworks), course: sql<string>`${courses.name}`.as('course') })
      .from(homeworks)
      .innerJoin(courses, eq(courses.id, homeworks.courseId))
      .where(which),
    selectProblems(db, reading),
    selectAttempts(db, reading),
    selectMembers(db, reading),
  ])
  const names = await completeNames(db, user, members, attempts)
  const inOrder = contents.toSorted((left, right) => left.position - right.position)
  const contentsOf = Map.groupBy(inOrder, (row) => row.homeworkId)
  const byHomework = Map.groupBy(
    attempts.map((row) => ({ ...row, username: names.get(row.userId) ?? '' })),
    (row) => row.homeworkId,
  )
  return rows.map((row) => {
    const status = homeworkStatusAt({ start: row.startAt, end: row.endAt }, now)
    const isOpen = status !== 'not-started' || can(standing, 'problem.readHidden')
    const shown = isOpen ? (contentsOf.get(row.id) ?? []) : []
    const problemIds = shown.map(({ problemId }) => problemId)
    return {
      version: row.version,
      homework: {
        ...toFields(row, isOpen),
        course: row.course,
        problemIds,
        problems: shown.map(({ problemId, problemName }) => ({ problemId, problemName })),
        status,
        studentStatus: toStudentStatus(row, problemIds, byHomework.get(row.id) ?? []),
      },
    }
  })
}

/** Whose progress a caller sees: students see their own; staff see everyone's unless they ask for their own. */
function progressFor(standing: Standing, asked: HomeworkProgress = 'all'): HomeworkProgress {
  return can(standing, 'submission.readAll') ? asked : 'own'
}

/**
 * A course's homeworks, newest start first. Students get their own progress, staff everyone's or what they ask for.
 * @param now epoch seconds of the server's clock
 */
export async function listHomeworks(
  db: Db,
  course: { id: number; standing: Standing },
  user: SessionUser,
  now: number,
  asked: HomeworkProgress | undefined,
): Promise<SentHomework[]> {
  const { id, standing } = course
  const which = eq(homeworks.courseId, id)
  const progress = progressFor(standing, asked)
  const read = await readHomeworks(db, { standing, user, which, progress, now })
  return read
    .map(({ homework }) => homework)
    .toSorted((left, right) => right.start - left.start || (left.id < right.id ? 1 : -1))
}

/** The condition that a homework is in a course where the person is teacher or member; an admin's other rights do not count. */
function isInCourseOf(user: SessionUser): SQL {
  return sql`${homeworks.courseId} in (select ${courses.id} from ${courses} where ${courses.deletedAt} is null
    and ${courses.id} in (${selectOwnCourses(user, 'course.read')}))`
}

/**
 * The running homeworks of a person's courses, by due time. Everyone is treated as a student here, because the list is about their
 * own work.
 * @param now epoch seconds of the server's clock
 */
export async function listRunningHomeworks(
  db: Db,
  user: SessionUser,
  now: number,
): Promise<SentRunningHomework[]> {
  const which = sql`${isHomework('running', homeworks, now)} and ${isInCourseOf(user)}`
  const read = await readHomeworks(db, { standing: 'student', user, which, progress: 'own', now })
  return read
    .map(({ homework }) => {
      const { id, name, course, start, end, problemIds, problems, status, studentStatus } = homework
      return { id, name, course, start, end, problemIds, problems, status, studentStatus }
    })
    .toSorted((left, right) => left.end - right.end)
}

/** One homework; undefined if it no longer exists. */
export async function getHomework(
  db: Db,
  { homeworkId, standing }: HomeworkAccess,
  user: SessionUser,
  now: number,
): Promise<{ homework: SentHomework; version: number } | undefined> {
  const which = eq(homeworks.id, homeworkId)
  const progress = progressFor(standing)
  return (await readHomeworks(db, { standing, user, which, progress, now }))[0]
}
