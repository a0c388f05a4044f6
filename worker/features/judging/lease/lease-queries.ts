/** Leases: every call about a job must carry its valid lease. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { languageOf, withFactors } from '#contract/languages'
import { languageCode } from '#contract/languages/codes'
import type { CheckedSubtask } from '#contract/judging/result-check'
import type { Db } from '../../../db/client.ts'
import { judgements, sampleRuns, submissions, testDataVersions } from '../../../db/schema.ts'
import { runSubtask } from '../claim/run-subtask.ts'

/**
 * The person who is told of a judgement's progress and end: its submitter. Null for a bulk rejudge: students hear of it once it is
 * applied.
 */
export const listenerId = sql<
  number | null
>`iif(${judgements.rejudgeId} is null, ${judgements.userId}, null)`

/** The language of a job; the query has to join submissions and sample runs. */
export const languageType = sql<number>`coalesce(${submissions.languageType}, ${sampleRuns.languageType})`

/** The condition that a lease is valid. */
export function isLeaseValid(judgementId: string, lease: string) {
  return and(
    eq(judgements.id, judgementId),
    eq(judgements.lease, lease),
    eq(judgements.state, 'leased'),
  )
}

/** The state of a result's lease. `subtasks`: the plan against which the result is checked; null if there is none. */
type LeaseState =
  | { lease: 'valid'; subtasks: CheckedSubtask[] | null }
  /** The result is stored. */
  | { lease: 'stored' }
  | { lease: 'stale' }

/** The row that tells the state of a lease. */
export function selectLease(db: Db, judgementId: string) {
  return db
    .select({
      state: judgements.state,
      lease: judgements.lease,
      runnerId: judgements.runnerId,
      plan: judgements.plan,
      casesTotal: judgements.casesTotal,
      submissionId: judgements.submissionId,
      listenerId: listenerId.as('listenerId'),
      languageType: languageType.as('languageType'),
      sampleCount: sampleRuns.sampleCount,
    })
    .from(judgements)
    .leftJoin(submissions, eq(submissions.id, judgements.submissionId))
    .leftJoin(sampleRuns, eq(sampleRuns.id, judgements.id))
    .where(eq(judgements.id, judgementId))
}

/** The row of a judgement's lease. */
export type LeaseRow = Awaited<ReturnType<typeof selectLease>>[number]

/** The state of a lease. @param row the judgement's; undefined when there is no such judgement */
export function leaseStateOf(row: LeaseRow | undefined, lease: string): LeaseState {
  if (row?.lease !== lease) return { lease: 'stale' }
  if (row.state === 'done') return { lease: 'stored' }
  if (row.state !== 'leased') return { lease: 'stale' }
  const language = languageOf(languageCode.parse(row.languageType))
  const planned = row.plan?.map(([caseCount, taskScore, timeLimit, isSample]) => ({
    caseCount,
    taskScore,
    timeLimit,
    memoryLimit: 0,
    outputLimit: 0,
    sample: isSample === 1,
  }))
  if (!planned) return { lease: 'valid', subtasks: null }
  const subtasks =
    row.submissionId === null
      ? Array.from({ length: row.casesTotal }, () => runSubtask(planned, language))
      : planned.map((subtask) => withFactors(subtask, language))
  return { lease: 'valid', subtasks }
}

/** A version of test data, if the runner holds a job that needs this version. */
export async function getLeasedTestData(db: Db, runnerId: string, version: string, now: number) {
  return db
    .select({ objectKey: testDataVersions.objectKey, sizeBytes: testDataVersions.sizeBytes })
    .from(judgements)
    .innerJoin(testDataVersions, eq(testDataVersions.id, judgements.testDataVersion))
    .where(
      and(
        // Uses the index of the runner's open judgements.
        eq(judgements.runnerId, runnerId),
        isNull(judgements.finishedAt),
        eq(judgements.state, 'leased'),
        sql`${judgements.leaseUntil} >= ${now}`,
        eq(testDataVersions.id, version),
      ),
    )
    .limit(1)
    .get()
}
