/** Reads homeworks with the progress of their students. */
import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import {
  homeworkStatusAt,
  type HomeworkProgress,
  type SentHomework,
  type SentRunningHomework,
} from '#contract/homeworks'
import { can, type Standing } from '#contract/roles'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { lastClosing } from '../../db/homework-status.ts'
import { courses, homeworkDates, homeworks, memberships } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, selectOwnCourses, standingOf } from '../../db/standing.ts'
import { GradebookReader, selectHomeworkSettings, selectUnshown } from './gradebook-queries.ts'
import { selectAsked } from './late-day-queries.ts'
import { LateDaysReader, ruleOf } from './late-days.ts'
import { MarksReader } from './marks.ts'
import type { Whose } from './own-dates.ts'
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
  'scoreboardStatus' | 'scoreboardNames' | 'budgetId'
> {
  /** The dates of the caller. */
  opens: number
  closes: number
  homeworkId: string
  courseId: number
  course: string
  timeZone: string
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
        budgetId: homeworks.budgetId,
        courseId: courses.id,
        course: courses.name,
        timeZone: courses.timeZone,
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

/** The condition on `homeworks` for one and those that share its late days, which decide together where days are used. */
export function withItsBudget({ homeworkId, budgetId }: HomeworkAccess): SQL {
  const isThis = eq(homeworks.id, homeworkId)
  return budgetId === null ? isThis : sql`(${or(isThis, eq(homeworks.budgetId, budgetId))})`
}

/** A homework as it is sent, with the version its edits are checked against. */
interface ReadHomework {
  homework: SentHomework
  version: number
}

/**
 * Reads homeworks, in no order.
 * @param only the id of the one that is answered; the others share its late days
 */
async function readHomeworks(db: Db, reading: Reading, only?: string): Promise<ReadHomework[]> {
  const { standing, now, user, which } = reading
  // Staff see all marks.
  const hiding = can(standing, 'gradebook.read') ? { ...reading, which: sql`0` } : reading
  const [rows, contents, attempts, members, asked, settings, unshown, ...stored] = await db.batch([
    selectHomeworks(db, reading),
    selectProblems(db, reading),
    selectAttempts(db, reading),
    selectMembers(db, reading),
    selectAsked(db, which, reading.progress),
    selectHomeworkSettings(db, reading),
    selectUnshown(db, hiding),
    ...selectMarks(db, reading),
  ])
  const marks = new MarksReader(...stored)
  const gradebook = new GradebookReader(settings, unshown)
  const lateDays = new LateDaysReader(marks, rows, contents, asked)
  for (const row of attempts) lateDays.take(row)
  const isMeant = (id: string) => only === undefined || id === only
  const found = [...attempts, ...marks.rows].filter(({ homeworkId }) => isMeant(homeworkId))
  const names = await completeNames(db, user, members, found)
  const inOrder = contents.toSorted((left, right) => left.position - right.position)
  const shownOf = Map.groupBy(
    inOrder.filter(({ isShown }) => isShown),
    (row) => row.homeworkId,
  )
  const attemptsOf = Map.groupBy(attempts, (row) => row.homeworkId)
  const students = members.filter(({ courseRole }) => can(courseRole, 'scoreboard.appear'))
  const people = (reading.progress === 'all' ? students : [user]).map(({ id }) => id)
  return rows
    .filter(({ id }) => isMeant(id))
    .map((row) => {
      const own = lateDays.ownDatesOf(row, can(standing, 'submission.readAll') ? null : user.id)
      const status = homeworkStatusAt(own, now)
      const isOpen = status !== 'not-started' || can(standing, 'problem.readHidden')
      const shown = isOpen ? (shownOf.get(row.id) ?? []) : []
      const read = { marks, lateDays, gradebook, homework: row }
      const progress = readProgress(read, shown, attemptsOf.get(row.id) ?? [])
      const { course, courseCounts, rule: _, ...columns } = row
      return {
        version: row.version,
        homework: {
          ...toFields(columns, isOpen),
          course,
          courseCounts,
          lateDays: ruleOf(row),
          own,
          problemIds: shown.map(({ problemId }) => problemId),
          problems: shown.map(({ problemId, problemName }) => ({ problemId, problemName })),
          points: shown.map(({ points }) => points),
          status,
          studentStatus: byName(progress, names),
          marks: byName(marksOf(read, progress, people), names),
        },
      }
    })
}

/** Whose progress a caller sees: students see their own; staff see everyone's unless they ask for their own. */
export function progressFor(
  standing: Standing,
  { id }: SessionUser,
  asked: HomeworkProgress = 'all',
): Whose {
  return can(standing, 'submission.readAll') && asked === 'all' ? 'all' : sql`(${id})`
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
  const progress = progressFor(standing, user, asked)
  const read = await readHomeworks(db, { standing, user, which, progress, now })
  return read
    .map(({ homework }) => homework)
    .toSorted((left, right) => right.start - left.start || (left.id < right.id ? 1 : -1))
}

/**
 * Selects the homeworks that run for a person in courses where they are teacher or member, or may run with late days. An admin's other rights do not count.
 */
function selectRunning(db: Db, user: SessionUser, now: number) {
  const { homeworkId: id, courseId, budgetId, userId, opens } = homeworkDates
  return rawQuery<{ id: string; budgetId: number | null }>(
    db,
    sql`select ${id} as id, ${budgetId} as budgetId from ${homeworkDates}
      join ${courses} on ${courses.id} = ${courseId} and ${courses.deletedAt} is null and ${courses.closedAt} is null
      where ${userId} = ${user.id} and ${courseId} in (${selectOwnCourses(user, 'course.read')})
        and ${opens} <= ${now} and ${lastClosing} >= ${now}`,
  )
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
  // A round trip of its own: as a condition, it would be worked out again in each statement of the next one.
  const running = await selectRunning(db, user, now)
  if (running.length === 0) return []
  const ids = JSON.stringify(running.map(({ id }) => id))
  const budgets = JSON.stringify(running.flatMap(({ budgetId }) => budgetId ?? []))
  const which = sql`(${homeworks.id} in (select value from json_each(${ids}))
    or ${homeworks.budgetId} in (select value from json_each(${budgets})))`
  const progress = progressFor('student', user)
  const read = await readHomeworks(db, { standing: 'student', user, which, progress, now })
  return read
    .filter(({ homework }) => homework.status === 'running')
    .map(({ homework }) => {
      const { markdown: _m, scoreboardStatus: _s, scoreboardNames: _n, ...sent } = homework
      return sent
    })
    .toSorted((left, right) => left.own.due - right.own.due || left.own.closes - right.own.closes)
}

/** One homework; undefined if it no longer exists. */
export async function getHomework(
  db: Db,
  access: HomeworkAccess,
  user: SessionUser,
  now: number,
): Promise<ReadHomework | undefined> {
  const { homeworkId, standing } = access
  const [which, progress] = [withItsBudget(access), progressFor(standing, user)]
  return (await readHomeworks(db, { standing, user, which, progress, now }, homeworkId))[0]
}
