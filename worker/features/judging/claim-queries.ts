/** Taking a job from the queue that is the table `judgements`. */
import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Job } from '#contract/judging'
import { languageCode, languageOf, withFactors } from '#contract/languages'
import { JUDGING } from '#contract/limits'
import { execute, named, type Db } from '../../db/client.ts'
import {
  judgements,
  problems,
  submissions,
  submissionSources,
  subtasks,
  testDataVersions,
} from '../../db/schema.ts'
import { toSubtask } from '../problems/queries.ts'

/** A judgement that has just been leased. */
export interface Claim {
  judgementId: string
  submissionId: string
  attempt: number
}

/**
 * The last bulk rejudge begun before a bulk judgement was queued; null for a live one. A result found under
 * this name is never older than the rejudge that the judgement belongs to.
 */
const rejudgeBefore = sql<string | null>`case when ${judgements.priority} = 1 then
  (select j.id from jobs j where j.kind = 'rejudge' and j.id <= ${judgements.id} order by j.id desc limit 1) end`

/** Why a claim cannot be judged by anybody; for staff. */
export interface Unjudgeable {
  reason: string
}

/** What a claimed judgement is about; null where it is missing. */
interface JobRow {
  languageType: number
  code: Buffer | null
  compare: Job['compare']
  version: string | null
  sha256: string | null
  size: number | null
  rejudge: string | null
}

/**
 * The statement that leases the best job there is: live before bulk, then the student with the fewest recent jobs,
 * then the oldest. One conditional statement, so two runners never get the same one.
 */
function leaseBest(db: Db, runnerId: string, lease: string, now: number) {
  return execute<Claim>(
    db,
    sql`
    update ${judgements} set state = 'leased', lease = ${lease}, lease_until = ${now + JUDGING.leaseSeconds},
      attempt = attempt + 1, runner_id = ${runnerId}, claimed_at = ${now}, phase = 'compiling', cases_done = 0, reason = null,
      test_data_version = (select p.test_data_version from submissions s join problems p on p.id = s.problem_id
        where s.id = judgements.submission_id)
    where id = (select id from ${judgements}
      where finished_at is null and (lease_until is null or lease_until < ${now}) and attempt < ${JUDGING.maxAttempts}
      order by priority, rank, id limit 1)
      and finished_at is null and (lease_until is null or lease_until < ${now})
    returning id as judgementId, submission_id as submissionId, attempt`,
  )
}

/**
 * Leases the best job and loads what the runner needs to judge it, in one transaction: the subtasks are those that
 * its test data fit, whoever edits the problem meanwhile.
 * @param lease fences every later call about this job
 * @param now epoch seconds
 * @returns undefined when there is nothing to do
 */
export async function claimBest(
  db: Db,
  runnerId: string,
  lease: string,
  now: number,
): Promise<{ claim: Claim; job: Job | Unjudgeable } | undefined> {
  // Found by the index of the runner's open judgements.
  const isClaimed = and(
    eq(judgements.runnerId, runnerId),
    eq(judgements.lease, lease),
    isNull(judgements.finishedAt),
  )
  const [[claim], rows, tasks] = await db.batch([
    leaseBest(db, runnerId, lease, now),
    db
      .select({
        ...named({
          languageType: submissions.languageType,
          code: submissionSources.code,
          compare: problems.compare,
          version: testDataVersions.id,
          sha256: testDataVersions.sha256,
          size: testDataVersions.sizeBytes,
        }),
        rejudge: rejudgeBefore.as('rejudge'),
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
  ])
  const row = rows[0]
  if (!claim) return undefined
  return { claim, job: toJob(claim, lease, row, tasks) }
}

/** Rows → contract. */
function toJob(
  claim: Claim,
  lease: string,
  row: JobRow | undefined,
  tasks: (typeof subtasks.$inferSelect)[],
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
    tasks: tasks.map((row) => withFactors(toSubtask(row), language)),
    compare: row.compare,
    ...(row.rejudge !== null && { rejudge: row.rejudge }),
  }
}

/** The job of a lease that still holds. */
export function heldBy(judgementId: string, lease: string) {
  return and(
    eq(judgements.id, judgementId),
    eq(judgements.lease, lease),
    eq(judgements.state, 'leased'),
  )
}
