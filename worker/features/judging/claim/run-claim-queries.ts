/** Claims of sample runs: behind live submissions, before bulk rejudges, and never on all slots of a host. */
import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Job } from '#contract/judging'
import { languageCode, languageOf, withFactors, type LanguageCode } from '#contract/languages'
import { JUDGING, RUNS } from '#contract/limits'
import type { Subtask } from '#contract/problems'
import { aliasColumns, type Db } from '../../../db/client.ts'
import { problems, sampleRuns, subtasks } from '../../../db/schema.ts'
import type { Claimant, Unjudgeable } from './claim-queries.ts'

/** The condition that somebody has the run now. */
const isLeased = (now: number) => sql`${sampleRuns.leaseUntil} >= ${now}`

/** The oldest free run, without one that this host has just had. */
function bestRun({ id: runnerId }: Claimant, now: number): SQL {
  const { id, finishedAt, attempt, avoidUntil } = sampleRuns
  return sql`(select ${id} from ${sampleRuns} indexed by sample_runs_open
    where ${finishedAt} is null and ${attempt} < ${JUDGING.maxAttempts}
      and coalesce(${sampleRuns.leaseUntil}, 0) < ${now}
      and not (coalesce(${sampleRuns.runnerId}, '') = ${runnerId} and ${avoidUntil} > ${now})
    order by ${id} limit 1)`
}

/** The number of runs that a host holds. */
function leasedRunCount({ id: runnerId, delivering = [] }: Claimant, now: number): SQL {
  return sql`(select count(*) from ${sampleRuns} indexed by sample_runs_held
    where ${sampleRuns.finishedAt} is null and ${sampleRuns.runnerId} = ${runnerId} and ${isLeased(now)}
      and ${sampleRuns.id} not in (select value from json_each(${JSON.stringify(delivering)})))`
}

/**
 * The condition that a host may have one more run: a slot stays free of runs, so that the next submission
 * need not wait. A host with one slot gets a run while it does nothing else.
 * @param leasedJobCount the number of its judgements
 */
function hasRoomForRun(claimant: Claimant, leasedJobCount: SQL, now: number) {
  const { slots } = claimant
  const leased = leasedRunCount(claimant, now)
  return sql`(${leased} < ${Math.max(1, slots - 1)} and ${leased} + ${leasedJobCount} < ${slots})`
}

/** The condition that a run is free, whether this host has room for it or not. */
export function hasFreeRun(claimant: Claimant, now: number): SQL {
  return sql`${bestRun(claimant, now)} is not null`
}

/** The condition that a claim of this host would find a run. */
export function hasRunFor(claimant: Claimant, leasedJobCount: SQL, now: number): SQL {
  return claimant.takesRuns
    ? sql`(${hasFreeRun(claimant, now)} and ${hasRoomForRun(claimant, leasedJobCount, now)})`
    : sql`false`
}

/**
 * The condition that a bulk job waits for a run: for one that this claim may have; while no slot is free, for one that may
 * have the next, and for those that this host would end for it.
 */
export function isRunBeforeBulk(claimant: Claimant, leasedJobCount: SQL, now: number): SQL {
  if (claimant.takesRuns) return hasRunFor(claimant, leasedJobCount, now)
  const hasLeasedRun = sql`${leasedRunCount(claimant, now)} > 0`
  return claimant.ahead ? sql`(${hasLeasedRun} or ${hasFreeRun(claimant, now)})` : hasLeasedRun
}

/** The problem's largest limit of a kind. */
function largest(column: SQLiteColumn): SQL<number> {
  return sql<number>`(select max(${column}) from ${subtasks} where ${subtasks.problemId} = ${sampleRuns.problemId})`
}

/**
 * The statements that lease a run and load it.
 * @param onlyIf the condition that the claim has found no judgement
 */
export function leaseRun(
  db: Db,
  claimant: Claimant,
  lease: string,
  leasedJobCount: SQL,
  onlyIf: SQL,
  now: number,
) {
  return [
    db
      .update(sampleRuns)
      .set({
        lease,
        leaseUntil: now + JUDGING.leaseSeconds,
        holdUntil: now + RUNS.holdSeconds,
        attempt: sql`${sampleRuns.attempt} + 1`,
        runnerId: claimant.id,
        timeLimitMs: largest(subtasks.timeLimitMs),
      })
      .where(
        and(
          sql`${sampleRuns.id} = ${bestRun(claimant, now)}`,
          hasRunFor(claimant, leasedJobCount, now),
          onlyIf,
        ),
      ),
    db
      .select({
        ...aliasColumns({
          id: sampleRuns.id,
          attempt: sampleRuns.attempt,
          languageType: sampleRuns.languageType,
          code: sampleRuns.code,
          inputs: sampleRuns.inputs,
          timeLimitMs: sampleRuns.timeLimitMs,
          compare: problems.compare,
        }),
        memoryLimitKb: largest(subtasks.memoryLimitKb).as('memoryLimitKb'),
        outputLimitKb: largest(subtasks.outputLimitKb).as('outputLimitKb'),
      })
      .from(sampleRuns)
      .innerJoin(problems, eq(problems.id, sampleRuns.problemId))
      .where(isRunOf(claimant, lease)),
  ] as const
}

/** The condition for the run that a claim has just leased. */
export function isRunOf({ id: runnerId }: Claimant, lease: string): SQL | undefined {
  return and(
    eq(sampleRuns.runnerId, runnerId),
    eq(sampleRuns.lease, lease),
    isNull(sampleRuns.finishedAt),
    // Uses the index of the runs that the host holds.
    isNotNull(sampleRuns.leaseUntil),
  )
}

/** A run just leased. */
type RunRow = Awaited<ReturnType<typeof leaseRun>[1]>[number]

/** The limits of a run's cases in its language: the largest of the problem, as far as `RUNS` allows. */
export function runSubtask(
  { timeLimitMs, memoryLimitKb = 0, outputLimitKb = 0 }: RunLimits,
  languageType: LanguageCode,
): Subtask {
  const limits = { timeLimit: timeLimitMs ?? 0, memoryLimit: memoryLimitKb }
  const { timeLimit, memoryLimit } = withFactors(limits, languageOf(languageType))
  return {
    caseCount: 1,
    sample: true,
    taskScore: 0,
    timeLimit: Math.min(timeLimit, RUNS.timeMs),
    memoryLimit,
    outputLimit: Math.min(outputLimitKb, RUNS.outputKb),
  }
}

interface RunLimits {
  timeLimitMs: number | null
  memoryLimitKb?: number
  outputLimitKb?: number
}

/** Row → contract: a job whose every input is a subtask of one sample case. */
export function toRunJob(run: RunRow, lease: string): Job | Unjudgeable {
  const code = languageCode.safeParse(run.languageType)
  if (!code.success || run.code === null || run.inputs === null)
    return { reason: 'This run cannot be judged.' }
  const subtask = runSubtask(run, code.data)
  return {
    judgementId: run.id,
    submissionId: run.id,
    attempt: run.attempt,
    lease,
    leaseSeconds: JUDGING.leaseSeconds,
    language: languageOf(code.data).id,
    source: Buffer.from(run.code).toString('base64'),
    testData: { inputs: run.inputs },
    tasks: run.inputs.map(() => subtask),
    compare: run.compare,
  }
}
