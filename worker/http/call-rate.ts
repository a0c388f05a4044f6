/**
 * Rates of calls, counted by the platform's rate limit (`[[ratelimits]]` in `wrangler.toml` has the numbers). It counts roughly, and
 * in each location separately. The database counts limits that must be exact or last for hours (`../db/rate-limits.ts`).
 */
import type { Context } from 'hono'
import type { RateClass } from '#contract/calls/call'
import type { AppEnv, Env } from '../env.ts'
import { clientIp, networkOf } from './client.ts'
import { RATES } from '../lib/call-rates.ts'
import { retryLater } from './rate-limit.ts'

/**
 * Counts a call. `SUBMIT_LIMIT_PER_MINUTE=0`, for benchmarks, turns this off.
 * @param whose e.g. `user:17`
 * @throws AppError `too_many_requests` until the window of the rate is over: windows begin at whole multiples of their length
 */
export async function demandRate<E extends AppEnv>(
  c: Context<E>,
  rate: RateClass,
  whose: string,
): Promise<void> {
  const env: Env = c.env
  if (env.SUBMIT_LIMIT_PER_MINUTE === '0') return
  const { binding, windowSeconds } = RATES[rate]
  if ((await env[binding].limit({ key: whose })).success) return
  const windowMs = 1_000 * windowSeconds
  throw retryLater('too_many_requests', windowMs - (Date.now() % windowMs))
}

/** Counts a guest's call, by network. */
export function demandGuestRate<E extends AppEnv>(c: Context<E>): Promise<void> {
  return demandRate(c, 'guest', networkOf(clientIp(c)))
}
