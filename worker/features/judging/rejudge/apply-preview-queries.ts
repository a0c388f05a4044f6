/** SQL of applying a preview: its judgements become current ones. */
import { and, eq, sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../../db/client.ts'
import { keepingResults } from '../../../db/problem-results.ts'
import { judgements, problems, submissions } from '../../../db/schema.ts'
import { isOperationLeased, type LeasedOperation } from '../../operations/queries.ts'
import { PREVIEW_CHUNK, isApplicable, isLive, isNewest } from './preview-queries.ts'

/** Whether a preview is its problem's, and the problem has not changed since it began. */
export async function isPreviewLive(db: Db, previewId: string): Promise<boolean> {
  const [row] = await rawQuery<{ live: number }>(db, sql`select ${isLive(previewId)} as live`)
  return row?.live === 1
}

/** The next judgements of a preview to apply; none once it is not its problem's any more, or outdated. */
export async function listApplicable(db: Db, previewId: string): Promise<string[]> {
  const rows = await rawQuery<{ id: string }>(
    db,
    sql`select ${judgements.id} from ${judgements} indexed by judgements_preview
      where ${judgements.previewId} = ${previewId} and ${isApplicable} and ${isLive(previewId)}
      limit ${PREVIEW_CHUNK}`,
  )
  return rows.map((row) => row.id)
}

/**
 * Makes judgements of a preview current, in one transaction. Those of submissions that were judged again
 * meanwhile go. Repeating it changes nothing.
 */
export async function applyJudgements(db: Db, ids: string[], previewId: string): Promise<void> {
  const json = JSON.stringify(ids)
  // The plus keeps SQLite from reading the whole preview for a hundred of its judgements.
  const isNext = sql`${judgements.id} in (select value from json_each(${json}))
    and +${judgements.previewId} = ${previewId} and ${isLive(previewId)}`
  const submissionIds = sql`select ${judgements.submissionId} from json_each(${json}) p
    cross join ${judgements} on ${judgements.id} = p.value`
  await db.batch([
    ...keepingResults(db, submissionIds, [
      db
        .update(submissions)
        .set({
          status: judgements.status,
          score: judgements.score,
          runTimeMs: judgements.runTimeMs,
          memoryKb: judgements.memoryKb,
          judgementId: judgements.id,
        })
        .from(judgements)
        .where(sql`${isNext} and ${submissions.id} = ${judgements.submissionId} and ${isNewest}`),
      db
        .update(judgements)
        .set({ previewId: null })
        .where(
          sql`${isNext} and exists (select 1 from ${submissions}
            where ${submissions.id} = ${judgements.submissionId} and ${submissions.judgementId} = ${judgements.id})`,
        ),
    ]),
    db.delete(judgements).where(isNext),
  ])
}

/** The statement that ends a preview for the operation that has applied it. */
export function endPreview(db: Db, previewId: string, operation: LeasedOperation) {
  return db
    .update(problems)
    .set({ previewId: null })
    .where(and(eq(problems.previewId, previewId), isOperationLeased(operation)))
}
