/** How many calls of one caller are at work at once, by a clock that tests move. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CONCURRENCY, countCallers, limitConcurrency } from '../../../worker/lib/concurrency.ts'
import { TooManyWaiting } from '../../../worker/lib/fair-queue.ts'

const { perCaller, waiting, fullMs, pollMs, longestPollMs, silentMs, workMs } = CONCURRENCY

/** What is at work, in order of its beginning; each ends when it is called. */
let atWork: { name: string; end: () => void }[] = []
let tests = 0
let startMs = Date.now()

beforeEach(() => {
  tests += 1
  atWork = []
  vi.useFakeTimers({ now: startMs })
})

// Time goes on, so that what a test has left is gone.
afterEach(() => {
  startMs = Date.now() + 2 * workMs
  vi.useRealTimers()
})

function call(caller: string, name = caller, atOnce?: number): Promise<void> {
  const work = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    atWork.push({ name, end: resolve })
    await promise
  }
  return limitConcurrency(`${caller} of test ${tests}`, work, atOnce)
}

function callMany(caller: string, count: number, atOnce?: number): Promise<void>[] {
  return Array.from({ length: count }, (_, index) => call(caller, String(index), atOnce))
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

test('who is further back looks less often', async () => {
  const all = callMany('back', 2 * perCaller + 1)
  await vi.advanceTimersByTimeAsync(1)
  for (const { end } of atWork) end()
  await vi.advanceTimersByTimeAsync(pollMs - 1)
  expect(names()).toHaveLength(2 * perCaller)
  for (const { end } of atWork) end()
  await vi.advanceTimersByTimeAsync(pollMs - 1)
  expect(names()).toHaveLength(2 * perCaller)
  await vi.advanceTimersByTimeAsync(1)
  expect(names()).toHaveLength(2 * perCaller + 1)
  atWork.at(-1)?.end()
  await Promise.all(all)
})

test('those who end leave the others in their line, and nothing behind when all have ended', async () => {
  const first = callMany('leaving', perCaller)
  const before = countCallers()
  atWork[0]?.end()
  await first[0]
  const others = callMany('leaving', perCaller)
  await vi.advanceTimersByTimeAsync(pollMs)
  expect(names()).toHaveLength(perCaller + 1)
  for (let row = 0; row < 2; row += 1) {
    for (const { end } of atWork) end()
    await vi.advanceTimersByTimeAsync(longestPollMs)
  }
  await Promise.all([...first, ...others])
  expect(countCallers()).toBe(before - 1)
})

test('calls that end after they were forgotten leave the new ones of their caller in line', async () => {
  const old = callMany('forgotten', perCaller)
  await vi.advanceTimersByTimeAsync(workMs + 1)
  void call('other')
  const later = callMany('forgotten', perCaller + 1)
  for (let index = 0; index < perCaller; index += 1) atWork[index]?.end()
  await Promise.all(old)
  const last = call('forgotten', 'last')
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toHaveLength(2 * perCaller + 1)
  for (let row = 0; row < 2; row += 1) {
    for (const { end } of atWork) end()
    await vi.advanceTimersByTimeAsync(longestPollMs)
  }
  await Promise.all([...later, last])
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
  await vi.advanceTimersByTimeAsync(workMs - 2 * pollMs)
  const next = call('stuck', 'next')
  await vi.advanceTimersByTimeAsync(2 * pollMs)
  expect(names()).not.toContain('next')
  await vi.advanceTimersByTimeAsync(pollMs)
  expect(names()).toContain('next')
  for (const { end } of atWork) end()
  await Promise.all([...stuck, next])
})

test('a call that goes on counts for as long as it does', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const caller = `uploading of test ${tests}`
  const uploading = Array.from({ length: perCaller }, () =>
    limitConcurrency(caller, async (expireIn) => {
      const timer = setInterval(() => expireIn(2 * workMs), 2 * workMs)
      expireIn(2 * workMs)
      await promise
      clearInterval(timer)
    }),
  )
  await vi.advanceTimersByTimeAsync(9 * workMs)
  const next = call('uploading', 'next')
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toEqual([])
  resolve()
  await Promise.all(uploading)
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toEqual(['next'])
  atWork[0]?.end()
  await next
})

test('a call that was taken for gone counts again once it goes on', async () => {
  let goOn = (_ms: number) => {}
  const { promise, resolve } = Promise.withResolvers<void>()
  const uploading = limitConcurrency(`back of test ${tests}`, (expireIn) => {
    goOn = expireIn
    return promise
  })
  await vi.advanceTimersByTimeAsync(workMs + 1)
  const others = callMany('back', perCaller - 1)
  goOn(workMs)
  const next = call('back', 'next')
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toHaveLength(perCaller - 1)
  resolve()
  await uploading
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toHaveLength(perCaller)
  for (const { end } of atWork) end()
  await Promise.all([...others, next])
})

test('a call may wait until it is the only one', async () => {
  const alone = (name: string) =>
    limitConcurrency(
      `alone of test ${tests}`,
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        atWork.push({ name, end: resolve })
        await promise
      },
      1,
    )
  const [first, second] = [alone('first'), alone('second')]
  await vi.advanceTimersByTimeAsync(10 * longestPollMs)
  expect(names()).toEqual(['first'])
  atWork[0]?.end()
  await first
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toEqual(['first', 'second'])
  atWork[1]?.end()
  await second
})

test('those that waited long do not begin together, nor stop counting soon after they have begun', async () => {
  const all = callMany('many', 2 * perCaller + 1)
  await vi.advanceTimersByTimeAsync(0)
  vi.setSystemTime(Date.now() + workMs)
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toHaveLength(2 * perCaller)
  vi.setSystemTime(Date.now() + workMs - 3 * longestPollMs)
  await vi.advanceTimersByTimeAsync(longestPollMs)
  expect(names()).toHaveLength(2 * perCaller)
  await vi.advanceTimersByTimeAsync(2 * longestPollMs)
  expect(names()).toHaveLength(2 * perCaller + 1)
  for (const { end } of atWork) end()
  await Promise.all(all)
})

test('nobody waits for calls that waited and whose callers hung up', async () => {
  const working = callMany('hung-up', perCaller)
  void callMany('hung-up', perCaller)
  // The platform ends the timers of a caller who hung up.
  vi.clearAllTimers()
  const next = call('hung-up', 'next')
  for (const { end } of atWork) end()
  await Promise.all(working)
  await vi.advanceTimersByTimeAsync(longestPollMs + silentMs - pollMs)
  expect(names()).not.toContain('next')
  await vi.advanceTimersByTimeAsync(2 * pollMs)
  expect(names()).toContain('next')
  atWork.at(-1)?.end()
  await next
})

test('those who wait keep their places when the thread was held and none of them could look', async () => {
  const first = callMany('held', perCaller)
  const waiting = call('held', 'waits')
  await vi.advanceTimersByTimeAsync(0)
  vi.setSystemTime(Date.now() + workMs - longestPollMs)
  const other = call('other')
  const next = callMany('held', perCaller)
  expect(names()).toHaveLength(perCaller + 1)
  atWork[0]?.end()
  await vi.advanceTimersByTimeAsync(2 * pollMs)
  expect(names().slice(perCaller)).toEqual(['other', 'waits'])
  for (let row = 0; row < 2; row += 1) {
    for (const { end } of atWork) end()
    await vi.advanceTimersByTimeAsync(longestPollMs)
  }
  await Promise.all([...first, waiting, other, ...next])
})

test('a caller with many who wait is told when to come again, and nobody else is', async () => {
  void callMany('crowd', perCaller + waiting)
  const refusal = await call('crowd').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(TooManyWaiting)
  expect(refusal).toMatchObject({ retryAfterMs: fullMs })
  const other = call('other')
  expect(names()).toContain('other')
  for (const { end } of atWork) end()
  await other
})

test('in a line of fewer at work as many wait', async () => {
  void callMany('narrow', 2 + waiting, 2)
  const refusal = await call('narrow', 'too many', 2).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(TooManyWaiting)
  await vi.advanceTimersByTimeAsync(0)
  expect(names()).toEqual(['0', '1'])
  for (const { end } of atWork) end()
})

test('callers who hung up are forgotten at the next call, though another calls all the time', async () => {
  void call('busy')
  await vi.advanceTimersByTimeAsync(longestPollMs + 1)
  void call('busy')
  expect(countCallers()).toBe(1)
  for (let caller = 0; caller < 100; caller += 1) void call(`hung-up ${caller}`)
  await vi.advanceTimersByTimeAsync(workMs)
  void call('busy')
  expect(countCallers()).toBe(101)
  await vi.advanceTimersByTimeAsync(1)
  void call('busy')
  expect(countCallers()).toBe(1)
})
