/** Homeworks of a course, with what everyone has reached. */
import { and, asc, desc, eq, gte, ne } from 'drizzle-orm'
import { homeworkStatusAt, type Homework, type NewHomework } from '#contract/homeworks'
import { can } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { named, type Db } from '../../db/client.ts'
import { homeworkProblems, homeworks, problems, submissions, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { newHexId } from '../../lib/ids.ts'
import { toStudentStatus } from './student-status.ts'

/**
 * A course's homeworks, newest start first. Students get their own progress, staff everyone's.
 * @param now epoch seconds of the server's clock
 */
export async function listHomeworks(
  db: Db,
  course: CourseStanding,
  user: SessionUser,
  now: number,
): Promise<Homework[]> {
  const seesAll = can(course.standing, 'submission.readAll')
  const [rows, contents, results] = await db.batch([
    db
      .select()
      .from(homeworks)
      .where(eq(homeworks.courseId, course.id))
      .orderBy(desc(homeworks.startAt)),
    db
      .select({ homeworkId: homeworkProblems.homeworkId, problemId: homeworkProblems.problemId })
      .from(homeworkProblems)
      .innerJoin(homeworks, eq(homeworks.id, homeworkProblems.homeworkId))
      .where(eq(homeworks.courseId, course.id))
      .orderBy(asc(homeworkProblems.position)),
    db
      .select({
        ...named({
          homeworkId: homeworks.id,
          endAt: homeworks.endAt,
          username: users.username,
          problemId: submissions.problemId,
          submissionId: submissions.id,
          status: submissions.status,
          score: submissions.score,
          acceptedAt: submissions.acceptedAt,
        }),
      })
      .from(homeworks)
      .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
      .innerJoin(submissions, eq(submissions.problemId, homeworkProblems.problemId))
      .innerJoin(users, eq(users.id, submissions.userId))
      .where(
        and(
          eq(homeworks.courseId, course.id),
          ne(submissions.status, -2),
          gte(submissions.acceptedAt, homeworks.startAt),
          seesAll ? undefined : eq(submissions.userId, user.id),
        ),
      )
      .orderBy(asc(submissions.id)),
  ])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    course: course.name,
    start: row.startAt,
    end: row.endAt,
    markdown: row.markdown,
    scoreboardStatus: row.scoreboardStatus,
    status: homeworkStatusAt({ start: row.startAt, end: row.endAt }, now),
    problemIds: contents
      .filter(({ homeworkId }) => homeworkId === row.id)
      .map(({ problemId }) => problemId),
    studentStatus: toStudentStatus(results.filter(({ homeworkId }) => homeworkId === row.id)),
  }))
}

/** Creates a homework and gives its id. Its problems must belong to the course. */
export async function insertHomework(
  db: Db,
  course: CourseStanding,
  form: NewHomework,
  { actor, ip, now }: Change,
): Promise<string> {
  const [known, sameName] = await db.batch([
    db.select({ id: problems.id }).from(problems).where(eq(problems.courseId, course.id)),
    db
      .select({ id: homeworks.id })
      .from(homeworks)
      .where(and(eq(homeworks.courseId, course.id), eq(homeworks.name, form.name))),
  ])
  const ids = new Set(known.map(({ id }) => id))
  const unknown = form.problemIds.filter((id) => !ids.has(id))
  if (unknown.length > 0) throw new AppError('problem_not_found', { unknown })
  if (sameName.length > 0) throw new AppError('homework_exists')
  const id = newHexId(now * 1000)
  await db.batch([
    db.insert(homeworks).values({
      id,
      courseId: course.id,
      name: form.name,
      markdown: form.markdown ?? '',
      startAt: form.start,
      endAt: form.end,
      scoreboardStatus: form.scoreboardStatus ?? 0,
      createdAt: now,
      updatedAt: now,
    }),
    ...form.problemIds.map((problemId, position) =>
      db.insert(homeworkProblems).values({ homeworkId: id, problemId, position }),
    ),
    insertAudit(db, {
      actorId: actor.id,
      action: 'homework.create',
      subject: id,
      detail: { course: course.name },
      ip,
      now,
    }),
  ])
  return id
}
