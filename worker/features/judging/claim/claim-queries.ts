/** Claims: takes a job from the queue, which is the table `judgements`. */
import { and, asc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { Job, RunInputs } from '#contract/judging'
import { languageOf, withFactors } from '#contract/languages'
import { languageCode } from '#contract/languages/codes'
import { JUDGING, RUNS } from '#contract/limits'
import { rawQuery, aliasColumns, type Db } from '../../../db/client.ts'
import {
  judgements,
  problems,
  sampleRuns,
  submissionSources,
  submissions,
  subtasks,
  testDataVersions,
} from '../../../db/schema.ts'
import { toSubtask } from '../../problems/queries.ts'
import { isFree, isRun, noteHandBacks } from '../lease/hand-back-queries.ts'
import { languageType, listenerId } from '../lease/lease-queries.ts'
import { bestJob, isReady, type Claimant } from './best-job.ts'
import { runSubtask } from './run-subtask.ts'

/** The job that a claim has leased. */
interface ClaimedJob {
  /** The judgement's id. */
  id: string
  /** Null for a sample run. */
  submissionId: string | null
  job: Job | Unjudgeable
  /** The person to tell of it; null for a bulk rejudge. */
  listenerId: number | null
}

/** Why no host can judge a job; staff read it. */
interface Unjudgeable {
  reason: string
}

/** The rows of a claimed judgement. `submissionId`: null for a sample run. `version`: null without test data. */
interface JobRow {
  id: string
  submissionId: string | null
  attempt: number
  rank: number
  languageType: number | null
  code: Buffer | null
  compare: Job['compare'] | null
  version: string | null
  sha256: string | null
  size: number | null
  inputs: RunInputs['inputs'] | null
  listenerId: number | null
  rejudge: string | null
}

/**
 * The statements that free jobs whose lease or pause is over, a hundred at a time. A claim reads only free jobs, so it costs the
 * same however many jobs rest. A host that let a lease run out gets that job later than other hosts.
 */
function freeExpired(db: Db, now: number) {
  const { id, finishedAt, leaseUntil } = judgements
  const expired = sql`${id} in (select ${id} from ${judgements} indexed by judgements_resting
    where ${finishedAt} is null and ${leaseUntil} is not null and ${leaseUntil} < ${now}
    order by ${leaseUntil} limit 100)`
  return [
    noteHandBacks(db, expired, now),
    db.update(judgements).set({ leaseUntil: null }).where(expired),
  ] as const
}

/** The problem of a judgement. */
const problemId = sql<number>`coalesce((select ${submissions.problemId} from ${submissions} where ${submissions.id} = ${judgements.submissionId}),
  (select ${sampleRuns.problemId} from ${sampleRuns} where ${sampleRuns.id} = ${judgements.id}))`

/** A value computed from the present subtasks of a job's problem. */
const ofSubtasks = (what: SQL) =>
  sql`(select ${what} from ${subtasks} where ${subtasks.problemId} = ${problemId})`

/** The condition for the job that a host holds with a lease. */
function isHeld({ id: runnerId }: Claimant, lease: string) {
  // Uses the index of the runner's open judgements.
  return and(
    eq(judgements.runnerId, runnerId),
    eq(judgements.lease, lease),
    isNull(judgements.finishedAt),
    isNotNull(judgements.leaseUntil),
  )
}

/**
 * The statement that leases the best job. One conditional statement, so two runners never get the same job, and no runner gets
 * more than it may hold. It leases nothing if the host already holds a job with this lease.
 */
function leaseBest(db: Db, claimant: Claimant, lease: string, now: number) {
  const runnerId = claimant.id
  const { id, attempt } = judgements
  const { caseCount, score, timeLimitMs, isSample, position } = subtasks
  const plan = sql`json_group_array(json_array(${caseCount}, ${score}, ${timeLimitMs}, ${isSample}) order by ${position})`
  const holdSeconds = sql`sum(${caseCount} * (4 * ${timeLimitMs} / 1000 + ${JUDGING.holdSecondsPerCase}))`
  return db
    .update(judgements)
    .set({
      state: 'leased',
      lease,
      leaseUntil: now + JUDGING.leaseSeconds,
      attempt: sql`${attempt} + iif(${isFree(sql`${id}`, runnerId, now)}, 0, 1)`,
      runnerId,
      claimedAt: now,
      phase: 'compiling',
      casesDone: 0,
      reason: null,
      plan: ofSubtasks(plan),
      casesTotal: sql`iif(${isRun}, ${judgements.casesTotal}, ${ofSubtasks(sql`coalesce(sum(${caseCount}), 0)`)})`,
      holdUntil: sql`${now} + iif(${isRun}, ${RUNS.holdSeconds}, ${JUDGING.holdSeconds} + ${ofSubtasks(sql`coalesce(${holdSeconds}, 0)`)})`,
      testDataVersion: sql`iif(${isRun}, null, (select ${problems.testDataVersion} from ${problems} where ${problems.id} = ${problemId}))`,
    })
    .where(
      sql`not exists (select 1 from ${judgements} where ${isHeld(claimant, lease)}) and ${id} = ${bestJob(claimant, now)}`,
    )
}

/**
 * Leases the best job and loads what the runner needs, in one transaction, so that subtasks and test data fit each other even
 * while somebody edits the problem.
 * @param lease the token of every later call about this job; the lease of a job that the host holds gives that job again
 * @param now epoch seconds
 * @returns the claimed job, if any, and whether a free job is left, even one that this host may not have
 */
export async function claimBest(
  db: Db,
  claimant: Claimant,
  lease: string,
  now: number,
): Promise<{ claimed: ClaimedJob | null; isLeft: boolean }> {
  const isClaimed = isHeld(claimant, lease)
  const [, , , [row], plan, [left]] = await db.batch([
    ...freeExpired(db, now),
    leaseBest(db, claimant, lease, now),
    db
      .select({
        ...aliasColumns({
          id: judgements.id,
          submissionId: judgements.submissionId,
          attempt: judgements.attempt,
          rank: judgements.rank,
          compare: problems.compare,
          version: testDataVersions.id,
          sha256: testDataVersions.sha256,
          size: testDataVersions.sizeBytes,
          rejudge: judgements.rejudgeId,
          inputs: sampleRuns.inputs,
        }),
        languageType: languageType.as('languageType'),
        code: sql`coalesce(${submissionSources.code}, ${sampleRuns.code})`
          .mapWith(submissionSources.code)
          .as('code'),
        listenerId: listenerId.as('listenerId'),
      })
      .from(judgements)
      .leftJoin(submissions, eq(submissions.id, judgements.submissionId))
      .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
      .leftJoin(sampleRuns, eq(sampleRuns.id, judgements.id))
      .leftJoin(problems, eq(problems.id, problemId))
      .leftJoin(testDataVersions, eq(testDataVersions.id, judgements.testDataVersion))
      .where(isClaimed),
    db
      .select(getTableColumns(subtasks))
      .from(judgements)
      .innerJoin(subtasks, eq(subtasks.problemId, problemId))
      .where(isClaimed)
      .orderBy(asc(subtasks.position)),
    rawQuery<{ more: number }>(
      db,
      sql`select exists (select 1 from ${judgements} indexed by judgements_ready where ${isReady}) as more`,
    ),
  ])
  const isLeft = left?.more === 1
  if (!row) return { claimed: null, isLeft }
  const { id, submissionId, listenerId: told } = row
  const job = toJob(row, lease, plan, isLeft)
  return { claimed: { id, submissionId, job, listenerId: told }, isLeft }
}

/** Rows → contract. */
function toJob(
  row: JobRow,
  lease: string,
  plan: (typeof subtasks.$inferSelect)[],
  more: boolean,
): Job | Unjudgeable {
  const { id: judgementId, submissionId, attempt, rank, compare, version, sha256, size } = row
  if (!row.code || compare === null)
    return { reason: 'The source code of this submission is missing. Hand it in again.' }
  const code = languageCode.safeParse(row.languageType)
  if (!code.success)
    return { reason: `This judge has no language with the code ${row.languageType} any more.` }
  const language = languageOf(code.data)
  const job = {
    judgementId,
    submissionId: submissionId ?? judgementId,
    attempt,
    lease,
    leaseSeconds: JUDGING.leaseSeconds,
    language: language.id,
    source: Buffer.from(row.code).toString('base64'),
    compare,
    rank,
    more,
  }
  if (submissionId === null) {
    const inputs = row.inputs ?? []
    const subtask = runSubtask(plan.map(toSubtask), language)
    return { ...job, testData: { inputs }, tasks: inputs.map(() => subtask) }
  }
  if (version === null || size === null)
    return {
      reason: 'The problem has no test data that fit its subtasks. Upload them, then rejudge.',
    }
  return {
    ...job,
    testData: { version, sha256, size, url: `/api/runner/test-data/${version}` },
    tasks: plan.map((each) => withFactors(toSubtask(each), language)),
    ...(row.rejudge !== null && { rejudge: row.rejudge }),
  }
}
