/** What a person may rejudge: a homework's problems, one problem, or all courses where they are staff. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { roleCan, type Standing } from '#contract/roles'
import { rawQuery, type Db } from '../../../db/client.ts'
import { courses, homeworkProblems, homeworks, memberships, problems } from '../../../db/schema.ts'
import type { SessionUser } from '../../../db/sessions.ts'
import { ownMembership, selectOwnCourses, standingOf } from '../../../db/standing.ts'

/** What rejudging needs of a homework: its problems, and from when its submissions count (epoch seconds). */
interface RejudgedHomework {
  homeworkId: string
  courseId: number
  standing: Standing
  startAt: number
  problemIds: number[]
}

/** The homework to rejudge, with the caller's standing. Callers without any right also find it. */
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

/** The courses where a person may rejudge; for an admin all courses. With `problemId`, also which of these courses has the problem. */
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
