/** Background jobs as rows: started, taken, moved on, ended. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { JobKind } from '#contract/jobs'
import { JOBS, SWEEP } from '#contract/limits'
import { execute, type Db } from '../../db/client.ts'
import { jobs } from '../../db/schema.ts'
import { hexIdAt, newSecret } from '../../lib/ids.ts'

export type JobRow = typeof jobs.$inferSelect

/** A job about to start. `total` may be a subquery that counts; `now` in epoch seconds. */
export interface NewJob {
  id: string
  kind: JobKind
  ownerId: number
  total: number | SQL
  /** What the kind's step needs; no secrets. */
  payload: unknown
  now: number
}

/**
 * The statement that starts a job, for the batch that also writes the audit entry; gives the total.
 * @param when for jobs that may turn out not to start within the batch
 */
export function insertJob(
  db: Db,
  { id, kind, ownerId, total, payload, now }: NewJob,
  when: SQL = sql`true`,
) {
  return execute<{ total: number }>(
    db,
    sql`insert into ${jobs} (id, kind, state, total, owner_id, payload, sent_at, created_at)
      select ${id}, ${kind}, 'running', (${total}), ${ownerId}, ${JSON.stringify(payload)}, ${now}, ${now}
      where ${when} returning total`,
  )
}

/** A job of this person. */
export async function getOwnJob(db: Db, id: string, ownerId: number): Promise<JobRow | undefined> {
  return db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.ownerId, ownerId)))
    .get()
}

/** A job whose lease this consumer holds. */
export type TakenJob = JobRow & { lease: string }

/** Takes a job unless it is over or somebody else is at it. */
export async function takeJob(db: Db, id: string, now: number): Promise<TakenJob | undefined> {
  const lease = newSecret()
  const [row] = await db
    .update(jobs)
    .set({ lease, leaseUntil: now + JOBS.leaseSeconds, attempt: sql`attempt + 1` })
    .where(
      and(
        eq(jobs.id, id),
        isNull(jobs.finishedAt),
        sql`(lease_until is null or lease_until < ${now})`,
      ),
    )
    .returning()
  return row && { ...row, lease }
}

/** The row while its lease still holds. */
function held(job: TakenJob) {
  return and(eq(jobs.id, job.id), eq(jobs.lease, job.lease), isNull(jobs.finishedAt))
}

/** Condition for writes that only the holder of the job may make. */
export function stillHeld(job: TakenJob): SQL {
  return sql`exists (select 1 from jobs held where held.id = ${job.id} and held.lease = ${job.lease}
    and held.finished_at is null)`
}

/** How far a job has come. `payload` is what the next chunk starts from. */
export interface JobProgress {
  done: number
  total: number
  payload: unknown
}

/** The statement that notes progress and keeps the lease; alone or in the batch of the chunk's own writes. */
export function updateJob(db: Db, job: TakenJob, progress: JobProgress, now: number) {
  return db
    .update(jobs)
    .set({ ...progress, attempt: 0, leaseUntil: now + JOBS.leaseSeconds })
    .where(held(job))
    .returning({ id: jobs.id })
}

/** The statement that ends a job well; put it into the batch of the last writes, so that both happen or neither. */
export function finishJob(db: Db, job: TakenJob, result: unknown, now: number) {
  return db
    .update(jobs)
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
    .where(held(job))
    .returning({ id: jobs.id })
}

/** Ends a job badly. `error` is shown to who started it. */
export async function failJob(db: Db, job: TakenJob, error: string, now: number): Promise<void> {
  await db
    .update(jobs)
    .set({ state: 'failed', error, payload: {}, finishedAt: now, lease: null, leaseUntil: null })
    .where(held(job))
}

/** Gives a job back so that the next message can take it at once. */
export async function releaseJob(db: Db, job: TakenJob, now: number): Promise<void> {
  await db.update(jobs).set({ lease: null, leaseUntil: null, sentAt: now }).where(held(job))
}

/** Forgets jobs that ended and were started before a moment (epoch seconds), the oldest first; for the sweeper. */
export async function deleteOldJobs(db: Db, before: number): Promise<void> {
  await execute(
    db,
    sql`delete from ${jobs} where id in (select id from jobs
      where id < ${hexIdAt(before * 1000)} and finished_at is not null order by id limit ${SWEEP.rows})`,
  )
}

/** Open jobs that nobody works on and whose last message is old: notes the new one and gives their ids. */
export async function takeStalledJobs(db: Db, now: number): Promise<string[]> {
  const rows = await execute<{ id: string }>(
    db,
    sql`update ${jobs} set sent_at = ${now}
      where id in (select id from jobs where finished_at is null and sent_at < ${now - JOBS.stalledSeconds}
        and (lease_until is null or lease_until < ${now}) order by sent_at limit 100)
      returning id`,
  )
  return rows.map((row) => row.id)
}
