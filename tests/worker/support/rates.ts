/** Uses up rates of calls in the platform's own counters, without the calls themselves. */
import type { RateClass } from '../../../worker/contract/calls/call.ts'
import type { Env } from '../../../worker/env.ts'
import { RATES } from '../../../worker/lib/call-rates.ts'
import { workerEnv } from './step-queue.ts'

/** The Worker's bindings without rates, for hundreds of calls by one person. */
export const UNLIMITED: Env = { ...workerEnv, SUBMIT_LIMIT_PER_MINUTE: '0' }

/** Counts that run at the same time. */
const AT_ONCE = 100

/** Uses up a rate until its window ends. @param whose e.g. `user:17` @returns the number of calls that were left */
export async function useUpRate(rate: RateClass, whose: string): Promise<number> {
  const binding = workerEnv[RATES[rate].binding]
  for (let calls = 0; ; calls += AT_ONCE) {
    const counted = Array.from({ length: AT_ONCE }, () => binding.limit({ key: whose }))
    const refused = (await Promise.all(counted)).filter(({ success }) => !success).length
    if (refused > 0) return calls + AT_ONCE - refused
  }
}

/** Runs work that must fit into one window of a rate; repeats it up to four times if the window ended meanwhile. */
export async function inOneWindow(rate: RateClass, work: () => Promise<void>): Promise<void> {
  const windowMs = 1_000 * RATES[rate].windowSeconds
  for (let left = 4; ; left -= 1) {
    const window = Math.floor(Date.now() / windowMs)
    try {
      return await work()
    } catch (error) {
      if (left === 0 || Math.floor(Date.now() / windowMs) === window) throw error
    }
  }
}
