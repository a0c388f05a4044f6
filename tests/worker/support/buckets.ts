/** Sets rate limits directly, without the calls that would use them up. */
import type { RateRule } from '../../../worker/db/rate-limits.ts'
import { runSql } from './sql.ts'

/** Leaves this many tokens in a bucket. */
export async function leaveTokens(key: string, rule: RateRule, left: number): Promise<void> {
  const fullAtMs = Date.now() + Math.round((rule.burst - left) * rule.intervalMs)
  await runSql`insert into rate_limits (key, full_at_ms, allowed) values (${key}, ${fullAtMs}, 1)
     on conflict (key) do update set full_at_ms = excluded.full_at_ms`
}

/** Empties a bucket for an hour, so that a slow machine makes no difference. */
export async function useUp(key: string, rule: RateRule): Promise<void> {
  await leaveTokens(key, rule, 1 - 3_600_000 / rule.intervalMs)
}

/** Moves all buckets forward by this time. */
export async function passTime(ms: number): Promise<void> {
  await runSql`update rate_limits set full_at_ms = full_at_ms - ${ms}`
}

/** The most tokens that a bucket can have got back since a moment. */
export function refilledSince(startMs: number, { intervalMs }: RateRule): number {
  return Math.ceil((Date.now() - startMs) / intervalMs)
}
