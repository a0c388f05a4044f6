/** How many calls of one caller are at work at once, by a clock that tests move. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CONCURRENCY } from '../../../worker/contract/limits.ts'
import { limitConcurrency } from '../../../worker/lib/concurrency.ts'

const { perCaller, pollMs, staleMs } = CONCURRENCY

/** What is at work, in order of its beginning; each ends when it is called. */
let atWork: { name: string; end: () => void }[] = []
let tests = 0

beforeEach(() => {
  tests += 1
  atWork = []
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function call(caller: string, name = caller): Promise<void> {
  return limitConcurrency(`${caller} of test ${tests}`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    atWork.push({ name, end: resolve })
    await promise
  })
}

function callMany(caller: string, count: number): Promise<void>[] {
  return Array.from({ length: count }, (_, index) => call(caller, String(index)))
}

const names = () => atWork.map(({ name }) => name)

test('few calls of a caller are at work at once, in order of arrival, and nobody else waits for them', async () => {
  const all = callMany('many', perCaller + 2)
  void call('other')
  await vi.advanceTimersByTimeAsync(0)
  const first = Array.from({ length: perCaller }, (_, index) => String(index))
  expect(names()).toEqual([...first, 'other'])
  atWork[1]?.end()
  await vi.advanceTimersByTimeAsync(pollMs)
  expect(names()).toEqual([...first, 'other', String(perCaller)])
  atWork[0]?.end()
  await vi.advanceTimersByTimeAsync(pollMs)
  for (const { end } of atWork) end()
  await Promise.all(all)
})

test('a call that fails makes place', async () => {
  const failing = Array.from({ length: perCaller }, () =>
    limitConcurrency(`failing of test ${tests}`, () => Promise.reject(new Error('refused'))),
  )
  const settled = Promise.allSettled(failing)
  const next = call('failing')
  await settled
  await vi.advanceTimersByTimeAsync(pollMs)
  expect(names()).toEqual(['failing'])
  atWork[0]?.end()
  await next
})

test('calls that take long or whose callers hung up are waited for only so long', async () => {
  const stuck = callMany('stuck', perCaller)
  await vi.advanceTimersByTimeAsync(staleMs - 2 * pollMs)
  const next = call('stuck', 'next')
  await vi.advanceTimersByTimeAsync(pollMs)
  expect(names()).not.toContain('next')
  await vi.advanceTimersByTimeAsync(2 * pollMs)
  expect(names()).toContain('next')
  for (const { end } of atWork) end()
  await Promise.all([...stuck, next])
})
