/** When a failed read is tried again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../web/lib/api/api-error.ts'
import { queryClient } from '../../web/lib/api/query-client.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

/** Starts a read that is always refused with this status; answers a function that counts its tries. */
function readRefused(status: number, retryAfterSeconds: number | null = null): () => number {
  const error = new ApiError({ status, code: '', message: '', retryAfterSeconds })
  const queryFn = vi.fn(() => Promise.reject(error))
  queryClient.fetchQuery({ queryKey: ['a read'], queryFn }).catch(() => {})
  return () => queryFn.mock.calls.length
}

test('a read that a rate put off is made again when the rate is over, once', async () => {
  const asked = readRefused(429, 7)
  await vi.advanceTimersByTimeAsync(6_900)
  expect(asked()).toBe(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(asked()).toBe(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked()).toBe(2)
})

test('a failure of the server is tried again after a second, a refusal never', async () => {
  const failing = readRefused(503)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(failing()).toBe(2)
  queryClient.clear()
  const refused = readRefused(403)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refused()).toBe(1)
})
