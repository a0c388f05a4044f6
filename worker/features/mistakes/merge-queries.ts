/** Counts mistakes as one, or as different ones again. */
import { and, eq, sql } from 'drizzle-orm'
import { COUNT_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { mergedMistakes } from '../../db/schema.ts'
import { insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'

const { problemId: ofProblem, mistake, into: target } = mergedMistakes

/** The audit entry of either change. */
function auditOf(
  db: Db,
  { problemId, course }: ProblemAccess,
  change: Change,
  into: string | null,
) {
  return insertAudit(db, change, {
    action: 'problem.mistakes',
    subject: String(problemId),
    detail: { course, into },
  })
}

/** Counts mistakes, and what is merged into them, to `into`, which stands for itself from then on. It is none of the mistakes. */
export async function mergeMistakes(
  db: Db,
  problem: ProblemAccess,
  mistakes: string[],
  into: string,
  change: Change,
): Promise<void> {
  const { problemId } = problem
  const isOfProblem = eq(ofProblem, problemId)
  await db.batch([
    db.delete(mergedMistakes).where(and(isOfProblem, eq(mistake, into))),
    db
      .update(mergedMistakes)
      .set({ into })
      .where(
        and(
          isOfProblem,
          sql`${target} in (select value from json_each(${JSON.stringify(mistakes)}))`,
        ),
      ),
    insertSelect(
      db,
      mergedMistakes,
      { problemId, mistake: sql`value`, into },
      sql`from json_each(${JSON.stringify(mistakes)}) where true
        ${onConflictUpdate(mergedMistakes, [ofProblem, mistake], { into })}`,
    ),
    demand(
      db,
      'too_many_merged',
      sql`(select count(*) from ${mergedMistakes} where ${isOfProblem}) <= ${COUNT_LIMITS.allMergedMistakes}`,
    ),
    auditOf(db, problem, change, into),
  ])
}

/** Lets each of these mistakes stand for itself again. */
export async function separateMistakes(
  db: Db,
  problem: ProblemAccess,
  mistakes: string[],
  change: Change,
): Promise<void> {
  await db.batch([
    db
      .delete(mergedMistakes)
      .where(
        and(
          eq(ofProblem, problem.problemId),
          sql`${mistake} in (select value from json_each(${JSON.stringify(mistakes)}))`,
        ),
      ),
    auditOf(db, problem, change, null),
  ])
}
