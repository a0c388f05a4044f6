/** Runners as rows, and the state of the queue. */
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { JUDGING, RUNNERS } from '#contract/limits'
import { roleCan } from '#contract/roles'
import type { QueueState, Runner, RunnerEdit } from '#contract/judging/runners'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { JOB_SECONDS_GUESS, takesJobs } from '../../db/queue-estimate.ts'
import { judgements, runners } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { maySomewhere } from '../../db/standing.ts'
import { scalar } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { contentVersion, itemTag } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { secondsOfId } from '../../lib/ids.ts'
import { selectUnhealthy } from '../judging/lease/hand-back-queries.ts'

/** The number of hosts that are wanted is computed so that they would empty the queue in this time. */
const QUEUE_TARGET_SECONDS = 60
/** The slots that a wanted host is assumed to have while no host has reported its slots. */
const SLOTS_GUESS = 2

const activeJobs = scalar<number>(sql`select count(*) from ${judgements}
  where ${judgements.runnerId} = ${runners.id} and ${judgements.finishedAt} is null and ${judgements.state} = 'leased'`)

/** The version for edits of a runner, made from all that can be edited. */
function runnerVersion({
  name,
  state,
  slotLimit,
}: Pick<typeof runners.$inferSelect, 'name' | 'state' | 'slotLimit'>): number {
  return contentVersion([name, state, slotLimit])
}

/** All judge hosts, the last heartbeat first. */
export async function listRunners(db: Db, now: number): Promise<Runner[]> {
  const rows = await db
    .select({ runner: runners, activeJobs })
    .from(runners)
    .orderBy(desc(runners.heartbeatAt))
    .limit(RUNNERS.most)
  return rows.map(({ runner, activeJobs }) => ({
    runnerId: runner.id,
    name: runner.name,
    state: runner.state,
    alive: runner.heartbeatAt > now - JUDGING.runnerAliveSeconds,
    lastHeartbeat: runner.heartbeatAt === 0 ? null : runner.heartbeatAt,
    slots: runner.slots,
    slotLimit: runner.slotLimit,
    free: runner.free,
    activeJobs,
    load: runner.load,
    jobSeconds: runner.jobSeconds,
    version: runner.version,
    host: runner.host,
    refusedResults: runner.refusedResults,
    lastRefusal: runner.lastRefusal,
    createTime: runner.createdAt,
    etag: itemTag(runnerVersion(runner)),
  }))
}

/** Adds a runner that has not reported yet. */
export async function insertNamedRunner(
  db: Db,
  { id, name, tokenHash }: { id: string; name: string; tokenHash: string },
  change: Change,
): Promise<void> {
  const { now } = change
  await db.batch([
    db.insert(runners).values({
      id,
      name,
      tokenHash,
      state: 'active',
      slots: 0,
      free: 0,
      version: '',
      host: null,
      createdAt: now,
      heartbeatAt: 0,
    }),
    insertAudit(db, change, { action: 'runner.create', subject: id, detail: { name } }),
  ])
}

/** The runner an edit is about. */
export async function getRunner(db: Db, id: string) {
  return db
    .select({
      id: runners.id,
      name: runners.name,
      state: runners.state,
      slotLimit: runners.slotLimit,
    })
    .from(runners)
    .where(eq(runners.id, id))
    .get()
}

/**
 * Changes a runner.
 * @param found the runner as it was read just now
 * @param basedOn version the edit was made on; null overwrites any version
 */
export async function updateRunner(
  db: Db,
  found: NonNullable<Awaited<ReturnType<typeof getRunner>>>,
  edit: RunnerEdit,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { id, name, state, slotLimit } = found
  if (basedOn !== null && basedOn !== runnerVersion(found)) throw new AppError('stale_edit')
  const isFound =
    basedOn === null
      ? eq(runners.id, id)
      : sql`${runners.id} = ${id} and ${runners.name} = ${name} and ${runners.state} = ${state}
          and ${runners.slotLimit} = ${slotLimit}`
  await db.batch([
    demand(db, 'stale_edit', sql`exists (select 1 from ${runners} where ${isFound})`),
    // Sets the id to itself, so that an empty edit is valid SQL.
    db
      .update(runners)
      .set({
        id,
        ...edit,
        ...(edit.state === 'active' && { refusedResults: 0, lastRefusal: null }),
      })
      .where(eq(runners.id, id)),
    insertAudit(db, change, { action: 'runner.edit', subject: id, detail: edit }),
  ])
}

/**
 * Deletes a runner: its token is refused from now on and its leases end at once.
 * @returns the judgements it had, for new tickets
 */
export async function deleteRunner(db: Db, id: string, change: Change): Promise<string[]> {
  const { now } = change
  const [, freed] = await db.batch([
    demand(
      db,
      'runner_not_found',
      sql`exists (select 1 from ${runners} where ${runners.id} = ${id})`,
    ),
    db
      .update(judgements)
      .set({ leaseUntil: now - 1, ticketAt: now })
      .where(and(eq(judgements.runnerId, id), isNull(judgements.finishedAt)))
      .returning({ id: judgements.id }),
    db.delete(runners).where(eq(runners.id, id)),
    insertAudit(db, change, { action: 'runner.delete', subject: id }),
  ])
  return freed.map((row) => row.id)
}

/**
 * How many hosts like the present hosts would judge all waiting jobs within `QUEUE_TARGET_SECONDS`: at least one, and at most as
 * many as may register.
 */
export function wantedRunners(
  pending: number,
  alive: readonly { slots: number; jobSeconds: number | null }[],
): number {
  const slots = alive.reduce((sum, runner) => sum + runner.slots, 0)
  const slotsEach = slots > 0 ? slots / alive.length : SLOTS_GUESS
  const known = alive.flatMap(({ jobSeconds }) => (jobSeconds === null ? [] : [jobSeconds]))
  const seconds =
    known.length > 0 ? known.reduce((sum, s) => sum + s, 0) / known.length : JOB_SECONDS_GUESS
  const wanted = Math.ceil((pending * seconds) / (QUEUE_TARGET_SECONDS * slotsEach))
  return Math.min(Math.max(1, wanted), RUNNERS.most)
}

/**
 * The length of the queue and the hosts' throughput. The count reads one entry of the partial index per open job; ids begin with
 * their time, so the oldest job has the smallest id.
 */
export async function getQueueState(db: Db, now: number): Promise<QueueState> {
  const [open, living, [unhealthy]] = await db.batch([
    rawQuery<{ pending: number; oldest: string | null }>(
      db,
      sql`select count(*) as pending, min(${judgements.id}) as oldest from ${judgements} indexed by judgements_open
        where ${judgements.finishedAt} is null`,
    ),
    db
      .select({
        name: runners.name,
        slots: sql<number>`min(${runners.slots}, ${runners.slotLimit})`,
        jobSeconds: runners.jobSeconds,
        takesJobs: sql<number>`${takesJobs(now)}`,
      })
      .from(runners)
      .where(gt(runners.heartbeatAt, now - JUDGING.runnerAliveSeconds)),
    selectUnhealthy(db, now),
  ])
  const { pending = 0, oldest = null } = open[0] ?? {}
  const alive = living.filter((runner) => runner.takesJobs)
  const slots = alive.reduce((sum, runner) => sum + runner.slots, 0)
  const jobsPerSecond = alive.reduce(
    (sum, runner) => sum + runner.slots / (runner.jobSeconds ?? JOB_SECONDS_GUESS),
    0,
  )
  const oldestAt = oldest === null ? now : secondsOfId(oldest)
  return {
    pending,
    oldestSeconds: Math.max(0, now - oldestAt),
    activeRunners: alive.length,
    slots,
    wantedRunners: wantedRunners(pending, alive),
    livingHosts: living.map(({ name }) => name).toSorted(),
    estimateSeconds: jobsPerSecond > 0 ? Math.ceil((pending + 1) / jobsPerSecond) : null,
    unhealthy: unhealthy?.count ?? 0,
  }
}

/** Whether a person may see the queue: by their role, or as staff of any course. */
export async function mayReadQueue(db: Db, user: SessionUser): Promise<boolean> {
  if (roleCan(user.role, 'queue.read')) return true
  const rows = await rawQuery(db, sql`select 1 where ${maySomewhere(user, 'queue.read')}`)
  return rows.length > 0
}
