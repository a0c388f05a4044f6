/** Copies problems into another course. */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import { PROBLEM_STATUS } from '#contract/problems'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import {
  ASIDE,
  hints,
  mergedMistakes,
  problemFiles,
  problems,
  subtasks,
  testDataVersions,
} from '../../db/schema.ts'
import { inlineNumber, insertSelect } from '../../db/statements.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { newestProblemId } from './edit-queries.ts'
import type { ProblemAccess } from './access-queries.ts'

/**
 * Selects problems and their copies (`id`, `copy_id`) for later statements of the batch that copies them. The copies have the newest
 * ids, in the order of the problems.
 */
export function selectCopies(which: SQL | undefined): SQL {
  return sql`select ${problems.id} as id,
      ${newestProblemId} - count(*) over () + row_number() over (order by ${problems.id}) as copy_id
    from ${problems} where ${which}`
}

/** A new id in SQL for each row, as `newHexId` makes them. */
export function hexIdOfRow(nowMs: number | SQL): SQL<string> {
  const time = typeof nowMs === 'number' ? sql`${hexIdAt(nowMs)}` : sql`printf('%012x', ${nowMs})`
  return sql<string>`${time} || lower(hex(randomblob(6)))`
}

/** The time of a copied hint: that of the copy, which has none, for a hint that shows, and another one for a hint that was set aside. */
const copiedHintTime = sql`iif(${hints.judgingChangedAtMs} is ${problems.judgingChangedAtMs}, null, ${inlineNumber(ASIDE)})`

/**
 * The statements that copy problems with their subtasks, their files, the active test data and their hints. The copies belong to the person who
 * makes them. Files and test data name the same objects in R2, whose bytes never change.
 * @param which condition on `problems`; it must not hold for the copies
 * @param into the course, and who sees the copies; undefined: those who see the problems
 */
export function copyProblems(
  db: Db,
  which: SQL | undefined,
  into: { courseId: number | SQL; status?: typeof problems.$inferSelect.status },
  { actor, now }: Change,
) {
  const copies = sql`(${selectCopies(which)}) copies`
  const { id: _, ...hint } = getTableColumns(hints)
  return [
    insertSelect<typeof problems, { id: number }>(
      db,
      problems,
      {
        courseId: into.courseId,
        name: problems.name,
        status: into.status ?? problems.status,
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
      sql`from ${problems} where ${which} order by ${problems.id} returning ${problems.id}`,
    ),
    insertSelect(
      db,
      subtasks,
      { ...getTableColumns(subtasks), problemId: sql`copy_id`, becomesSample: false },
      sql`from ${copies} join ${subtasks} on ${subtasks.problemId} = copies.id`,
    ),
    insertSelect(
      db,
      problemFiles,
      { ...getTableColumns(problemFiles), problemId: sql`copy_id` },
      sql`from ${copies} join ${problemFiles} on ${problemFiles.problemId} = copies.id`,
    ),
    insertSelect(
      db,
      testDataVersions,
      {
        id: hexIdOfRow(Date.now()),
        problemId: sql`copy_id`,
        objectKey: testDataVersions.objectKey,
        sizeBytes: testDataVersions.sizeBytes,
        sha256: testDataVersions.sha256,
        caseCounts: testDataVersions.caseCounts,
        uploaderId: actor.id,
        createdAt: now,
      },
      sql`from ${copies} join ${problems} on ${problems.id} = copies.id
        join ${testDataVersions} on ${testDataVersions.id} = ${problems.testDataVersion}`,
    ),
    db
      .update(problems)
      .set({
        testDataVersion: sql`(select ${testDataVersions.id} from ${testDataVersions}
          where ${testDataVersions.problemId} = ${problems.id})`,
      })
      .where(sql`${problems.id} in (select copy_id from ${copies})`),
    insertSelect(
      db,
      hints,
      {
        ...hint,
        problemId: sql`copy_id`,
        authorId: actor.id,
        updatedAt: now,
        judgingChangedAtMs: copiedHintTime,
      },
      sql`from ${copies} join ${problems} on ${problems.id} = copies.id
        join ${hints} on ${hints.problemId} = copies.id order by ${hints.id}`,
    ),
    insertSelect(
      db,
      mergedMistakes,
      { ...getTableColumns(mergedMistakes), problemId: sql`copy_id` },
      sql`from ${copies} join ${mergedMistakes} on ${mergedMistakes.problemId} = copies.id`,
    ),
  ] as const
}

/**
 * Copies a problem into another course, where it is hidden.
 * @returns the copy's id
 */
export async function insertCopy(
  db: Db,
  source: ProblemAccess,
  target: CourseStanding,
  change: Change,
): Promise<number> {
  const from = source.problemId
  const which = and(eq(problems.id, from), isNull(problems.deletedAt))
  const into = { courseId: target.id, status: PROBLEM_STATUS.HIDDEN }
  const [, inserted] = await db.batch([
    demand(db, 'problem_not_found', sql`exists (select 1 from ${problems} where ${which})`),
    ...copyProblems(db, which, into, change),
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
