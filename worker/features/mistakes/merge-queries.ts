/** Counts mistakes as one, or as different ones again. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { COUNT_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { mergedMistakes } from '../../db/schema.ts'
import { insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'
import { standsFor } from './mistake-queries.ts'

const { problemId: ofProblem, mistake, into: target } = mergedMistakes

/** The audit entry of either change. @param into null: the mistakes are separated */
function auditOf(db: Db, { problemId, course }: ProblemAccess, change: Change, into: SQL | null) {
  return insertAudit(db, change, {
    action: 'problem.mistakes',
    subject: String(problemId),
    detail: sql`json_object('course', ${course}, 'into', ${into})`,
  })
}

/**
 * Counts mistakes, and what is merged into them, to the mistake that stands for the group of `into`. Where that is one of the mistakes, `into`
 * stands for itself from then on. It is none of the mistakes.
 */
export async function mergeMistakes(
  db: Db,
  problem: ProblemAccess,
  mistakes: string[],
  into: string,
  change: Change,
): Promise<void> {
  const { problemId } = problem
  const isOfProblem = eq(ofProblem, problemId)
  const these = sql`(select value from json_each(${JSON.stringify(mistakes)}))`
  // Someone else may have merged it since the page was read.
  const standing = standsFor(problemId, into)
  await db.batch([
    db
      .delete(mergedMistakes)
      .where(and(isOfProblem, eq(mistake, into), sql`${target} in ${these}`)),
    db
      .update(mergedMistakes)
      .set({ into: standing })
      .where(and(isOfProblem, sql`${target} in ${these}`)),
    insertSelect(
      db,
      mergedMistakes,
      { problemId, mistake: sql`value`, into: standing },
      sql`from json_each(${JSON.stringify(mistakes)}) where true
        ${onConflictUpdate(mergedMistakes, [ofProblem, mistake], { into: standing })}`,
    ),
    demand(
      db,
      'too_many_merged',
      sql`(select count(*) from ${mergedMistakes} where ${isOfProblem}) <= ${COUNT_LIMITS.mergedMistakes}`,
    ),
    auditOf(db, problem, change, standing),
  ])
}

/** Lets each of these mistakes stand for itself again. @returns all mistakes of the groups that they were in */
export async function separateMistakes(
  db: Db,
  problem: ProblemAccess,
  mistakes: string[],
  change: Change,
): Promise<string[]> {
  const isOfProblem = eq(ofProblem, problem.problemId)
  const isSeparated = and(
    isOfProblem,
    sql`${mistake} in (select value from json_each(${JSON.stringify(mistakes)}))`,
  )
  const standing = sql`select ${target} as mistake from ${mergedMistakes} where ${isSeparated}`
  const [members] = await db.batch([
    rawQuery<{ mistake: string }>(
      db,
      sql`${standing} union select ${mistake} as mistake from ${mergedMistakes}
        where ${isOfProblem} and ${target} in (${standing})`,
    ),
    db.delete(mergedMistakes).where(isSeparated),
    auditOf(db, problem, change, null),
  ])
  return members.map((member) => member.mistake)
}
