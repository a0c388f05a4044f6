/** The number of calls that the stand-in accepts, and its clock. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../scripts/deploy/pace.ts'

/** Calls that an account may make in a window. After one more, all calls are refused for as long as a window. */
const ALLOWED = { calls: 1_200, windowMs: 300_000 } as const

/** The real time plus all waits, which take no real time. */
export function openClock(): Clock {
  let waitedMs = 0
  return {
    now: () => Date.now() + waitedMs,
    async wait(ms) {
      waitedMs += ms
    },
  }
}

export interface RateLimit {
  /** Calls that were refused since the last reset. */
  tooSoon: number
  reset(): void
  /** Counts a call; true if it answered the call with 429. */
  refuses(response: ServerResponse): boolean
}

/** Counts calls as Cloudflare does. */
export function openRateLimit(clock: Clock): RateLimit {
  let calls: number[] = []
  let refusedUntil = 0
  const limit: RateLimit = {
    tooSoon: 0,
    reset() {
      calls = []
      refusedUntil = 0
      limit.tooSoon = 0
    },
    refuses(response) {
      const now = clock.now()
      calls = calls.filter((at) => at > now - ALLOWED.windowMs)
      if (now >= refusedUntil && calls.length < ALLOWED.calls) {
        calls.push(now)
        return false
      }
      if (now >= refusedUntil) refusedUntil = now + ALLOWED.windowMs
      limit.tooSoon += 1
      const message = 'Please wait and consider throttling your request speed'
      response.writeHead(429, { 'Retry-After': Math.ceil((refusedUntil - now) / 1_000) })
      response.end(JSON.stringify({ result: null, errors: [{ code: 971, message }] }))
      return true
    },
  }
  return limit
}
