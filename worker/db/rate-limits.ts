/**
 * Rate limits: a token bucket per key, kept as one time (generic cell rate algorithm, ITU-T I.371), so that
 * a check is one atomic upsert and parallel calls cannot pass together.
 */
import { sql, type SQL } from 'drizzle-orm'
import { execute, type Db } from './client.ts'
import { rateLimits } from './schema.ts'

/** So many calls at once, then one more per interval. */
export interface RateRule {
  burst: number
  intervalMs: number
}

/** What a check found. `waitMs`: until the next call is allowed, when this one is not. */
export interface RateAnswer {
  allowed: 0 | 1
  waitMs: number
}

/**
 * The statement that takes one token out of a key's bucket, for a batch. A refused call takes none.
 * @param key `<what>:<whose>`, e.g. `submit:user:17`; no personal data in it (hash an address typed by somebody)
 * @param nowMs epoch milliseconds
 * @param onlyIf a condition without which the bucket is not asked: no token is taken and there is no answer
 */
export function takeToken(
  db: Db,
  key: string,
  { burst, intervalMs }: RateRule,
  nowMs: number,
  onlyIf: SQL = sql`true`,
) {
  const latest = nowMs + burst * intervalMs
  const next = sql`max(full_at_ms, ${nowMs}) + ${intervalMs}`
  return execute<RateAnswer>(
    db,
    sql`insert into ${rateLimits} (key, full_at_ms, allowed)
      select ${key}, ${nowMs + intervalMs}, 1 where ${onlyIf}
      on conflict (key) do update set
        allowed = ${next} <= ${latest},
        full_at_ms = case when ${next} <= ${latest} then ${next} else full_at_ms end
      returning allowed, max(0, full_at_ms + ${intervalMs} - ${latest}) as waitMs`,
  )
}

/** The condition that a statement before this one in the same batch was given its token. */
export function wasAllowed(key: string): SQL {
  return sql`exists (select 1 from ${rateLimits} where key = ${key} and allowed = 1)`
}

/** Forgets buckets that are full again; for the sweeper. */
export async function deleteFullBuckets(db: Db, nowMs: number): Promise<void> {
  await execute(db, sql`delete from ${rateLimits} where full_at_ms < ${nowMs}`)
}
