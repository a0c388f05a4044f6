/** Operations as rows: started, taken, moved on, ended. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { OperationKind } from '#contract/operations'
import { OPERATIONS, SWEEP } from '#contract/limits'
import { execute, type Db } from '../../db/client.ts'
import { operations } from '../../db/schema.ts'
import { hexIdAt, newSecret } from '../../lib/ids.ts'

export type OperationRow = typeof operations.$inferSelect

/** An operation about to start. `total` may be a subquery that counts; `now` in epoch seconds. */
interface NewOperation {
  id: string
  kind: OperationKind
  ownerId: number
  total: number | SQL
  /** What the kind's step needs; no secrets. */
  payload: unknown
  now: number
}

/**
 * The statement that starts an operation, for the batch that also writes the audit entry; gives the total.
 * @param when for operations that may turn out not to start within the batch
 */
export function insertOperation(
  db: Db,
  { id, kind, ownerId, total, payload, now }: NewOperation,
  when: SQL = sql`true`,
) {
  return execute<{ total: number }>(
    db,
    sql`insert into ${operations} (id, kind, state, total, owner_id, payload, sent_at, created_at)
      select ${id}, ${kind}, 'running', (${total}), ${ownerId}, ${JSON.stringify(payload)}, ${now}, ${now}
      where ${when} returning total`,
  )
}

/** An operation of this person. */
export async function getOwnOperation(
  db: Db,
  id: string,
  ownerId: number,
): Promise<OperationRow | undefined> {
  return db
    .select()
    .from(operations)
    .where(and(eq(operations.id, id), eq(operations.ownerId, ownerId)))
    .get()
}

/** An operation whose lease this consumer holds. */
export type TakenOperation = OperationRow & { lease: string }

/** Takes an operation unless it is over or somebody else is at it. */
export async function takeOperation(
  db: Db,
  id: string,
  now: number,
): Promise<TakenOperation | undefined> {
  const lease = newSecret()
  const [row] = await db
    .update(operations)
    .set({ lease, leaseUntil: now + OPERATIONS.leaseSeconds, attempt: sql`attempt + 1` })
    .where(
      and(
        eq(operations.id, id),
        isNull(operations.finishedAt),
        sql`(lease_until is null or lease_until < ${now})`,
      ),
    )
    .returning()
  return row && { ...row, lease }
}

/** The row while its lease still holds. */
function isHeld(operation: TakenOperation) {
  return and(
    eq(operations.id, operation.id),
    eq(operations.lease, operation.lease),
    isNull(operations.finishedAt),
  )
}

/** Condition for writes that only the holder of the operation may make. */
export function stillHeld(operation: TakenOperation): SQL {
  return sql`exists (select 1 from jobs held where held.id = ${operation.id} and held.lease = ${operation.lease}
    and held.finished_at is null)`
}

/** How far an operation has come. `payload` is what the next chunk starts from. */
export interface OperationProgress {
  done: number
  total: number
  payload: unknown
}

/** The statement that notes progress and keeps the lease; alone or in the batch of the chunk's own writes. */
export function updateOperation(
  db: Db,
  operation: TakenOperation,
  progress: OperationProgress,
  now: number,
) {
  return db
    .update(operations)
    .set({ ...progress, attempt: 0, leaseUntil: now + OPERATIONS.leaseSeconds })
    .where(isHeld(operation))
    .returning({ id: operations.id })
}

/** The statement that ends an operation well; put it into the batch of the last writes, so that both happen or neither. */
export function finishOperation(db: Db, operation: TakenOperation, result: unknown, now: number) {
  return db
    .update(operations)
    .set({
      state: 'done',
      result,
      // Nobody needs it any more, and it may hold the key to something.
      payload: {},
      done: sql`total`,
      finishedAt: now,
      lease: null,
      leaseUntil: null,
    })
    .where(isHeld(operation))
    .returning({ id: operations.id })
}

/** Ends an operation badly. `error` is shown to who started it. */
export async function failOperation(
  db: Db,
  operation: TakenOperation,
  error: string,
  now: number,
): Promise<void> {
  await db
    .update(operations)
    .set({ state: 'failed', error, payload: {}, finishedAt: now, lease: null, leaseUntil: null })
    .where(isHeld(operation))
}

/** Gives an operation back so that the next message can take it at once. */
export async function releaseOperation(
  db: Db,
  operation: TakenOperation,
  now: number,
): Promise<void> {
  await db
    .update(operations)
    .set({ lease: null, leaseUntil: null, sentAt: now })
    .where(isHeld(operation))
}

/** Forgets operations that ended and were started before a moment (epoch seconds), the oldest first; for the sweeper. */
export async function deleteOldOperations(db: Db, before: number): Promise<void> {
  await execute(
    db,
    sql`delete from ${operations} where id in (select id from jobs
      where id < ${hexIdAt(before * 1000)} and finished_at is not null order by id limit ${SWEEP.rows})`,
  )
}

/** Open operations that nobody works on and whose last message is old: notes the new one and gives their ids. */
export async function takeStalledOperations(db: Db, now: number): Promise<string[]> {
  const rows = await execute<{ id: string }>(
    db,
    sql`update ${operations} set sent_at = ${now}
      where id in (select id from jobs where finished_at is null and sent_at < ${now - OPERATIONS.stalledSeconds}
        and (lease_until is null or lease_until < ${now}) order by sent_at limit 100)
      returning id`,
  )
  return rows.map((row) => row.id)
}
