/**
 * Rate limits: a token bucket per key, stored as one time (generic cell rate algorithm, ITU-T I.371). A
 * check is one atomic upsert, so parallel calls cannot pass together.
 */
import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm'
import type { Db } from './client.ts'
import { SWEEP } from './retention.ts'
import { rateLimits } from './schema.ts'
import { insertSelect, onConflictUpdate } from './statements.ts'
import { nextPage } from './sweep-cursors.ts'

/** `burst` calls at once, then one per interval. */
export interface RateRule {
  burst: number
  intervalMs: number
}

/** A limit for one key; see `takeToken`. */
export interface Bucket {
  key: string
  rule: RateRule
  cost?: number
}

/** A limit that gave a token, and when its bucket is full again without further calls. */
export interface DebitedBucket extends Bucket {
  fullAtMs: number
}

/** The answer of a limit. `waitMs`: time until the next call is allowed, after a refusal. */
export interface RateAnswer {
  allowed: 0 | 1
  waitMs: number
}

/** The answer with the state of the bucket. */
export interface BucketAnswer extends RateAnswer {
  fullAtMs: number
}

/**
 * The statement that takes a token from a key's bucket, for a batch. A refused call takes no token.
 * @param key `<what>:<whose>`, e.g. `submit:user:17`; without personal data (hash a typed address)
 * @param nowMs epoch milliseconds
 * @param onlyIf where it is false, no token is taken and no row is returned
 * @param cost how many tokens it takes
 */
export function takeToken(
  db: Db,
  key: string | SQL,
  { burst, intervalMs }: RateRule,
  nowMs: number,
  onlyIf: SQL = sql`true`,
  cost = 1,
) {
  const latest = nowMs + Math.round(burst * intervalMs)
  const added = Math.round(cost * intervalMs)
  const { fullAtMs } = rateLimits
  const next = sql`max(${fullAtMs}, ${nowMs}) + ${added}`
  return insertSelect<typeof rateLimits, BucketAnswer>(
    db,
    rateLimits,
    { key, fullAtMs: nowMs + added, allowed: 1 },
    sql`where ${onlyIf}
      ${onConflictUpdate(rateLimits, [rateLimits.key], {
        allowed: sql`${next} <= ${latest}`,
        fullAtMs: sql`case when ${next} <= ${latest} then ${next} else ${fullAtMs} end`,
      })}
      returning ${rateLimits.allowed}, max(0, ${fullAtMs} + ${added} - ${latest}) as waitMs, ${fullAtMs} as fullAtMs`,
  )
}

/**
 * The statements that take a token from several limits in turn. After a refusal the later limits lose no token.
 * @returns the statements, and the condition that all tokens were given, for later statements of the batch
 */
export function takeTokens(
  db: Db,
  buckets: readonly [Bucket, ...Bucket[]],
  nowMs: number,
  onlyIf: SQL = sql`true`,
) {
  const [first, ...others] = buckets
  let areAllowed = sql`${onlyIf} and ${wasAllowed(first.key)}`
  const statements = others.map(({ key, rule, cost }) => {
    const statement = takeToken(db, key, rule, nowMs, areAllowed, cost)
    areAllowed = sql`${areAllowed} and ${wasAllowed(key)}`
    return statement
  })
  const own = takeToken(db, first.key, first.rule, nowMs, onlyIf, first.cost)
  const all: [typeof own, ...(typeof own)[]] = [own, ...statements]
  return { statements: all, areAllowed }
}

/**
 * The statement that returns a token, for a call that turned out not to count.
 * @param onlyIf in a later batch `hasNotBeenFull`: the bucket cannot have been full since
 */
export function returnToken(
  db: Db,
  { key, rule: { intervalMs } }: Bucket,
  onlyIf: SQL = sql`true`,
) {
  return db
    .update(rateLimits)
    .set({ fullAtMs: sql`${rateLimits.fullAtMs} - ${intervalMs}` })
    .where(and(eq(rateLimits.key, key), onlyIf))
}

/**
 * The condition that a bucket cannot have been full since a token was taken. A bucket that was full has got the token back
 * already; returning it again would pay for another call.
 */
export function hasNotBeenFull({ fullAtMs }: DebitedBucket, nowMs: number): SQL {
  return sql`${nowMs} < ${fullAtMs}`
}

/** The row of a one-token bucket that is used up now; no row otherwise. */
export function selectUsedUp(db: Db, key: string, nowMs: number) {
  return db
    .select({ fullAtMs: rateLimits.fullAtMs })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, key), gt(rateLimits.fullAtMs, nowMs)))
}

/** The condition that an earlier statement of the batch got its token. */
export function wasAllowed(key: string): SQL {
  return sql`exists (select 1 from ${rateLimits} where ${rateLimits.key} = ${key} and ${rateLimits.allowed} = 1)`
}

/** Deletes buckets that are full again, in the next page of the table. */
export async function deleteFullBuckets(db: Db, nowMs: number): Promise<void> {
  const { isInPage, advance } = await nextPage(db, 'rate_limits', rateLimits.key, SWEEP.buckets)
  const isFull = lt(rateLimits.fullAtMs, nowMs)
  await db.batch([db.delete(rateLimits).where(and(isInPage, isFull)), advance])
}
