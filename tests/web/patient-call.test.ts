/** How long calls that are put off wait. */
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../web/lib/api/api-error.ts'
import {
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
