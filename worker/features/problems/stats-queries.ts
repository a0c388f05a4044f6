/** The data of a problem's statistics: one row per student of its course. */
import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { isStudent } from '../../db/label-filter.ts'
import { userInfoColumns } from '../../db/people.ts'
import { memberships, problemResults, submissions, users } from '../../db/schema.ts'
import type { ProblemAccess } from './access-queries.ts'

const fastest = alias(submissions, 'fastest')
const leanest = alias(submissions, 'leanest')

/** The number of students, or of those with a label, and the results of those who handed in anything. */
export async function listStudentResults(
  db: Db,
  { problemId, courseId }: ProblemAccess,
  label: number | undefined,
) {
  const isCounted = isStudent(courseId, label)
  const [counts, rows] = await db.batch([
    rawQuery<{ students: number }>(
      db,
      sql`select count(*) as students from ${memberships}
        where ${isCounted}`,
    ),
    db
      .select({
        user: aliasColumns(userInfoColumns(users)),
        ...aliasColumns({
          bestScore: problemResults.bestScore,
          statusCounts: problemResults.statusCounts,
          fastestId: fastest.id,
          fastestRunTimeMs: fastest.runTimeMs,
          fastestMemoryKb: fastest.memoryKb,
          fastestLanguage: fastest.languageType,
          fastestAt: fastest.createdAt,
          leanestId: leanest.id,
          leanestRunTimeMs: leanest.runTimeMs,
          leanestMemoryKb: leanest.memoryKb,
          leanestLanguage: leanest.languageType,
          leanestAt: leanest.createdAt,
        }),
      })
      .from(problemResults)
      .innerJoin(memberships, and(isCounted, eq(memberships.userId, problemResults.userId)))
      .innerJoin(users, eq(users.id, problemResults.userId))
      .leftJoin(fastest, eq(fastest.id, problemResults.fastestId))
      .leftJoin(leanest, eq(leanest.id, problemResults.leanestId))
      .where(eq(problemResults.problemId, problemId)),
  ])
  return { students: counts[0]?.students ?? 0, rows }
}
