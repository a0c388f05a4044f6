/** Copies a problem into another course. */
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { PROBLEM_STATUS } from '#contract/problems'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { problemFiles, problems, subtasks, testDataVersions } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { newestProblemId } from './edit-queries.ts'
import type { ProblemAccess } from './access-queries.ts'

/**
 * Copies a problem with its subtasks, its files and the active test data. The copy is hidden and belongs to the person who made
 * it. Files and test data name the same objects in R2, whose bytes never change.
 * @returns the copy's id
 */
export async function insertCopy(
  db: Db,
  source: ProblemAccess,
  target: CourseStanding,
  change: Change,
): Promise<number> {
  const { actor, now } = change
  const from = source.problemId
  const version = newHexId(Date.now())
  const isThere = sql`exists (select 1 from ${problems} where ${problems.id} = ${from} and ${problems.deletedAt} is null)`
  const [, inserted] = await db.batch([
    demand(db, 'problem_not_found', isThere),
    insertSelect<typeof problems, { id: number }>(
      db,
      problems,
      {
        courseId: target.id,
        name: problems.name,
        status: PROBLEM_STATUS.HIDDEN,
        type: problems.type,
        ownerId: actor.id,
        tags: problems.tags,
        quota: problems.quota,
        allowedLanguage: problems.allowedLanguage,
        description: problems.description,
        compare: problems.compare,
        createdAt: now,
        updatedAt: now,
      },
      sql`from ${problems} where ${problems.id} = ${from} returning ${problems.id}`,
    ),
    insertSelect(
      db,
      subtasks,
      { ...getTableColumns(subtasks), problemId: newestProblemId, becomesSample: false },
      sql`from ${subtasks} where ${subtasks.problemId} = ${from}`,
    ),
    insertSelect(
      db,
      problemFiles,
      { ...getTableColumns(problemFiles), problemId: newestProblemId },
      sql`from ${problemFiles} where ${problemFiles.problemId} = ${from}`,
    ),
    insertSelect(
      db,
      testDataVersions,
      {
        id: version,
        problemId: newestProblemId,
        objectKey: testDataVersions.objectKey,
        sizeBytes: testDataVersions.sizeBytes,
        sha256: testDataVersions.sha256,
        caseCounts: testDataVersions.caseCounts,
        uploaderId: actor.id,
        createdAt: now,
      },
      sql`from ${problems} join ${testDataVersions} on ${testDataVersions.id} = ${problems.testDataVersion}
        where ${problems.id} = ${from}`,
    ),
    db
      .update(problems)
      .set({
        testDataVersion: sql`(select ${testDataVersions.id} from ${testDataVersions}
          where ${testDataVersions.id} = ${version})`,
      })
      .where(eq(problems.id, newestProblemId)),
    insertAudit(db, change, {
      action: 'problem.copy',
      subject: String(from),
      detail: { from: source.course, to: target.name },
    }),
  ])
  const id = inserted[0]?.id
  if (id === undefined) throw new Error('D1 did not return the id of a copy')
  return id
}
