/** Reads what decides whether a submission is accepted: the problem as its submitter sees it, rate limits, earlier submissions. */
import { and, eq, isNull, sql, type Placeholder, type SQL } from 'drizzle-orm'
import type { LanguageCode } from '#contract/languages/codes'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import { can, standingsThatCan, type Standing } from '#contract/roles'
import { STATUS } from '#contract/verdicts'
import { bindValues, aliasColumns, preparedOnce, type Db } from '../../db/client.ts'
import { courses, memberships, problems, submissionSources, submissions } from '../../db/schema.ts'
import { ownQuota } from '../../db/own-quota.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ASKER, askerValues, ownMembership, standingOf, type Asker } from '../../db/standing.ts'
import { inlineNumber } from '../../db/statements.ts'
import { visibleBy } from '../../db/visibility.ts'
import { networkOf } from '../../http/client.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { takeTokens, type Bucket, type RateAnswer } from '../../db/rate-limits.ts'

/** Seconds after which a two-step submission without code is deleted. */
export const CLAIMED_SUBMISSION_SECONDS = 600

/** Limits on the submissions of one person and from one IP address. */
export const SUBMIT_LIMITS = { burst: 20, perMinute: 30, perAddressPerMinute: 600 } as const

/**
 * The bytes of source code that a student may hand in: `burst` at once, and as many again per day. In a day that is 256 programs of full
 * length or 8,000 programs of two kilobytes; in a year it is less than 6 GiB.
 */
export const SOURCE_BUDGET = {
  burst: 16 * 1024 ** 2,
  intervalMs: 86_400_000 / (16 * 1024 ** 2),
} as const

/** The facts that decide about a submission. */
export interface SubmitTarget {
  problemId: number
  courseId: number
  timeZone: string
  standing: Standing
  /** The submitter's own. */
  quota: number
  allowedLanguage: number
  testDataVersion: string | null
}

/** The columns of a `SubmitTarget`. */
function targetColumns(user: Asker, now: number | Placeholder) {
  return {
    standing: standingOf(user),
    quota: ownQuota(user.id, now).as('quota'),
    ...aliasColumns({
      problemId: problems.id,
      courseId: courses.id,
      timeZone: courses.timeZone,
      allowedLanguage: problems.allowedLanguage,
      testDataVersion: problems.testDataVersion,
    }),
  }
}

/** The submission that an Idempotency-Key has made. */
export interface EarlierSubmission {
  id: string
  problemId: number
  languageType: LanguageCode
  /** Null while the code has not come. */
  code: Buffer | null
}

/** The select of the submission that a person's Idempotency-Key has made. */
function selectEarlier(db: Db, userId: number | Placeholder, idempotencyKey: string | Placeholder) {
  return db
    .select({
      id: submissions.id,
      problemId: submissions.problemId,
      languageType: submissions.languageType,
      code: submissionSources.code,
    })
    .from(submissions)
    .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
    .where(and(eq(submissions.userId, userId), eq(submissions.idempotencyKey, idempotencyKey)))
}

/** The submission that an earlier call with the person's Idempotency-Key has made, if any. */
export async function findEarlier(
  db: Db,
  userId: number,
  idempotencyKey: string | null,
): Promise<EarlierSubmission | undefined> {
  return idempotencyKey === null ? undefined : selectEarlier(db, userId, idempotencyKey).get()
}

/**
 * The submitter. `perMinute` 0 turns the rate limit off. `sourceBytes`: 0 if the code comes later. `now` in
 * epoch seconds.
 */
interface Submitting {
  user: SessionUser
  ip: string
  perMinute: number
  sourceBytes: number
  now: number
}

/** The select of the problem, if the user sees it. */
export function selectTarget(
  db: Db,
  { user, now }: { user: Asker; now: number | Placeholder },
  problemId: number | Placeholder,
) {
  return db
    .select(targetColumns(user, now))
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt), visibleBy(user, now)))
}

/** The standings to which the limits apply. */
function limitedStandings(): Standing[] {
  return standingsThatCan('submission.create').filter((each) => !can(each, 'quota.exempt'))
}

/** The limit on source code per person. Code that is too long costs as much as the longest allowed. */
export function sourceBucket(userId: number, bytes: number): Bucket {
  const cost = Math.min(bytes, SOURCE_LIMIT_BYTES)
  return { key: `source:user:${userId}`, rule: SOURCE_BUDGET, cost }
}

/**
 * The limits on a submission. The person's own limits come first, so that after a refusal people who share the IP address lose no
 * token.
 */
function bucketsOf({ user, ip, perMinute, sourceBytes }: Submitting): Bucket[] {
  const source = sourceBytes === 0 ? [] : [sourceBucket(user.id, sourceBytes)]
  if (perMinute === 0) return source
  const { perAddressPerMinute, burst } = SUBMIT_LIMITS
  const own = { burst, intervalMs: 60_000 / perMinute }
  const shared = { burst: perAddressPerMinute, intervalMs: 60_000 / perAddressPerMinute }
  return [
    { key: `submit:user:${user.id}`, rule: own },
    ...source,
    { key: `submit:address:${networkOf(ip)}`, rule: shared },
  ]
}

/** The statements that take tokens of these limits from people to whom they apply. Repeated Idempotency-Keys take no token. */
function takeSubmitTokens(
  db: Db,
  user: SessionUser,
  [first, ...others]: Bucket[],
  problemId: number,
  idempotencyKey: string | null,
) {
  if (first === undefined) return []
  const found = db
    .select({ standing: standingOf(user) })
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(eq(problems.id, problemId))
  const standing = sql`coalesce(${found}, 'outsider')`
  const limited = limitedStandings()
  const isNew = sql`not exists ${selectEarlier(db, user.id, idempotencyKey ?? '')}`
  const isConcerned = sql`${standing} in ${limited} and ${isNew}`
  return takeTokens(db, [first, ...others], Date.now(), isConcerned).statements
}

/** The queries before every submission, prepared once per client. */
const targetQueries = preparedOnce((db) => ({
  target: selectTarget(
    db,
    { user: ASKER, now: sql.placeholder('now') },
    sql.placeholder('problemId'),
  ).prepare(),
  earlier: selectEarlier(db, ASKER.id, sql.placeholder('idempotencyKey')).prepare(),
}))

/**
 * The problem if the user sees it, the answers of the limits on rate and source code, and the submission that the Idempotency-Key
 * made before.
 */
export async function findSubmitTarget(
  db: Db,
  submitting: Submitting,
  problemId: number,
  idempotencyKey: string | null,
): Promise<{
  target?: SubmitTarget
  rates: RateAnswer[][]
  sourceRates: RateAnswer[][]
  earlier?: EarlierSubmission
}> {
  const asker = askerValues(submitting.user)
  const queries = targetQueries(db)
  const buckets = bucketsOf(submitting)
  const [targets, earlier, ...answers] = await db.batch([
    bindValues(queries.target, { problemId, now: submitting.now, ...asker }),
    bindValues(queries.earlier, { idempotencyKey: idempotencyKey ?? '', ...asker }),
    ...takeSubmitTokens(db, submitting.user, buckets, problemId, idempotencyKey),
  ])
  const sourceAt = buckets.findIndex(({ cost }) => cost !== undefined)
  return {
    target: targets[0],
    rates: answers.filter((_, index) => index !== sourceAt),
    sourceRates: answers.filter((_, index) => index === sourceAt),
    earlier: earlier[0],
  }
}

/**
 * The condition that a submission has its code, or may still get it. An older submission gets none, even if a late sweeper has not
 * deleted it yet: homeworks and rejudges rely on ids that are at most ten minutes older than their code.
 * @param now epoch seconds
 */
export function isInTime(now: number): SQL {
  const oldest = hexIdAt((now - CLAIMED_SUBMISSION_SECONDS) * 1000)
  return sql`(${submissions.status} <> ${inlineNumber(STATUS.CLAIMED)} or ${submissions.id} >= ${oldest})`
}

/**
 * A claimed submission that waits for its code, with the present problem, while its submitter sees it.
 * Nobody else finds it.
 */
export async function findClaimed(db: Db, user: SessionUser, submissionId: string, now: number) {
  return db
    .select({
      ...targetColumns(user, now),
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
        isInTime(now),
        visibleBy(user, now),
      ),
    )
    .get()
}
