/** Operations as rows of the table `operations`. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { OperationKind } from '#contract/operations'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { SWEEP } from '../../db/retention.ts'
import { operations } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import { hexIdAt, newSecret } from '../../lib/ids.ts'

/** Limits of operations on the step queue, in seconds except `maxAttempts` and `sliceMs`. */
export const OPERATIONS = {
  /** A consumer's lease on an operation; longer than any step lasts. */
  leaseSeconds: 120,
  /** An operation without progress for this long gets a new message from the sweeper. */
  stalledSeconds: 60,
  /** The operation ends after this many failures of a step in a row. */
  maxAttempts: 5,
  /** How long a consumer works on one operation before it sends a message for the remaining steps. */
  sliceMs: 10_000,
} as const

export type OperationRow = typeof operations.$inferSelect

/** A new operation. `total` may be a subquery that counts; `now` in epoch seconds. */
interface NewOperation {
  id: string
  kind: OperationKind
  /** Null: the sweeper started it. */
  ownerId: number | null
  total: number | SQL
  /** The step's own data; no secrets. */
  payload: unknown
  now: number
}

/**
 * The statement that starts an operation and returns its total, for the batch that also writes the audit entry.
 * @param when the condition on which it is started
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

/** An operation whose lease this consumer holds, with the payload of its kind. */
export type LeasedOperation<Payload = unknown> = OperationRow & { payload: Payload; lease: string }

/** Leases an operation, unless it is finished or already leased. */
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

/**
 * The statement that refuses its batch with `stale_lease` unless the consumer holds the lease. The consumer then stops without an
 * error: the operation is finished, or another consumer works on it.
 */
export function demandLease(db: Db, { id, lease }: Pick<LeasedOperation, 'id' | 'lease'>) {
  const isHeld = sql`exists (select 1 from ${operations}
    where ${operations.id} = ${id} and ${operations.lease} = ${lease} and ${operations.finishedAt} is null)`
  return demand(db, 'stale_lease', isHeld)
}

/**
 * Changes the row of an operation while the consumer holds its lease.
 * @param alongside further statements of the same transaction
 * @throws Refusal `stale_lease`
 */
export async function changeOperation(
  db: Db,
  operation: LeasedOperation,
  change: Partial<OperationRow>,
  alongside: BatchItem<'sqlite'>[] = [],
): Promise<void> {
  await db.batch([
    demandLease(db, operation),
    ...alongside,
    db.update(operations).set(change).where(eq(operations.id, operation.id)),
  ])
}

/** The values of an operation that goes on from a new point. A step that runs now loses its lease, so it neither pauses nor ends the operation. */
export function begunAnew(now: number) {
  return { attempt: 0, lease: null, leaseUntil: null, sentAt: now }
}

/** The values that the rows of all finished operations share. Their payload is no longer needed. */
export function ended(now: number) {
  return { payload: {}, finishedAt: now, lease: null, leaseUntil: null }
}

/** Ends an operation with its result, in one transaction with its last writes. @throws Refusal `stale_lease` */
export async function finishOperation(
  db: Db,
  operation: LeasedOperation,
  result: unknown,
  now: number,
  alongside: BatchItem<'sqlite'>[] = [],
): Promise<void> {
  const { total } = operation
  const change = { state: 'done', result, done: total, ...ended(now) } as const
  await changeOperation(db, operation, change, alongside)
}

/**
 * Ends the lease. No consumer takes the operation before `until` (epoch seconds; with 0 the next message lets one take it). The
 * sweeper sends the next message.
 * @throws Refusal `stale_lease`
 */
export async function pauseOperation(db: Db, operation: LeasedOperation, until: number) {
  await changeOperation(db, operation, { attempt: 0, lease: null, leaseUntil: until })
}

/** Deletes operations that ended and were started before `before` (epoch seconds), the oldest first. */
export async function deleteOldOperations(db: Db, before: number): Promise<void> {
  await rawQuery(
    db,
    sql`delete from ${operations} where ${operations.id} in (select ${operations.id} from ${operations}
      where ${operations.id} < ${hexIdAt(before * 1000)} and ${operations.finishedAt} is not null order by ${operations.id} limit ${SWEEP.rows})`,
  )
}

/** Notes a new message for open operations without a lease whose last message is old. @returns their ids */
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
