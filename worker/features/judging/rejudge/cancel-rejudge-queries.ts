/** SQL of cancelling a bulk rejudge. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { insertAudit } from '../../../db/audit.ts'
import { rawQuery, type Db } from '../../../db/client.ts'
import { keepingResults } from '../../../db/problem-results.ts'
import { judgements, operations, submissions } from '../../../db/schema.ts'
import type { Change } from '../../../http/change.ts'
import { isOperationLeased, type LeasedOperation } from '../../operations/queries.ts'

/** Judgements taken back in one transaction; also the most that are counted. */
const CHUNK = 100

/** The condition that a judgement of an operation waits for its first host. */
function waits(operationId: string) {
  return sql`${judgements.operationId} = ${operationId} and ${judgements.finishedAt} is null
    and ${judgements.state} = 'queued'`
}

/** The number of judgements of an operation that wait, counted up to a hundred. */
function waitingOf(operationId: string) {
  return sql`(select count(*) from (select 1 from ${judgements} indexed by judgements_operation
    where ${waits(operationId)} limit ${CHUNK}))`
}

/** How many judgements of a bulk rejudge no host has begun, up to a hundred. */
export async function countWaiting(db: Db, operationId: string): Promise<number> {
  const [row] = await rawQuery<{ count: number }>(
    db,
    sql`select ${waitingOf(operationId)} as count`,
  )
  return row?.count ?? 0
}

/** How many judgements of a person's bulk rejudge wait, up to a hundred; undefined if they have started none of this id. */
export async function findOwnRejudge(
  db: Db,
  operationId: string,
  ownerId: number,
): Promise<{ waiting: number } | undefined> {
  const [row] = await rawQuery<{ waiting: number }>(
    db,
    sql`select ${waitingOf(operationId)} as waiting from ${operations} where ${operations.id} = ${operationId}
      and ${operations.kind} = 'rejudge' and ${operations.ownerId} = ${ownerId}`,
  )
  return row
}

/**
 * Turns a bulk rejudge that queues, or has queued what still waits, into one that takes back. Whoever works on it loses their lease.
 * @returns false when it was cancelled before, or nothing waits any more
 */
export async function cancelOperation(
  db: Db,
  operationId: string,
  change: Change,
): Promise<boolean> {
  const isOpen = sql`exists (select 1 from ${operations} where ${operations.id} = ${operationId}
    and ${operations.kind} = 'rejudge' and ${operations.payload} ->> 'takenBack' is null
    and ${operations.result} ->> 'takenBack' is null
    and (${operations.finishedAt} is null
      or exists (select 1 from ${judgements} indexed by judgements_operation where ${waits(operationId)})))`
  const [, cancelled] = await db.batch([
    insertAudit(db, change, {
      action: 'submission.cancel_rejudge',
      subject: operationId,
      detail: { jobId: operationId },
      when: isOpen,
    }),
    db
      .update(operations)
      .set({
        state: 'running',
        payload: sql`json_object('takenBack', 0, 'last', '', 'lostCount',
          coalesce(${operations.payload} ->> 'lostCount', ${operations.result} ->> 'lostCount', 0))`,
        total: operations.done,
        result: null,
        error: null,
        finishedAt: null,
        lease: null,
        leaseUntil: null,
        attempt: 0,
        sentAt: change.now,
      })
      .where(and(eq(operations.id, operationId), isOpen))
      .returning({ id: operations.id }),
  ])
  return cancelled.length > 0
}

/** The next judgements of a bulk rejudge that wait. @param after the last one before */
export async function listWaiting(db: Db, operationId: string, after: string): Promise<string[]> {
  const rows = await rawQuery<{ id: string }>(
    db,
    sql`select ${judgements.id} from ${judgements} indexed by judgements_operation
      where ${waits(operationId)} and ${judgements.id} > ${after} order by ${judgements.id} limit ${CHUNK}`,
  )
  return rows.map((row) => row.id)
}

/** The statement that gives submissions the result again that they had before their present judgement, where there was one. */
export function restoreEarlier(db: Db, which: SQL) {
  return db
    .update(submissions)
    .set({
      status: sql`earlier.status`,
      score: sql`earlier.score`,
      runTimeMs: sql`earlier.run_time_ms`,
      memoryKb: sql`earlier.memory_kb`,
      judgementId: sql`earlier.id`,
    })
    .from(
      sql`${judgements} join ${judgements} earlier on earlier.id = (
        select max(e.id) from ${judgements} e where e.submission_id = ${judgements.submissionId}
          and e.id < ${judgements.id} and e.finished_at is not null and e.status >= 0 and e.preview_id is null)`,
    )
    .where(sql`${which} and ${submissions.judgementId} = ${judgements.id}`)
}

/**
 * Takes judgements back, in one transaction: each submission has the verdict again that it had before. Those that a host has begun
 * meanwhile stay, and those of submissions that were judged again since.
 * @returns how many were taken back
 */
export async function takeBack(
  db: Db,
  ids: string[],
  operation: LeasedOperation,
  now: number,
): Promise<number> {
  const json = JSON.stringify(ids)
  const isNext = sql`${judgements.id} in (select value from json_each(${json})) and ${waits(operation.id)}
    and ${isOperationLeased(operation)}`
  const submissionIds = sql`select ${judgements.submissionId} from json_each(${json}) j
    cross join ${judgements} on ${judgements.id} = j.value`
  const changes = [
    restoreEarlier(db, isNext),
    db
      .update(judgements)
      .set({ state: 'superseded', finishedAt: now, leaseUntil: null })
      .where(
        sql`${isNext} and not exists (select 1 from ${submissions}
            where ${submissions.id} = ${judgements.submissionId} and ${submissions.judgementId} = ${judgements.id})`,
      )
      .returning({ id: judgements.id }),
  ] as const
  const [, , taken] = await db.batch(keepingResults(db, submissionIds, changes))
  return taken.length
}
