/** Accepting a submission: everything is checked and written in one transaction. */
import { sql, type SQL } from 'drizzle-orm'
import type { LanguageCode } from '#contract/languages'
import { JUDGING, QUOTA_UNLIMITED } from '#contract/limits'
import { can } from '#contract/roles'
import { execute, type Db } from '../../db/client.ts'
import { keepingResults } from '../../db/problem-results.ts'
import { takeToken, wasAllowed, type RateAnswer } from '../../db/rate-limits.ts'
import { judgements, problemResults, submissions, submissionSources } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { quotaUsedSince } from '../problems/queries.ts'
import { selectTarget, sourceBucket, type SubmitTarget } from './target-queries.ts'

/** A new submission without its code. Times in epoch seconds. */
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
  return sql<number>`(select coalesce(max(o.ordinal), 0) + 1 from (select ordinal from ${submissions}
    where user_id = ${userId} order by id desc limit 1) o)`
}

/** How many others a person has made since an id: the newest of them and the first since then tell. */
function countOthersSince(userId: number, since: string): SQL {
  const end = (order: 'asc' | 'desc') => sql`(select ordinal from ${submissions}
    where user_id = ${userId} and id >= ${since} order by id ${sql.raw(order)} limit 1)`
  return sql`max(0, coalesce(${end('desc')} - ${end('asc')}, 0))`
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
      ordinal: nextOrdinal(row.userId),
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

/** The day whose submissions the quota counts; undefined where none counts. */
function quotaDayOf(target: SubmitTarget, { userId, quotaStart }: Acceptance) {
  if (quotaStart === null || target.quota === QUOTA_UNLIMITED) return undefined
  return { start: quotaStart, uses: quotaUsedSince(userId, target.problemId, quotaStart) }
}

/** Whether the quota has room; decided inside the transaction, so that parallel submissions cannot overdraw it. */
function quotaHasRoom(target: SubmitTarget, accepted: Acceptance): SQL {
  const day = quotaDayOf(target, accepted)
  if (!day) return sql`1`
  return sql`coalesce((select iif(quota_since = ${day.start}, quota_uses, ${day.uses}) from ${problemResults}
    where problem_id = ${target.problemId} and user_id = ${accepted.userId}), 0) < ${target.quota}`
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
        ${countOthersSince(userId, since)}, ${now}, ${now}, 'queued', (select sum(case_count) from subtasks where problem_id = ${target.problemId})
      where ${isMine}`,
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
  const insert = execute<{ id: string }>(
    db,
    sql`insert into ${submissions}
      (id, problem_id, course_id, user_id, language_type, status, score, judgement_id, quota_used, ip,
        created_at, accepted_at, idempotency_key, ordinal)
    select ${row.id}, ${target.problemId}, ${target.courseId}, ${row.userId}, ${row.languageType}, -1, 0,
      ${accepted.judgementId}, ${accepted.quotaStart === null ? 0 : 1}, ${row.ip}, ${row.now}, ${row.now},
      ${row.idempotencyKey}, ${nextOrdinal(row.userId)}
    where ${quotaHasRoom(target, accepted)}
    on conflict do nothing
    returning id`,
  )
  const changes = [insert, ...sourceAndJudgement(db, target, accepted)] as const
  const day = quotaDayOf(target, accepted)
  const [, inserted] = await db.batch(keepingResults(db, sql`${row.id}`, changes, day))
  return inserted.length > 0
}

/**
 * Accepts the code of a claimed submission.
 * @returns what the limit on source code says, and whether the code was accepted: nothing was written when the limit says
 * no, the quota is used up, the problem is out of sight by now or the code has come already
 */
export async function acceptClaimed(
  db: Db,
  user: SessionUser,
  target: SubmitTarget,
  accepted: Acceptance,
): Promise<{ rate: RateAnswer[]; isAccepted: boolean }> {
  const { key, rule, cost } = sourceBucket(user.id, accepted.code.byteLength)
  const isLimited = !can(target.standing, 'quota.exempt')
  const update = execute<{ id: string }>(
    db,
    sql`update ${submissions}
    set status = -1, judgement_id = ${accepted.judgementId}, accepted_at = ${accepted.now},
      quota_used = ${accepted.quotaStart === null ? 0 : 1}
    where id = ${accepted.submissionId} and status = -2 and ${quotaHasRoom(target, accepted)}
      and ${isLimited ? wasAllowed(key) : sql`1`}
      and exists ${selectTarget(db, { user, now: accepted.now }, target.problemId)}
    returning id`,
  )
  const changes = [update, ...sourceAndJudgement(db, target, accepted)] as const
  const [rate, , updated] = await db.batch([
    takeToken(db, key, rule, Date.now(), sql`${Number(isLimited)}`, cost),
    ...keepingResults(db, sql`${accepted.submissionId}`, changes, quotaDayOf(target, accepted)),
  ])
  return { rate, isAccepted: updated.length > 0 }
}

/** Claimed submissions whose code never came go after ten minutes. */
export async function deleteStaleClaims(db: Db, before: number): Promise<void> {
  await db.delete(submissions).where(sql`status = -2 and id < ${hexIdAt(before * 1000)}`)
}
