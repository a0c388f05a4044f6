/** Operations as rows of the table `jobs`. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { OperationKind } from '#contract/operations'
import { rawQuery, type Db } from '../../db/client.ts'
import { SWEEP } from '../../db/retention.ts'
import { operations } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import { hexIdAt, newSecret } from '../../lib/ids.ts'

/** Operations on the step queue. Seconds, but for `maxAttempts` and `sliceMs`. */
export const OPERATIONS = {
  /** A consumer's lease on an operation; longer than any step lasts. */
  leaseSeconds: 120,
  /** An operation without progress for this long gets a new message from the sweeper. */
  stalledSeconds: 60,
  /** Failures of one step in a row that end the operation. */
  maxAttempts: 5,
  /** Time that a consumer works on one operation before it sends a message for the rest. */
  sliceMs: 10_000,
} as const

export type OperationRow = typeof operations.$inferSelect

/** A new operation. `total` may be a subquery that counts; `now` in epoch seconds. */
interface NewOperation {
  id: string
  kind: OperationKind
  ownerId: number
  total: number | SQL
  /** The step's own data; no secrets. */
  payload: unknown
  now: number
}

/**
 * The statement that starts an operation and gives its total, for the batch that also writes the audit
 * entry.
 * @param when the condition to start it, for batches that may turn out not to
 */
export function insertOperation(
  db: Db,
  { id, kind, ownerId, total, payload, now }: NewOperation,
  when: SQL = sql`true`,
) {
  return insertSelect<typeof operations, { total: number }>(
    db,
    operations,
    {
      id,
      kind,
      state: 'running',
      total: sql`(${total})`,
      ownerId,
      payload,
      sentAt: now,
      createdAt: now,
    },
    sql`where ${when} returning ${operations.total}`,
  )
}

/** An operation whose lease this consumer holds. */
export type LeasedOperation = OperationRow & { lease: string }

/** Leases an operation, unless it is over or leased. */
export async function leaseOperation(
  db: Db,
  id: string,
  now: number,
): Promise<LeasedOperation | undefined> {
  const lease = newSecret()
  const [row] = await db
    .update(operations)
    .set({
      lease,
      leaseUntil: now + OPERATIONS.leaseSeconds,
      attempt: sql`${operations.attempt} + 1`,
    })
    .where(
      and(
        eq(operations.id, id),
        isNull(operations.finishedAt),
        sql`(${operations.leaseUntil} is null or ${operations.leaseUntil} < ${now})`,
      ),
    )
    .returning()
  return row && { ...row, lease }
}

/** The condition that the lease is still valid. */
function isLeaseValid(operation: LeasedOperation) {
  return and(
    eq(operations.id, operation.id),
    eq(operations.lease, operation.lease),
    isNull(operations.finishedAt),
  )
}

/** The condition for writes that only the holder of the lease may make. */
export function isOperationLeased(operation: Pick<LeasedOperation, 'id' | 'lease'>): SQL {
  return sql`exists (select 1 from ${operations} 
    where ${operations.id} = ${operation.id} and ${operations.lease} = ${operation.lease} and ${operations.finishedAt} is null)`
}

/** The progress of an operation. `payload` is what the next step starts from. */
export interface OperationProgress {
  done: number
  total: number
  payload: unknown
}

/**
 * The statement that stores progress and renews the lease; alone, or in the batch of the step's own writes.
 * @param when the condition of those writes
 */
export function updateOperation(
  db: Db,
  operation: LeasedOperation,
  progress: OperationProgress,
  now: number,
  when?: SQL,
) {
  return db
    .update(operations)
    .set({ ...progress, attempt: 0, leaseUntil: now + OPERATIONS.leaseSeconds })
    .where(and(isLeaseValid(operation), when))
    .returning({ id: operations.id })
}

/**
 * The statement that ends an operation with its result. In the batch of the last writes both happen or neither.
 * @param when the condition of those writes
 */
export function finishOperation(
  db: Db,
  operation: LeasedOperation,
  result: unknown,
  now: number,
  when?: SQL,
) {
  return db
    .update(operations)
    .set({
      state: 'done',
      result,
      // It is needed no more, and may hold a key.
      payload: {},
      done: operations.total,
      finishedAt: now,
      lease: null,
      leaseUntil: null,
    })
    .where(and(isLeaseValid(operation), when))
    .returning({ id: operations.id })
}

/** Ends an operation as failed. The person who started it sees `error`. */
export async function failOperation(
  db: Db,
  operation: LeasedOperation,
  error: string,
  now: number,
): Promise<void> {
  await db
    .update(operations)
    .set({ state: 'failed', error, payload: {}, finishedAt: now, lease: null, leaseUntil: null })
    .where(isLeaseValid(operation))
}

/** Stores progress and ends the lease; nobody takes the operation before `until` (epoch seconds). */
export async function pauseOperation(
  db: Db,
  operation: LeasedOperation,
  { done, total, payload }: OperationProgress,
  until: number,
): Promise<void> {
  await db
    .update(operations)
    .set({ done, total, payload, attempt: 0, lease: null, leaseUntil: until })
    .where(isLeaseValid(operation))
}

/** Ends the lease, so that the next message can continue at once. */
export async function releaseOperation(
  db: Db,
  operation: LeasedOperation,
  now: number,
): Promise<void> {
  await db
    .update(operations)
    .set({ lease: null, leaseUntil: null, sentAt: now })
    .where(isLeaseValid(operation))
}

/** Deletes operations that ended and were started before `before` (epoch seconds), the oldest first. */
export async function deleteOldOperations(db: Db, before: number): Promise<void> {
  await rawQuery(
    db,
    sql`delete from ${operations} where ${operations.id} in (select ${operations.id} from ${operations}
      where ${operations.id} < ${hexIdAt(before * 1000)} and ${operations.finishedAt} is not null order by ${operations.id} limit ${SWEEP.rows})`,
  )
}

/** Notes a new message for open operations without a lease whose last message is old, and gives their ids. */
export async function takeStalledOperations(db: Db, now: number): Promise<string[]> {
  const rows = await rawQuery<{ id: string }>(
    db,
    sql`update ${operations} set sent_at = ${now}
      where ${operations.id} in (select ${operations.id} from ${operations} where ${operations.finishedAt} is null and ${operations.sentAt} < ${now - OPERATIONS.stalledSeconds}
        and (${operations.leaseUntil} is null or ${operations.leaseUntil} < ${now}) order by ${operations.sentAt} limit 100)
      returning ${operations.id}`,
  )
  return rows.map((row) => row.id)
}
