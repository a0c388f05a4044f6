/** Claims: takes a job from the queue, which is the table `judgements`. */
import { and, asc, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import type { Job } from '#contract/judging'
import { languageCode, languageOf, withFactors } from '#contract/languages'
import { JUDGING, RUNNERS } from '#contract/limits'
import { rawQuery, aliasColumns, type Db } from '../../../db/client.ts'
import { takesJobs } from '../../../db/queue-estimate.ts'
import {
  judgements,
  problems,
  runners,
  sampleRuns,
  submissionSources,
  submissions,
  subtasks,
  testDataVersions,
} from '../../../db/schema.ts'
import { toSubtask } from '../../problems/queries.ts'
import { HAND_BACK, isAvoidedBy, isFree, noteHandBacks } from '../lease/hand-back-queries.ts'
import { listenerId } from '../lease/lease-queries.ts'
import {
  hasFreeRun,
  hasRunFor,
  isRunBeforeBulk,
  isRunOf,
  leaseRun,
  toRunJob,
} from './run-claim-queries.ts'
import { countClaim } from './empty-claims.ts'

/** A judgement just leased. */
interface Claim {
  judgementId: string
  submissionId: string
  attempt: number
}

/** The job that a claim has leased. */
interface ClaimedJob {
  /** Of the judgement or the sample run. */
  id: string
  isRun: boolean
  job: Job | Unjudgeable
  /** Whom to tell that it is being judged; null of a bulk rejudge, and of a sample run, which has nothing to tell before its end. */
  listenerId: number | null
}

/** Why nobody can judge a claim; for staff. */
export interface Unjudgeable {
  reason: string
}

/** The rows of a claimed judgement; null where they are missing. */
interface JobRow {
  languageType: number
  code: Buffer | null
  compare: Job['compare']
  version: string | null
  sha256: string | null
  size: number | null
  listenerId: number | null
  rejudge: string | null
}

/**
 * The claiming host. `slots`: the jobs it may hold, see `slotsOf`; `ahead`: how many more while there is a backlog.
 * `delivering`: those of them whose results are on their way. `takesRuns`: whether it takes sample runs now.
 */
export interface Claimant {
  id: string
  slots: number
  ahead?: number
  delivering?: string[] | undefined
  takesRuns?: boolean
}

/** The jobs a host may hold: its reported slots within its limit; one before it has reported. */
export function slotsOf({ slots, slotLimit }: { slots: number; slotLimit: number }): number {
  return Math.max(1, Math.min(slots, slotLimit))
}

/**
 * The statements that free jobs whose lease or pause is over, a hundred at a time. A claim reads only free
 * jobs, so it costs the same however many rest. A host that let a lease run out gets that job later than
 * others.
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

/** A job's number of cases and longest hold, from its present subtasks. */
const ofSubtasks = (what: SQL) =>
  sql`(select ${what} from ${submissions} join ${subtasks} on ${subtasks.problemId} = ${submissions.problemId}
    where ${submissions.id} = ${judgements.submissionId})`

/** The condition that a judgement is free: in the queue, without a lease or pause. */
const isReady = sql`${judgements.finishedAt} is null and ${judgements.leaseUntil} is null`

/** The number of judgements that a host holds. */
function leasedJobCount({ id: runnerId, slots, delivering = [] }: Claimant): SQL {
  const { id, finishedAt, leaseUntil } = judgements
  const isDelivering = sql`${id} in (select value from json_each(${JSON.stringify(delivering)}))`
  return sql`(select count(*) - min(${slots}, coalesce(sum(${isDelivering}), 0))
    from ${judgements} indexed by judgements_runner
    where ${judgements.runnerId} = ${runnerId} and ${finishedAt} is null
      and ${judgements.state} = 'leased' and ${leaseUntil} is not null)`
}

/** The condition that more judgements are free than live hosts have slots, so that one held ahead leaves no slot idle. */
function isBacklog(now: number): SQL {
  const liveSlots = sql`(select coalesce(sum(max(1, min(${runners.slots}, ${runners.slotLimit}))), 0) from ${runners}
    where ${takesJobs(now)})`
  return sql`(select count(*) from (select 1 from ${judgements} indexed by judgements_ready
    where ${isReady} limit ${liveSlots} + 1)) > ${liveSlots}`
}

/** The condition that a host holds fewer judgements than it may. Sample runs make room for them. */
function hasRoom(claimant: Claimant, now: number): SQL {
  const { slots, ahead = 0 } = claimant
  const leased = leasedJobCount(claimant)
  if (ahead === 0) return sql`${leased} < ${slots}`
  return sql`(${leased} < ${slots} or ${leased} < ${slots + Math.min(ahead, RUNNERS.aheadPerSlot * slots)} and ${isBacklog(now)})`
}

/**
 * The best judgement for a host: live before bulk, then the student with the fewest recent jobs, then the
 * oldest, without those that this host has just had. Sample runs come before bulk.
 */
function bestJob(claimant: Claimant, now: number): SQL {
  const { id, priority, attempt, finishedAt, leaseUntil } = judgements
  const isFirst = sql`(c.priority = 0 or not ${isRunBeforeBulk(claimant, leasedJobCount(claimant), now)})`
  return sql`(select c.id from (select ${id}, ${priority} from ${judgements} indexed by judgements_ready
      where ${finishedAt} is null and ${leaseUntil} is null and ${attempt} < ${JUDGING.maxAttempts}
      order by ${priority}, ${judgements.rank}, ${id} limit ${HAND_BACK.lookAhead}) c
    where not ${isAvoidedBy(sql`c.id`, claimant.id, now)} and ${isFirst} limit 1)`
}

/** Whether a claim of this host would find a job: a free one, one whose lease or pause is over, a sample run. */
export async function hasJobFor(db: Db, claimant: Claimant, now: number): Promise<boolean> {
  const { finishedAt, leaseUntil } = judgements
  const isRested = sql`exists (select 1 from ${judgements} indexed by judgements_resting
    where ${finishedAt} is null and ${leaseUntil} is not null and ${leaseUntil} < ${now})`
  const [row] = await rawQuery<{ found: number }>(
    db,
    sql`select ((${bestJob(claimant, now)} is not null or ${isRested}) and ${hasRoom(claimant, now)}
      or ${hasRunFor(claimant, leasedJobCount(claimant), now)}) as found`,
  )
  return row?.found === 1
}

/**
 * The statement that leases the best job. One conditional statement, so two runners never get the same job
 * and none more than it has slots.
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
      casesTotal: ofSubtasks(sql`coalesce(sum(${caseCount}), 0)`),
      holdUntil: sql`${now + JUDGING.holdSeconds} + ${ofSubtasks(sql`coalesce(${holdSeconds}, 0)`)}`,
      testDataVersion: sql`(select ${problems.testDataVersion} from ${submissions}
        join ${problems} on ${problems.id} = ${submissions.problemId}
        where ${submissions.id} = ${judgements.submissionId})`,
    })
    .where(sql`${id} = ${bestJob(claimant, now)} and ${hasRoom(claimant, now)}`)
    .returning({ judgementId: id, submissionId: judgements.submissionId, attempt })
}

/**
 * Leases the best job and loads what the runner needs, in one transaction, so that its subtasks fit its
 * test data whoever edits the problem meanwhile.
 * @param lease carried by every later call about this job
 * @param now epoch seconds
 * @returns what it found, if anything, and whether a job is free that this host may not have, or not now
 */
export async function claimBest(
  db: Db,
  claimant: Claimant,
  lease: string,
  now: number,
): Promise<{ claimed: ClaimedJob | null; isLeft: boolean }> {
  // Uses the index of the runner's open judgements.
  const isClaimed = and(
    eq(judgements.runnerId, claimant.id),
    eq(judgements.lease, lease),
    isNull(judgements.finishedAt),
  )
  const hasClaimed = sql`exists (select 1 from ${judgements} where ${isClaimed})`
  const hasRun = sql`exists (select 1 from ${sampleRuns} where ${isRunOf(claimant, lease)})`
  const [, , [claim], rows, plan, [left], , [run]] = await db.batch([
    ...freeExpired(db, now),
    leaseBest(db, claimant, lease, now),
    db
      .select({
        ...aliasColumns({
          languageType: submissions.languageType,
          code: submissionSources.code,
          compare: problems.compare,
          version: testDataVersions.id,
          sha256: testDataVersions.sha256,
          size: testDataVersions.sizeBytes,
          rejudge: judgements.rejudgeId,
        }),
        listenerId: listenerId.as('listenerId'),
      })
      .from(judgements)
      .innerJoin(submissions, eq(submissions.id, judgements.submissionId))
      .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
      .innerJoin(problems, eq(problems.id, submissions.problemId))
      .leftJoin(testDataVersions, eq(testDataVersions.id, judgements.testDataVersion))
      .where(isClaimed),
    db
      .select(getTableColumns(subtasks))
      .from(judgements)
      .innerJoin(submissions, eq(submissions.id, judgements.submissionId))
      .innerJoin(subtasks, eq(subtasks.problemId, submissions.problemId))
      .where(isClaimed)
      .orderBy(asc(subtasks.position)),
    rawQuery<{ more: number }>(
      db,
      sql`select exists (select 1 from ${judgements} indexed by judgements_ready where ${isReady})
        or ${hasFreeRun(claimant, now)} as more`,
    ),
    ...leaseRun(db, claimant, lease, leasedJobCount(claimant), sql`not ${hasClaimed}`, now),
    ...countClaim(db, claimant.id, sql`(${hasClaimed} or ${hasRun})`),
  ])
  const isLeft = left?.more === 1
  const ofRun = run && { id: run.id, isRun: true, job: toRunJob(run, lease), listenerId: null }
  if (ofRun) return { claimed: ofRun, isLeft }
  if (!claim) return { claimed: null, isLeft }
  const [row] = rows
  const job = { ...toJob(claim, lease, row, plan), more: isLeft }
  const whom = { listenerId: row?.listenerId ?? null }
  return { claimed: { id: claim.judgementId, isRun: false, job, ...whom }, isLeft }
}

/** Rows → contract. */
function toJob(
  claim: Claim,
  lease: string,
  row: JobRow | undefined,
  plan: (typeof subtasks.$inferSelect)[],
): Job | Unjudgeable {
  if (!row?.code)
    return { reason: 'The source code of this submission is missing. Hand it in again.' }
  if (row.version === null || row.size === null)
    return {
      reason: 'The problem has no test data that fit its subtasks. Upload them, then rejudge.',
    }
  const code = languageCode.safeParse(row.languageType)
  if (!code.success)
    return { reason: `This judge has no language with the code ${row.languageType} any more.` }
  const language = languageOf(code.data)
  return {
    ...claim,
    lease,
    leaseSeconds: JUDGING.leaseSeconds,
    language: language.id,
    source: Buffer.from(row.code).toString('base64'),
    testData: {
      version: row.version,
      sha256: row.sha256,
      size: row.size,
      url: `/api/runner/test-data/${row.version}`,
    },
    tasks: plan.map((row) => withFactors(toSubtask(row), language)),
    compare: row.compare,
    ...(row.rejudge !== null && { rejudge: row.rejudge }),
  }
}
