/** Reads homeworks with the progress of their students. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import {
  homeworkStatusAt,
  type HomeworkProgress,
  type SentHomework,
  type SentRunningHomework,
} from '#contract/homeworks'
import { can, type Standing } from '#contract/roles'
import { aliasColumns, type Db } from '../../db/client.ts'
import { isHomework } from '../../db/homework-status.ts'
import { courses, homeworkDates, homeworks, memberships } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, selectOwnCourses, standingOf } from '../../db/standing.ts'
import { MarksReader } from './marks.ts'
import {
  completeNames,
  selectAttempts,
  selectHomeworks,
  selectMarks,
  selectMembers,
  selectProblems,
  type Reading,
} from './reading-queries.ts'
import { toFields } from './row.ts'
import { byName, marksOf, readProgress } from './student-status.ts'

/** A homework as a guard knows it: its dates, who sees its scoreboard, its course and the caller's standing there. */
export interface HomeworkAccess extends Pick<
  typeof homeworks.$inferSelect,
  'scoreboardStatus' | 'scoreboardNames'
> {
  /** The dates of the caller. */
  opens: number
  closes: number
  homeworkId: string
  courseId: number
  course: string
  standing: Standing
}

/** The select of a homework with its course and the caller's standing there; also for a batch. */
export function selectHomeworkAccess(db: Db, user: SessionUser, homeworkId: string) {
  return db
    .select({
      standing: standingOf(user).as('standing'),
      ...aliasColumns({
        homeworkId: homeworks.id,
        opens: homeworkDates.opens,
        closes: homeworkDates.closes,
        scoreboardStatus: homeworks.scoreboardStatus,
        scoreboardNames: homeworks.scoreboardNames,
        courseId: courses.id,
        course: courses.name,
      }),
    })
    .from(homeworks)
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
    .innerJoin(
      homeworkDates,
      and(eq(homeworkDates.homeworkId, homeworks.id), eq(homeworkDates.userId, user.id)),
    )
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(homeworks.id, homeworkId), isNull(courses.deletedAt)))
}

/** A homework with its course and the caller's standing there. */
export async function findHomeworkAccess(
  db: Db,
  user: SessionUser,
  homeworkId: string,
): Promise<HomeworkAccess | undefined> {
  return selectHomeworkAccess(db, user, homeworkId).get()
}

/** Reads homeworks, in no order, each with the version its edits are checked against. */
async function readHomeworks(
  db: Db,
  reading: Reading,
): Promise<{ homework: SentHomework; version: number }[]> {
  const { standing, now, user } = reading
  const [rows, contents, attempts, members, ...stored] = await db.batch([
    selectHomeworks(db, reading),
    selectProblems(db, reading),
    selectAttempts(db, reading),
    selectMembers(db, reading),
    ...selectMarks(db, reading),
  ])
  const marks = new MarksReader(...stored)
  const names = await completeNames(db, user, members, [...attempts, ...marks.rows])
  const inOrder = contents.toSorted((left, right) => left.position - right.position)
  const contentsOf = Map.groupBy(inOrder, (row) => row.homeworkId)
  const attemptsOf = Map.groupBy(attempts, (row) => row.homeworkId)
  const students = members.filter(({ courseRole }) => can(courseRole, 'scoreboard.appear'))
  const people = reading.progress === 'own' ? [user] : students
  return rows.map((row) => {
    const own = marks.dates.ownDatesOf(row, can(standing, 'submission.readAll') ? null : user.id)
    const status = homeworkStatusAt(own, now)
    const isOpen = status !== 'not-started' || can(standing, 'problem.readHidden')
    const shown = isOpen ? (contentsOf.get(row.id) ?? []) : []
    const progress = readProgress(marks, row, shown, attemptsOf.get(row.id) ?? [])
    const { course, courseCounts, ...columns } = row
    return {
      version: row.version,
      homework: {
        ...toFields(columns, isOpen),
        course,
        courseCounts,
        lateDays: null,
        own,
        problemIds: shown.map(({ problemId }) => problemId),
        problems: shown.map(({ problemId, problemName }) => ({ problemId, problemName })),
        points: shown.map(({ points }) => points),
        status,
        studentStatus: byName(progress, names),
        marks: byName(
          marksOf(
            marks,
            row,
            progress,
            people.map(({ id }) => id),
          ),
          names,
        ),
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

/**
 * Selects the homeworks that run for a person in courses where they are teacher or member; an admin's other rights do not count.
 */
function selectRunning(user: SessionUser, now: number): SQL {
  const { homeworkId, courseId, userId } = homeworkDates
  return sql`select ${homeworkId} from ${homeworkDates}
    join ${courses} on ${courses.id} = ${courseId} and ${courses.deletedAt} is null and ${courses.closedAt} is null
    where ${userId} = ${user.id} and ${courseId} in (${selectOwnCourses(user, 'course.read')})
      and ${isHomework('running', homeworkDates, now)}`
}

/**
 * The homeworks that run for a person in their courses, by due time. Everyone is treated as a student here, because the list is
 * about their own work.
 * @param now epoch seconds of the server's clock
 */
export async function listRunningHomeworks(
  db: Db,
  user: SessionUser,
  now: number,
): Promise<SentRunningHomework[]> {
  const which = sql`${homeworks.id} in (${selectRunning(user, now)})`
  const read = await readHomeworks(db, { standing: 'student', user, which, progress: 'own', now })
  return read
    .map(({ homework }) => {
      const { markdown: _m, scoreboardStatus: _s, scoreboardNames: _n, ...sent } = homework
      return sent
    })
    .toSorted((left, right) => left.own.due - right.own.due || left.own.closes - right.own.closes)
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
