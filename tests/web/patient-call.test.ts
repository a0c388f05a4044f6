/** How long a call waits after the server has put it off. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../web/lib/api/api-error.ts'
import {
  callWithRetries,
  secondsToWait,
  whileBusy,
  whileCrowded,
  whileLimited,
} from '../../web/lib/api/patient-call.ts'

function failure(status: number, told: number | null = null): ApiError {
  return new ApiError({ status, code: 'any', message: '', retryAfterSeconds: told })
}

describe('a limited call', () => {
  it.each([
    ['as told', 429, 7, 0, 7],
    ['never at once', 429, 0, 0, 1],
    ['up to the last of its seconds', 429, 7, 293, 7],
    ['not for ever', 429, 7, 294, null],
    ['not for a page that nobody looks at any more', 429, 3_600, 0, null],
    ['not without being told', 429, null, 0, null],
    ['not for another refusal', 409, 7, 0, null],
  ])('waits when the API says so: %s', (_, status, told, waited, expected) => {
    expect(secondsToWait(whileLimited(failure(status, told), 1), waited)).toBe(expected)
  })

  it('of a whole room waits up to half as long again, by chance', () => {
    const waits = Array.from({ length: 40 }, () => whileCrowded(failure(429, 10), 1) ?? 0)
    for (const seconds of waits) expect(seconds).toBeGreaterThanOrEqual(10)
    for (const seconds of waits) expect(seconds).toBeLessThanOrEqual(15)
    expect(new Set(waits).size).toBeGreaterThan(30)
  })
})

describe('a call that may come twice', () => {
  it.each([
    ['a lost connection', failure(0), 1, 1],
    ['a server that fails again', failure(500), 3, 4],
    ['a busy server, for half a minute at most', failure(503), 12, 30],
    ['a busy server that says when', failure(503, 7), 1, 7],
    ['a limit that says when', failure(429, 7), 4, 7],
  ])('waits after %s', (_, error, failures, least) => {
    const seconds = whileBusy(error, failures)
    expect(seconds).toBeGreaterThanOrEqual(least)
    expect(seconds).toBeLessThanOrEqual(least * 1.5)
  })

  it.each([
    ['a refusal', failure(409)],
    ['a limit without a time', failure(429)],
    ['an ended session', failure(401)],
    ['a fault of the app', new Error('broken')],
  ])('does not wait after %s', (_, error) => {
    expect(whileBusy(error, 1)).toBeNull()
  })
})

describe('a call that is repeated', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A call that fails `times` times before it succeeds. */
  function failing(times: number, error: ApiError) {
    const call = { made: 0, make: () => Promise.resolve('done') }
    call.make = () => {
      call.made += 1
      return call.made > times ? Promise.resolve('done') : Promise.reject(error)
    }
    return call
  }
  const { signal } = new AbortController()

  it('waits as told each time, says so, and says when it goes on', async () => {
    const told: (number | null)[] = []
    const call = failing(2, failure(429, 7))
    const done = callWithRetries(call.make, { signal, onWait: (seconds) => told.push(seconds) })
    await vi.advanceTimersByTimeAsync(6_999)
    expect([call.made, told]).toEqual([1, [7]])
    await vi.advanceTimersByTimeAsync(7_001)
    expect([await done, call.made, told]).toEqual(['done', 3, [7, null, 7, null]])
  })

  it('gives up when it has waited for five minutes in all', async () => {
    const call = failing(9, failure(429, 100))
    const done = callWithRetries(call.make, { signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(400_000)
    expect([await done, call.made]).toEqual([failure(429, 100), 4])
  })

  it('is not made for another refusal, nor once it was given up', async () => {
    const refused = failing(1, failure(409, 7))
    await expect(callWithRetries(refused.make, { signal })).rejects.toThrow()
    expect(refused.made).toBe(1)
    const stop = new AbortController()
    const call = failing(1, failure(429, 7))
    const told: (number | null)[] = []
    const done = callWithRetries(call.make, {
      signal: stop.signal,
      onWait: (seconds) => told.push(seconds),
    }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    stop.abort('left')
    expect(await done).toBe('left')
    await vi.advanceTimersByTimeAsync(10_000)
    expect([call.made, told]).toEqual([1, [7, null]])
  })
})
