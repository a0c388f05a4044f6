/** Progress and results of leased jobs. */
import { and, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { ProgressReport, ResultReport } from '#contract/judging'
import { STATUS } from '#contract/verdicts'
import { rawQuery, type Db } from '../../../db/client.ts'
import { addVerdict } from '../../../db/problem-results.ts'
import {
  judgements,
  problems,
  runners,
  sampleRuns,
  submissions,
  type StoredRun,
} from '../../../db/schema.ts'
import { forgetHandBacks } from '../lease/hand-back-queries.ts'
import { isLeaseValid, listenerId } from '../lease/lease-queries.ts'

/** The submission of a judgement (null for a sample run), the person to tell of it, and the bulk rejudge it belongs to. */
export interface Judged {
  submissionId: string | null
  listenerId: number | null
  rejudgeId: string | null
}

const judged = {
  submissionId: judgements.submissionId,
  listenerId,
  rejudgeId: judgements.rejudgeId,
}

/** Stores a job's progress, for installations without live channels. @returns whether the lease is valid */
export async function updateProgress(
  db: Db,
  judgementId: string,
  report: ProgressReport,
): Promise<boolean> {
  const updated = await db
    .update(judgements)
    .set({ phase: report.phase, casesDone: sql`min(${report.done}, ${judgements.casesTotal})` })
    .where(isLeaseValid(judgementId, report.lease))
    .returning({ id: judgements.id })
  return updated.length > 0
}

/** The mistake of a failed program. Any other result has none, whatever its host says. */
function mistakeOf({ status, mistake = null }: ResultReport): string | null {
  return status === STATUS.AC || status === STATUS.JE ? null : mistake
}

/**
 * Stores a result in the judgement and its submission or run, in one transaction, if the lease is valid. A Judge Error returns the
 * quota, because it is not the student's fault.
 * @param run the part of a sample run's result that is kept; null for submissions, and for a run that no host can judge
 * @returns undefined when the lease is stale; then nothing was written
 */
export async function storeResult(
  db: Db,
  judgementId: string,
  report: ResultReport,
  { outputsKey = null, run = null }: { outputsKey?: string | null; run?: StoredRun | null },
  now: number,
): Promise<Judged | undefined> {
  const isStored = and(
    eq(judgements.id, judgementId),
    eq(judgements.lease, report.lease),
    eq(judgements.state, 'done'),
  )
  // At most the time for which the host had the job counts, plus a second, because this clock has whole seconds.
  const leasedSeconds = sql`(${now} - ${judgements.claimedAt})`
  const { judgedMs } = report
  const mistake = mistakeOf(report)
  const seconds =
    judgedMs === undefined ? leasedSeconds : sql`min(${judgedMs / 1000}, ${leasedSeconds} + 1)`
  const nth = `$[${report.status}]`
  const [, , [stored]] = await db.batch([
    addVerdict(db, isLeaseValid(judgementId, report.lease), {
      status: report.status,
      score: report.score,
      runTimeMs: report.runTime,
      memoryKb: report.memoryUsage,
      mistake,
    }),
    // This time is stored before the lease ends, so that a second report of the same result does not change it.
    db
      .update(runners)
      .set({
        jobSeconds: sql`coalesce(${runners.jobSeconds} * 0.9 + 0.1 * ${seconds}, max(0.1, ${seconds}))`,
        busySeconds: sql`${runners.busySeconds} + max(0, ${seconds})`,
        verdictCounts: sql`json_set(${runners.verdictCounts}, ${nth}, json_extract(${runners.verdictCounts}, ${nth}) + 1)`,
      })
      .from(judgements)
      .where(
        and(
          isLeaseValid(judgementId, report.lease),
          isNotNull(judgements.submissionId),
          eq(runners.id, judgements.runnerId),
        ),
      ),
    db
      .update(judgements)
      .set({
        status: report.status,
        score: report.score,
        runTimeMs: report.runTime,
        memoryKb: report.memoryUsage,
        state: 'done',
        finishedAt: now,
        leaseUntil: null,
        subtasks: report.tasks,
        compileMessage: report.compileMessage,
        mistake,
        reason: report.reason,
        outputsKey,
        plan: null,
      })
      .where(isLeaseValid(judgementId, report.lease))
      .returning(judged),
    // The values come from the judgement, not from the report, so a second report with the same lease changes nothing.
    db
      .update(submissions)
      .set({
        status: judgements.status,
        score: judgements.score,
        runTimeMs: judgements.runTimeMs,
        memoryKb: judgements.memoryKb,
        quotaUsed: sql`iif(${judgements.status} = ${STATUS.JE}, 0, ${submissions.quotaUsed})`,
      })
      .from(judgements)
      .where(
        and(
          isStored,
          eq(submissions.id, judgements.submissionId),
          eq(submissions.judgementId, judgements.id),
        ),
      ),
    endRun(db, judgementId, run, sql`exists (select 1 from ${judgements} where ${isStored})`),
    forgetHandBacks(
      db,
      sql`select ${judgements.id} from ${judgements}
        where ${judgements.id} = ${judgementId} and ${judgements.state} = 'done'`,
    ),
  ])
  return stored
}

/** The statement that stores the result of a sample run, once, and removes its program and inputs. */
function endRun(db: Db, id: string, result: StoredRun | null, isStored: SQL) {
  return db
    .update(sampleRuns)
    .set({ result, code: null, inputs: null })
    .where(and(eq(sampleRuns.id, id), isNotNull(sampleRuns.code), isStored))
}

/** Ends a claimed job that no host can judge, with the reason for staff. */
export async function failUnjudgeable(
  db: Db,
  judgementId: string,
  lease: string,
  reason: string,
  now: number,
): Promise<Judged | undefined> {
  return storeResult(
    db,
    judgementId,
    {
      lease,
      status: STATUS.JE,
      score: 0,
      runTime: null,
      memoryUsage: null,
      tasks: [],
      compileMessage: null,
      reason,
      outputs: [],
    },
    {},
    now,
  )
}

/**
 * Of these keys of kept outputs, the keys whose outputs can still be read: the judgement is current, and the problem is not deleted.
 * A key names its judgement: `outputs/<judgement>/<lease>-<hash>.json`.
 */
export async function listNamedOutputs(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select ${judgements.outputsKey} as key from json_each(${JSON.stringify(keys)}) k
      cross join ${judgements} on ${judgements.id} = substr(k.value, 9, 24) and ${judgements.outputsKey} = k.value
      cross join ${submissions} on ${submissions.id} = ${judgements.submissionId}
        and ${submissions.judgementId} = ${judgements.id}
      cross join ${problems} on ${problems.id} = ${submissions.problemId} and ${problems.deletedAt} is null`,
  )
  return rows.map((row) => row.key)
}
