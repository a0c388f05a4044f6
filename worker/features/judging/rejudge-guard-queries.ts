/** Where a bulk rejudge may reach: a homework's problems, one problem, the courses somebody is staff of. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Standing } from '#contract/roles'
import { execute, type Db } from '../../db/client.ts'
import { courses, homeworks, memberships } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'

/** A homework as far as rejudging goes: its problems, and when its submissions begin (epoch seconds). */
interface RejudgedHomework {
  homeworkId: string
  standing: Standing
  startAt: number
  problemIds: number[]
}

/** The homework to rejudge, whoever asks. */
export async function findRejudgedHomework(
  db: Db,
  user: SessionUser,
  homeworkId: string,
): Promise<RejudgedHomework | undefined> {
  return db
    .select({
      homeworkId: homeworks.id,
      standing: standingOf(user),
      startAt: homeworks.startAt,
      problemIds: sql<number[]>`(select json_group_array(hp.problem_id) from homework_problems hp
        where hp.homework_id = ${homeworks.id})`.mapWith((json: string): number[] =>
        JSON.parse(json),
      ),
    })
    .from(homeworks)
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(homeworks.id, homeworkId), isNull(courses.deletedAt)))
    .get()
}

/** The courses somebody is staff of; an admin is of all. With `problemId`, the one among them that holds it. */
export async function listStaffCourses(
  db: Db,
  user: SessionUser,
  problemId: number | null = null,
): Promise<{ courseIds: number[]; holdsProblem: boolean; hasTestData: boolean }> {
  const rows = await execute<{ id: number; hasTestData: 0 | 1 | null }>(
    db,
    sql`select c.id as id,
        (select p.test_data_version is not null from problems p
          where p.id = ${problemId} and p.course_id = c.id and p.deleted_at is null) as hasTestData
      from courses c
      where c.deleted_at is null and c.id in (${
        user.role === 0
          ? sql`select id from courses`
          : sql`select id from courses where teacher_id = ${user.id} and ${user.role} < 2
            union select course_id from memberships where user_id = ${user.id} and role = 'ta'`
      })`,
  )
  return {
    courseIds: rows.map((row) => row.id),
    holdsProblem: rows.some((row) => row.hasTestData !== null),
    hasTestData: rows.some((row) => row.hasTestData === 1),
  }
}
