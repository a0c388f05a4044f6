/** Keeps calls of Cloudflare's API slow enough: after more than 1,200 in five minutes it refuses all calls for five minutes. */
import { setTimeout as delay } from 'node:timers/promises'

const CALLS_PER_SECOND = 3.5
/** Calls that may come at once after a pause. Together with the regular calls of five minutes they stay below the limit. */
const BURST_CALLS = 100
/** How often one call waits at most because it was refused. */
const MOST_WAITS = 5
/** How long to wait after a refusal that names no time, seconds. */
const REFUSED_SECONDS = 300

/** The waits before a call that only reads is repeated after a fault of Cloudflare. */
const REPEAT_AFTER_MS = [1_000, 4_000, 16_000]

/** The clock; tests replace it. */
export interface Clock {
  now(): number
  wait(ms: number): Promise<void>
}

const REAL: Clock = { now: () => Date.now(), wait: (ms) => delay(ms) }

/**
 * Makes calls no faster than is allowed. A call that is refused with 429 is made again after the time that the answer names; a call that
 * only reads is made again after a 5xx, too.
 */
export function openPace(
  clock: Clock = REAL,
): (call: () => Promise<Response>, isRead: boolean) => Promise<Response> {
  let allowed = BURST_CALLS
  let countedAt = clock.now()
  async function takeTurn(): Promise<void> {
    const now = clock.now()
    const gained = ((now - countedAt) / 1_000) * CALLS_PER_SECOND
    allowed = Math.min(BURST_CALLS, allowed + gained) - 1
    countedAt = now
    if (allowed < 0) await clock.wait((-allowed / CALLS_PER_SECOND) * 1_000)
  }
  return async (call, isRead) => {
    const repeats = isRead ? [...REPEAT_AFTER_MS] : []
    for (let waits = 0; ;) {
      await takeTurn()
      const answer = await call()
      const repeatAfterMs = answer.status >= 500 ? repeats.shift() : undefined
      if (repeatAfterMs !== undefined) {
        await answer.body?.cancel()
        await clock.wait(repeatAfterMs)
        continue
      }
      if (answer.status !== 429 || waits === MOST_WAITS) return answer
      waits += 1
      await answer.body?.cancel()
      const seconds = Number(answer.headers.get('Retry-After') ?? REFUSED_SECONDS)
      await clock.wait((Number.isFinite(seconds) ? seconds : REFUSED_SECONDS) * 1_000)
    }
  }
}
