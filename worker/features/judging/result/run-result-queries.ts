/** What hosts report about sample runs they hold: signs of life, results, hand-backs. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Heartbeat, JobRelease, ReportedOutput, ResultReport } from '#contract/judging'
import { resultFault } from '#contract/judging/result-check'
import { JUDGING, RUNS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import type { Db } from '../../../db/client.ts'
import { sampleRuns, type StoredRun } from '../../../db/schema.ts'
import { AppError } from '../../../http/errors.ts'
import { countRefusal } from '../lease/hand-back-queries.ts'
import { runSubtask } from '../claim/run-claim-queries.ts'

/** The condition that a lease on a run is valid. */
function isRunLeaseValid(id: string, lease: string) {
  return and(eq(sampleRuns.id, id), eq(sampleRuns.lease, lease), isNull(sampleRuns.finishedAt))
}

/** The host that had a run last. */
export async function lastRunnerOfRun(db: Db, id: string): Promise<string | null> {
  const { runnerId } = sampleRuns
  const run = await db.select({ runnerId }).from(sampleRuns).where(eq(sampleRuns.id, id)).get()
  return run?.runnerId ?? null
}

/** Whether a lease on a run is valid. */
export async function hasRunLease(db: Db, id: string, lease: string): Promise<boolean> {
  const rows = await db
    .select({ id: sampleRuns.id })
    .from(sampleRuns)
    .where(isRunLeaseValid(id, lease))
  return rows.length > 0
}

/**
 * The statement that extends the leases of runs that a heartbeat names, up to `holdUntil`, and ends others
 * after a start.
 */
export function extendRuns(db: Db, runnerId: string, { active, started }: Heartbeat, now: number) {
  const isKept = sql`(${sampleRuns.id} in (select value from json_each(${JSON.stringify(active)}))
    and ${sampleRuns.holdUntil} > ${now})`
  return db
    .update(sampleRuns)
    .set({ leaseUntil: sql`iif(${isKept}, ${now + JUDGING.leaseSeconds}, ${now - 1})` })
    .where(
      sql`${sampleRuns.id} in (select ${sampleRuns.id} from ${sampleRuns} indexed by sample_runs_held
        where ${sampleRuns.finishedAt} is null and ${sampleRuns.runnerId} = ${runnerId}
          and ${sampleRuns.leaseUntil} is not null and (${isKept} or ${started === true}))`,
    )
}

/**
 * Puts a run back. Its host leaves it to others for a while, unless it only made room. Otherwise the attempt
 * counts, whoever is to blame: a program that breaks sandboxes must not come back for ever.
 * @returns false when the lease is stale
 */
export async function releaseRun(
  db: Db,
  id: string,
  { lease, drained }: JobRelease,
  now: number,
): Promise<boolean> {
  const rows = await db
    .update(sampleRuns)
    .set({
      lease: null,
      leaseUntil: null,
      avoidUntil: drained ? 0 : now + RUNS.avoidSeconds,
      attempt: sql`max(0, ${sampleRuns.attempt} - ${Number(drained)})`,
    })
    .where(isRunLeaseValid(id, lease))
    .returning({ id: sampleRuns.id })
  return rows.length > 0
}

/** Ends a run that nobody can judge. */
export async function failRun(db: Db, id: string, lease: string, now: number): Promise<void> {
  await db.update(sampleRuns).set({ finishedAt: now }).where(isRunLeaseValid(id, lease))
}

/** The outputs that fit a row, in order. Larger ones are dropped whole, never cut to what is left. */
function fittingOutputs(outputs: ReportedOutput[]): ReportedOutput[] {
  let room = (RUNS.keptBytes / 3) * 4
  return outputs.filter(({ stdout, stderr, expected }) => {
    const length = stdout.length + stderr.length + expected.length
    if (length > room) return false
    room -= length
    return true
  })
}

/** Report → row. */
function toStoredRun(
  { status, compileMessage, tasks, outputs }: ResultReport,
  isOwn: boolean[],
): StoredRun {
  const ran = status === STATUS.CE ? [] : tasks
  const kept = fittingOutputs(outputs)
  return {
    status,
    compileMessage,
    cases: ran.flatMap(({ cases }, index) =>
      cases.map((result) => ({
        ...result,
        matches:
          isOwn[index] === true || result.status === null || result.status === STATUS.JE
            ? null
            : result.status === STATUS.AC,
        output: kept.find(({ task }) => task === index) ?? null,
      })),
    ),
  }
}

/**
 * Stores the result of a run, once. One that does not fit the run is refused, counts against the host, and
 * the run goes to others.
 * @returns whose run it is; undefined when the lease is stale
 */
export async function acceptRunResult(
  db: Db,
  id: string,
  report: ResultReport,
  now: number,
): Promise<number | undefined> {
  const run = await db.select().from(sampleRuns).where(eq(sampleRuns.id, id)).get()
  if (!run || run.lease !== report.lease) return undefined
  const { inputs, userId } = run
  if (run.finishedAt !== null || inputs === null) return userId
  const subtask = runSubtask(run, run.languageType)
  const fault = resultFault(
    inputs.map(() => subtask),
    report,
  )
  if (fault !== null) {
    if (run.runnerId !== null)
      await db.batch([
        countRefusal(db, sql`${run.runnerId}`, `${id}: ${fault}`),
        db
          .update(sampleRuns)
          .set({ lease: null, leaseUntil: null, avoidUntil: now + RUNS.avoidSeconds })
          .where(isRunLeaseValid(id, report.lease)),
      ])
    console.error(JSON.stringify({ alarm: 'result refused', runId: id, fault }))
    throw new AppError('bad_result', { fault })
  }
  await db
    .update(sampleRuns)
    .set({
      result: toStoredRun(
        report,
        inputs.map(({ expected }) => expected === null),
      ),
      finishedAt: now,
      leaseUntil: null,
      code: null,
      inputs: null,
    })
    .where(isRunLeaseValid(id, report.lease))
  return userId
}
