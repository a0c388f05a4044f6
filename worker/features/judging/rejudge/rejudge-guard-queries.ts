/** Where a bulk rejudge may reach: a homework's problems, one problem, the courses where somebody may rejudge. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { roleCan, type Standing } from '#contract/roles'
import { rawQuery, type Db } from '../../../db/client.ts'
import { courses, homeworkProblems, homeworks, memberships, problems } from '../../../db/schema.ts'
import type { SessionUser } from '../../../db/sessions.ts'
import { ownMembership, selectOwnCourses, standingOf } from '../../../db/standing.ts'

/** A homework as far as rejudging goes: its problems, and when its submissions begin (epoch seconds). */
interface RejudgedHomework {
  homeworkId: string
  courseId: number
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
      courseId: courses.id,
      standing: standingOf(user),
      startAt: homeworks.startAt,
      problemIds: sql<
        number[]
      >`(select json_group_array(${homeworkProblems.problemId}) from ${homeworkProblems}
        where ${homeworkProblems.homeworkId} = ${homeworks.id})`.mapWith((json: string): number[] =>
        JSON.parse(json),
      ),
    })
    .from(homeworks)
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(homeworks.id, homeworkId), isNull(courses.deletedAt)))
    .get()
}

/** The courses where somebody may rejudge; an admin may in all. With `problemId`, the one among them that holds it. */
export async function listRejudgedCourses(
  db: Db,
  user: SessionUser,
  problemId: number | null = null,
): Promise<{ courseIds: number[]; holder?: { courseId: number; hasTestData: boolean } }> {
  const rows = await rawQuery<{ id: number; hasTestData: 0 | 1 | null }>(
    db,
    sql`select ${courses.id} as id,
        (select ${problems.testDataVersion} is not null from ${problems}
          where ${problems.id} = ${problemId} and ${problems.courseId} = ${courses.id}
            and ${problems.deletedAt} is null) as hasTestData
      from ${courses}
      where ${courses.deletedAt} is null and ${courses.id} in (${
        roleCan(user.role, 'submission.rejudge')
          ? sql`select ${courses.id} from ${courses}`
          : selectOwnCourses(user, 'submission.rejudge')
      })`,
  )
  const holder = rows.find((row) => row.hasTestData !== null)
  return {
    courseIds: rows.map((row) => row.id),
    ...(holder && { holder: { courseId: holder.id, hasTestData: holder.hasTestData === 1 } }),
  }
}
