/** Rate limits as a test needs them: used up without the calls that would. */
import type { RateRule } from '../../../worker/db/rate-limits.ts'
import { runSql } from './sql.ts'

/** Leaves a bucket this many tokens. */
export async function leaveTokens(key: string, rule: RateRule, left: number): Promise<void> {
  const fullAtMs = Date.now() + Math.round((rule.burst - left) * rule.intervalMs)
  await runSql`insert into rate_limits (key, full_at_ms, allowed) values (${key}, ${fullAtMs}, 1)
     on conflict (key) do update set full_at_ms = excluded.full_at_ms`
}

/** Leaves a bucket empty for an hour: a machine may be as slow as it likes. */
export async function useUp(key: string, rule: RateRule): Promise<void> {
  await leaveTokens(key, rule, 1 - 3_600_000 / rule.intervalMs)
}

/** Lets this time pass for every bucket. */
export async function passTime(ms: number): Promise<void> {
  await runSql`update rate_limits set full_at_ms = full_at_ms - ${ms}`
}

/** Tokens that a bucket has got back since a moment, at most. */
export function refilledSince(startMs: number, { intervalMs }: RateRule): number {
  return Math.ceil((Date.now() - startMs) / intervalMs)
}
