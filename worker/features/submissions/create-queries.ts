/** Accepting a submission: everything is checked and written in one transaction. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { LanguageCode } from '#contract/languages'
import { JUDGING, QUOTA_UNLIMITED, SUBMIT_LIMITS } from '#contract/limits'
import type { Standing } from '#contract/roles'
import { execute, named, type Db } from '../../db/client.ts'
import { refreshProblemResults } from '../../db/problem-results.ts'
import {
  courses,
  judgements,
  memberships,
  problems,
  submissions,
  submissionSources,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { networkOf } from '../../http/client.ts'
import { takeToken, type RateAnswer } from '../../http/rate-limit.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { quotaUsedSince } from '../problems/queries.ts'
import { visibleBy } from '../../db/visibility.ts'

/** What decides whether a submission is accepted. */
export interface SubmitTarget {
  problemId: number
  courseId: number
  timeZone: string
  standing: Standing
  quota: number
  allowedLanguage: number
  testDataVersion: string | null
}

/** The columns of a `SubmitTarget`. */
function targetColumns(user: SessionUser) {
  return {
    standing: standingOf(user),
    ...named({
      problemId: problems.id,
      courseId: courses.id,
      timeZone: courses.timeZone,
      quota: problems.quota,
      allowedLanguage: problems.allowedLanguage,
      testDataVersion: problems.testDataVersion,
    }),
  }
}

/** The submission an Idempotency-Key already made. */
export interface EarlierSubmission {
  id: string
  problemId: number
  languageType: LanguageCode
}

/** The select of what an Idempotency-Key of somebody has made. */
function selectEarlier(db: Db, userId: number, idempotencyKey: string | null) {
  return db
    .select({
      id: submissions.id,
      problemId: submissions.problemId,
      languageType: submissions.languageType,
    })
    .from(submissions)
    .where(
      and(eq(submissions.userId, userId), eq(submissions.idempotencyKey, idempotencyKey ?? '')),
    )
}

/** What an Idempotency-Key of somebody has made by now. */
export async function findEarlier(
  db: Db,
  userId: number,
  idempotencyKey: string | null,
): Promise<EarlierSubmission | undefined> {
  return idempotencyKey === null ? undefined : selectEarlier(db, userId, idempotencyKey).get()
}

/** Who submits from where; `perMinute` 0 turns the rate limit off. `now` in epoch seconds. */
export interface Submitting {
  user: SessionUser
  ip: string
  perMinute: number
  now: number
}

/**
 * The problem if the user sees it, what the rate limits say, and what the Idempotency-Key made before.
 */
export async function findSubmitTarget(
  db: Db,
  { user, ip, perMinute, now }: Submitting,
  problemId: number,
  idempotencyKey: string | null,
): Promise<{ target?: SubmitTarget; rates: RateAnswer[][]; earlier?: EarlierSubmission }> {
  const nowMs = Date.now()
  const own = { burst: SUBMIT_LIMITS.burst, intervalMs: 60_000 / Math.max(1, perMinute) }
  const { perAddressPerMinute } = SUBMIT_LIMITS
  const shared = { burst: perAddressPerMinute, intervalMs: 60_000 / perAddressPerMinute }
  const [targets, earlier, ...rates] = await db.batch([
    db
      .select(targetColumns(user))
      .from(problems)
      .innerJoin(courses, eq(courses.id, problems.courseId))
      .leftJoin(memberships, ownMembership(user))
      .where(
        and(
          eq(problems.id, problemId),
          isNull(courses.deletedAt),
          visibleBy(standingOf(user), now),
        ),
      ),
    selectEarlier(db, user.id, idempotencyKey),
    ...(perMinute === 0
      ? []
      : [
          takeToken(db, `submit:user:${user.id}`, own, nowMs),
          takeToken(db, `submit:address:${networkOf(ip)}`, shared, nowMs),
        ]),
  ])
  return { target: targets[0], rates, earlier: earlier[0] }
}

/**
 * A claimed submission that waits for its code, with the problem as it is now, as long as its submitter sees it.
 * Nobody else finds it.
 */
export async function findClaimed(db: Db, user: SessionUser, submissionId: string, now: number) {
  return db
    .select({
      ...targetColumns(user),
      status: submissions.status,
      languageType: submissions.languageType,
    })
    .from(submissions)
    .innerJoin(problems, eq(problems.id, submissions.problemId))
    .innerJoin(courses, eq(courses.id, submissions.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(
      and(
        eq(submissions.id, submissionId),
        eq(submissions.userId, user.id),
        isNull(courses.deletedAt),
        visibleBy(standingOf(user), now),
      ),
    )
    .get()
}

/** A new submission without its code. Times in epoch seconds. */
export interface NewRow {
  id: string
  userId: number
  ip: string
  languageType: LanguageCode
  idempotencyKey: string | null
  now: number
}

/**
 * Notes the first step of a two-step submission: no quota used, in no list.
 * @returns false when the Idempotency-Key has made a submission in the meantime
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
      status: -2,
      quotaUsed: 0,
      ip: row.ip,
      createdAt: row.now,
      idempotencyKey: row.idempotencyKey,
    })
    .onConflictDoNothing()
    .returning({ id: submissions.id })
  return inserted.length > 0
}

/** What accepting needs to know. `quotaStart` null: no quota for this person. */
export interface Acceptance {
  submissionId: string
  judgementId: string
  userId: number
  code: Uint8Array
  quotaStart: number | null
  now: number
}

/** Whether the quota has room; decided inside the transaction, so that parallel submissions cannot overdraw it. */
function quotaHasRoom(target: SubmitTarget, { userId, quotaStart }: Acceptance): SQL {
  if (quotaStart === null || target.quota === QUOTA_UNLIMITED) return sql`1`
  return sql`${quotaUsedSince(userId, target.problemId, quotaStart)} < ${target.quota}`
}

/** The statements that give an accepted submission its source and its judgement; nothing if it was not accepted. */
function sourceAndJudgement(db: Db, target: SubmitTarget, accepted: Acceptance) {
  const { submissionId, judgementId, userId, now } = accepted
  const isMine = sql`exists (select 1 from ${submissions} where id = ${submissionId} and judgement_id = ${judgementId})`
  const since = hexIdAt((now - JUDGING.rankWindowSeconds) * 1000)
  return [
    execute(
      db,
      sql`insert into ${submissionSources} (submission_id, code)
      select ${submissionId}, ${accepted.code} where ${isMine}`,
    ),
    execute(
      db,
      sql`insert into ${judgements}
        (id, submission_id, course_id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
      select ${judgementId}, ${submissionId}, ${target.courseId}, ${userId}, 'queued', 0,
        (select count(*) from ${submissions} where user_id = ${userId} and id >= ${since} and id <> ${submissionId}
          and status <> -2),
        ${now}, ${now}, 'queued', (select sum(case_count) from subtasks where problem_id = ${target.problemId})
      where ${isMine}`,
    ),
    refreshProblemResults(db, sql`${submissionId}`),
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
  const [inserted] = await db.batch([
    execute<{ id: string }>(
      db,
      sql`insert into ${submissions}
        (id, problem_id, course_id, user_id, language_type, status, score, judgement_id, quota_used, ip,
          created_at, accepted_at, idempotency_key)
      select ${row.id}, ${target.problemId}, ${target.courseId}, ${row.userId}, ${row.languageType}, -1, 0,
        ${accepted.judgementId}, ${accepted.quotaStart === null ? 0 : 1}, ${row.ip}, ${row.now}, ${row.now}, ${row.idempotencyKey}
      where ${quotaHasRoom(target, accepted)}
      on conflict do nothing
      returning id`,
    ),
    ...sourceAndJudgement(db, target, accepted),
  ])
  return inserted.length > 0
}

/**
 * Accepts the code of a claimed submission.
 * @returns false when the quota is used up or the code has come already; then nothing was written
 */
export async function acceptClaimed(
  db: Db,
  target: SubmitTarget,
  accepted: Acceptance,
): Promise<boolean> {
  const [updated] = await db.batch([
    execute<{ id: string }>(
      db,
      sql`update ${submissions}
      set status = -1, judgement_id = ${accepted.judgementId}, accepted_at = ${accepted.now},
        quota_used = ${accepted.quotaStart === null ? 0 : 1}
      where id = ${accepted.submissionId} and status = -2 and ${quotaHasRoom(target, accepted)}
      returning id`,
    ),
    ...sourceAndJudgement(db, target, accepted),
  ])
  return updated.length > 0
}

/** Claimed submissions whose code never came go after ten minutes. */
export async function deleteStaleClaims(db: Db, before: number): Promise<void> {
  await db.delete(submissions).where(sql`status = -2 and id < ${hexIdAt(before * 1000)}`)
}
