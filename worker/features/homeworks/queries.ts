/** Reading homeworks, with what everyone has reached. */
import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { homeworkStatusAt, type Homework } from '#contract/homeworks'
import { CLAIMED_SUBMISSION_SECONDS } from '#contract/limits'
import { can, type Standing } from '#contract/roles'
import { STATUS } from '#contract/verdicts'
import { execute, type Db } from '../../db/client.ts'
import { courses, homeworkProblems, homeworks, memberships, problems } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { visibleTo } from '../../db/visibility.ts'
import { toStudentStatus, type HomeworkSubmission } from './student-status.ts'

/** A homework's place: its course and the caller's standing there. */
export interface HomeworkPlace {
  homeworkId: string
  courseId: number
  course: string
  standing: Standing
}

/** Where a homework is and what the caller is there. */
export async function findHomeworkPlace(
  db: Db,
  user: SessionUser,
  homeworkId: string,
): Promise<HomeworkPlace | undefined> {
  return db
    .select({
      homeworkId: homeworks.id,
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
interface Reading {
  course: string
  standing: Standing
  user: SessionUser
  /** Condition on `homeworks`. */
  which: SQL
  now: number
}

/** The problems of the homeworks that the caller may see. */
function selectProblems(db: Db, { standing, which, now }: Reading) {
  return db
    .select({
      homeworkId: homeworkProblems.homeworkId,
      problemId: homeworkProblems.problemId,
      position: homeworkProblems.position,
    })
    .from(homeworks)
    .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
    .innerJoin(problems, eq(problems.id, homeworkProblems.problemId))
    .where(and(which, visibleTo(standing, now)))
}

/**
 * The submissions to the problems of the homeworks since each began. Ids are ordered by time, so that the
 * bound on the id, ten minutes earlier because a two-step submission is older than its code, keeps
 * older ones out by the index; for one person it is the index of their submissions to each problem. `cross join`
 * keeps this order (SQLite never reorders it); else all that a person ever handed in might be read.
 */
function selectSubmissions(db: Db, { standing, user, which }: Reading) {
  const firstId = sql`printf('%012x', (homeworks.start_at - ${CLAIMED_SUBMISSION_SECONDS}) * 1000)`
  const whose = can(standing, 'submission.readAll') ? sql`1` : sql`s.user_id = ${user.id}`
  return execute<HomeworkSubmission & { homeworkId: string }>(
    db,
    sql`select homeworks.id as homeworkId, homeworks.end_at as endAt, u.username as username,
      s.problem_id as problemId, s.id as submissionId, s.status as status, s.score as score,
      s.accepted_at as acceptedAt
    from homeworks
      cross join homework_problems hp on hp.homework_id = homeworks.id
      cross join submissions s on s.problem_id = hp.problem_id and s.id >= ${firstId} and ${whose}
      join users u on u.id = s.user_id
    where ${which} and s.status <> ${STATUS.CLAIMED} and s.accepted_at >= homeworks.start_at`,
  )
}

/** Reads homeworks in one round trip, newest start first, each with the version its edits are checked against. */
async function readHomeworks(
  db: Db,
  reading: Reading,
): Promise<{ homework: Homework; version: number }[]> {
  const { course, standing, which, now } = reading
  const [rows, contents, submissions] = await db.batch([
    db.select().from(homeworks).where(which).orderBy(desc(homeworks.startAt)),
    selectProblems(db, reading),
    selectSubmissions(db, reading),
  ])
  const inOrder = contents.toSorted((left, right) => left.position - right.position)
  const problemIds = Map.groupBy(inOrder, (row) => row.homeworkId)
  const byHomework = Map.groupBy(submissions, (row) => row.homeworkId)
  return rows.map((row) => {
    const status = homeworkStatusAt({ start: row.startAt, end: row.endAt }, now)
    const isOpen = status !== 'not-started' || can(standing, 'problem.readHidden')
    const shown = isOpen ? (problemIds.get(row.id) ?? []).map(({ problemId }) => problemId) : []
    return {
      version: row.version,
      homework: {
        id: row.id,
        name: row.name,
        course,
        start: row.startAt,
        end: row.endAt,
        markdown: isOpen ? row.markdown : '',
        problemIds: shown,
        scoreboardStatus: row.scoreboardStatus,
        status,
        studentStatus: toStudentStatus(
          (byHomework.get(row.id) ?? []).filter(({ problemId }) => shown.includes(problemId)),
        ),
      },
    }
  })
}

/**
 * A course's homeworks, newest start first. Students get their own progress, staff everyone's.
 * @param now epoch seconds of the server's clock
 */
export async function listHomeworks(
  db: Db,
  course: { id: number; name: string; standing: Standing },
  user: SessionUser,
  now: number,
): Promise<Homework[]> {
  const which = eq(homeworks.courseId, course.id)
  const { name, standing } = course
  const read = await readHomeworks(db, { course: name, standing, user, which, now })
  return read.map(({ homework }) => homework)
}

/** One homework, if it is still there. */
export async function getHomework(
  db: Db,
  { homeworkId, course, standing }: HomeworkPlace,
  user: SessionUser,
  now: number,
): Promise<{ homework: Homework; version: number } | undefined> {
  const which = eq(homeworks.id, homeworkId)
  return (await readHomeworks(db, { course, standing, user, which, now }))[0]
}
