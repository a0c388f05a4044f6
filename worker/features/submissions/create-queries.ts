/** Accepts submissions: everything is checked and written in one transaction. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { LanguageCode } from '#contract/languages/codes'
import { JUDGING, QUOTA_UNLIMITED } from '#contract/limits'
import { can } from '#contract/roles'
import { STATUS } from '#contract/verdicts'
import type { Db } from '../../db/client.ts'
import { addContributions, keepingResults } from '../../db/problem-results.ts'
import { takeToken, wasAllowed, type RateAnswer } from '../../db/rate-limits.ts'
import {
  PRIORITY,
  judgements,
  problemResults,
  submissionSources,
  submissions,
  subtasks,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { insertSelect, inlineNumber } from '../../db/statements.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { quotaUsedSince } from '../problems/queries.ts'
import { isInTime, selectTarget, sourceBucket, type SubmitTarget } from './target-queries.ts'

/** A new submission without code. Times in epoch seconds. */
interface NewRow {
  id: string
  userId: number
  ip: string
  languageType: LanguageCode
  idempotencyKey: string | null
  now: number
}

/** The ordinal of a person's next submission. */
function nextOrdinal(userId: number): SQL<number> {
  return sql<number>`(select coalesce(max(${submissions.ordinal}), 0) + 1
    from (select ${submissions.ordinal} from ${submissions}
      where ${submissions.userId} = ${userId} order by ${submissions.id} desc limit 1) ${submissions})`
}

/** How many submissions a person has made since the id `since`, without the newest one: the difference of two ordinals. */
function countOthersSince(userId: number, since: string): SQL {
  const end = (order: 'asc' | 'desc') => sql`(select ${submissions.ordinal} from ${submissions}
    where ${submissions.userId} = ${userId} and ${submissions.id} >= ${since}
    order by ${submissions.id} ${sql.raw(order)} limit 1)`
  return sql`max(0, coalesce(${end('desc')} - ${end('asc')}, 0))`
}

/**
 * Stores the first step of a two-step submission: it uses no quota and is in no list.
 * @returns false when another call with the Idempotency-Key has made a submission in the meantime
 */
export async function insertClaimed(db: Db, target: SubmitTarget, row: NewRow): Promise<boolean> {
  const inserted = await db
    .insert(submissions)
    .values({
      id: row.id,
      problemId: target.problemId,
      courseId: target.courseId,
      userId: row.userId,
      languageType: row.languageType,
      status: STATUS.CLAIMED,
      quotaUsed: 0,
      ip: row.ip,
      createdAt: row.now,
      idempotencyKey: row.idempotencyKey,
      ordinal: nextOrdinal(row.userId),
    })
    .onConflictDoNothing()
    .returning({ id: submissions.id })
  return inserted.length > 0
}

/** The data for accepting. `quotaStart` null: this person has no quota. */
export interface Acceptance {
  submissionId: string
  judgementId: string
  userId: number
  code: Uint8Array
  quotaStart: number | null
  now: number
}

/** The day that the quota counts; undefined without a quota. */
function quotaDayOf(target: SubmitTarget, { userId, quotaStart }: Acceptance) {
  if (quotaStart === null || target.quota === QUOTA_UNLIMITED) return undefined
  return { start: quotaStart, uses: quotaUsedSince(userId, target.problemId, quotaStart) }
}

/**
 * The condition that the quota has room; asked inside the transaction, so that parallel submissions cannot
 * overdraw it.
 */
function quotaHasRoom(target: SubmitTarget, accepted: Acceptance): SQL {
  const day = quotaDayOf(target, accepted)
  if (!day) return sql`1`
  const { quotaSince, quotaUses, problemId, userId } = problemResults
  return sql`coalesce((select iif(${quotaSince} = ${day.start}, ${quotaUses}, ${day.uses}) from ${problemResults}
    where ${problemId} = ${target.problemId} and ${userId} = ${accepted.userId}), 0) < ${target.quota}`
}

/** The statements that store an accepted submission's source and judgement; they store nothing if it was not accepted. */
function sourceAndJudgement(db: Db, target: SubmitTarget, accepted: Acceptance) {
  const { submissionId, judgementId, userId, code, now } = accepted
  const isMine = sql`where exists (select 1 from ${submissions}
    where ${submissions.id} = ${submissionId} and ${submissions.judgementId} = ${judgementId})`
  const since = hexIdAt((now - JUDGING.rankWindowSeconds) * 1000)
  return [
    insertSelect(db, submissionSources, { submissionId, code: sql`${code}` }, isMine),
    insertSelect(
      db,
      judgements,
      {
        id: judgementId,
        submissionId,
        courseId: target.courseId,
        userId,
        state: 'queued',
        priority: PRIORITY.live,
        rank: countOthersSince(userId, since),
        queuedAt: now,
        ticketAt: now,
        phase: 'queued',
        casesTotal: sql`(select sum(${subtasks.caseCount}) from ${subtasks}
            where ${subtasks.problemId} = ${target.problemId})`,
      },
      isMine,
    ),
  ] as const
}

/**
 * Accepts a one-step submission.
 * @returns false when the quota is used up or the Idempotency-Key has made a submission in the meantime; then
 * nothing was written
 */
export async function insertAccepted(
  db: Db,
  target: SubmitTarget,
  row: NewRow,
  accepted: Acceptance,
): Promise<boolean> {
  const insert = insertSelect<typeof submissions, { id: string }>(
    db,
    submissions,
    {
      id: row.id,
      problemId: target.problemId,
      courseId: target.courseId,
      userId: row.userId,
      languageType: row.languageType,
      status: STATUS.PENDING,
      score: 0,
      judgementId: accepted.judgementId,
      quotaUsed: accepted.quotaStart === null ? 0 : 1,
      ip: row.ip,
      createdAt: row.now,
      acceptedAt: row.now,
      idempotencyKey: row.idempotencyKey,
      ordinal: nextOrdinal(row.userId),
    },
    sql`where ${quotaHasRoom(target, accepted)} on conflict do nothing returning ${submissions.id}`,
  )
  const [inserted] = await db.batch([
    insert,
    ...sourceAndJudgement(db, target, accepted),
    addContributions(db, sql`${row.id}`, quotaDayOf(target, accepted)),
  ])
  return inserted.length > 0
}

/**
 * Accepts the code of a claimed submission.
 * @returns the answer of the limit on source code, and whether the code was accepted. Nothing was written
 * when the limit or the quota is used up, the problem is hidden by now, or the code has come already
 */
export async function acceptClaimed(
  db: Db,
  user: SessionUser,
  target: SubmitTarget,
  accepted: Acceptance,
): Promise<{ rate: RateAnswer[]; isAccepted: boolean }> {
  const { key, rule, cost } = sourceBucket(user.id, accepted.code.byteLength)
  const isLimited = !can(target.standing, 'quota.exempt')
  const update = db
    .update(submissions)
    .set({
      status: STATUS.PENDING,
      judgementId: accepted.judgementId,
      acceptedAt: accepted.now,
      quotaUsed: accepted.quotaStart === null ? 0 : 1,
    })
    .where(
      and(
        eq(submissions.id, accepted.submissionId),
        sql`${submissions.status} = ${inlineNumber(STATUS.CLAIMED)}`,
        quotaHasRoom(target, accepted),
        isInTime(accepted.now),
        isLimited ? wasAllowed(key) : undefined,
        sql`exists ${selectTarget(db, { user, now: accepted.now }, target.problemId)}`,
      ),
    )
    .returning({ id: submissions.id })
  const changes = [update, ...sourceAndJudgement(db, target, accepted)] as const
  const [rate, , updated] = await db.batch([
    takeToken(db, key, rule, Date.now(), sql`${Number(isLimited)}`, cost),
    ...keepingResults(db, sql`${accepted.submissionId}`, changes, quotaDayOf(target, accepted)),
  ])
  return { rate, isAccepted: updated.length > 0 }
}

/** Deletes claimed submissions whose code never came. */
export async function deleteStaleClaims(db: Db, before: number): Promise<void> {
  await db
    .delete(submissions)
    .where(
      sql`${submissions.status} = ${inlineNumber(STATUS.CLAIMED)} and ${submissions.id} < ${hexIdAt(before * 1000)}`,
    )
}
