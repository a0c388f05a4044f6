/** The order of callers before hashing, by a clock that tests move. Each test has its own queue. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HASH_QUEUE } from '../../../worker/lib/hash-queue.ts'

type HashQueue = typeof import('../../../worker/lib/hash-queue.ts')

const { waiting, retryMs, beatMs, silentMs } = HASH_QUEUE

let queue: HashQueue
let order: string[] = []
let tests = 0

beforeEach(async () => {
  tests += 1
  queue = (await import(
    /* @vite-ignore */ `../../../worker/lib/hash-queue.ts?${tests}`
  )) as HashQueue
  order = []
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Asks for a turn, and adds its name to `order` when the turn begins. */
async function ask(network: string, name = network): Promise<void> {
  await queue.inTurn(network, async () => {
    order.push(name)
    await new Promise((resolve) => setTimeout(resolve, 100))
  })
}

/**
 * A caller that hangs up: the platform then ends its timers. The test finds them by their numbers, because a spy on a fake
 * timer would outlive the fake clock, and later test files would wait for ever.
 */
function hangUp(network: string): void {
  const next = () => Number(setTimeout(() => {}))
  const first = next()
  void queue.inTurn(network, () => new Promise(() => {}))
  for (let id = first, last = next(); id <= last; id += 1) clearTimeout(id)
}

test('one works at a time, and begins as soon as the one before has ended', async () => {
  void ask('one', 'first')
  void ask('one', 'second')
  await vi.advanceTimersByTimeAsync(99)
  expect(order).toEqual(['first'])
  await vi.advanceTimersByTimeAsync(1)
  expect(order).toEqual(['first', 'second'])
})

test('each network has a turn before any has its second, and its callers go by arrival', async () => {
  const all = [1, 2, 3].map((number) => ask('many', `many ${number}`))
  all.push(ask('one'), ask('two', 'two 1'), ask('two', 'two 2'))
  await vi.advanceTimersByTimeAsync(600)
  await Promise.all(all)
  expect(order).toEqual(['many 1', 'one', 'two 1', 'many 2', 'two 2', 'many 3'])
})

test('turns of a time when nobody waited do not count', async () => {
  void ask('early')
  void ask('early')
  await vi.advanceTimersByTimeAsync(200)
  void ask('now')
  void ask('late')
  void ask('early', 'early again')
  await vi.advanceTimersByTimeAsync(300)
  expect(order.slice(2)).toEqual(['now', 'late', 'early again'])
})

test('work that fails leaves the turn to the next', async () => {
  const failing = queue.inTurn('one', () => Promise.reject(new Error('no')))
  const next = queue.inTurn('two', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(beatMs)
  expect(await next).toBe('done')
})

test('of one network only so many wait; one more is told when to come again, and others are not', async () => {
  for (let count = 0; count <= waiting; count += 1) void ask('crowd')
  const refusal = await ask('crowd').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(queue.TooManyWaiting)
  expect(refusal).toMatchObject({ retryAfterMs: retryMs })
  expect(() => queue.demandHashingCapacity('crowd')).toThrow(queue.TooManyWaiting)
  void ask('other')
  await vi.advanceTimersByTimeAsync(200)
  expect(order).toEqual(['crowd', 'other', 'crowd'])
  expect(() => queue.demandHashingCapacity('crowd')).not.toThrow()
})

test('nobody waits long for one who hung up at work', async () => {
  hangUp('gone')
  void ask('next')
  await vi.advanceTimersByTimeAsync(silentMs)
  expect(order).toEqual([])
  await vi.advanceTimersByTimeAsync(2 * beatMs)
  expect(order).toEqual(['next'])
})

test('one who hung up while waiting is passed over and takes no place', async () => {
  void ask('first')
  for (let count = 0; count < waiting; count += 1) hangUp('gone')
  expect(queue.isQueued()).toBe(true)
  expect(() => queue.demandHashingCapacity('gone')).toThrow(queue.TooManyWaiting)
  void queue.inTurn('long', () => new Promise((resolve) => setTimeout(resolve, 2 * silentMs)))
  await vi.advanceTimersByTimeAsync(99 + silentMs)
  expect(() => queue.demandHashingCapacity('gone')).not.toThrow()
  void ask('gone', 'somebody else there')
  await vi.advanceTimersByTimeAsync(3 * silentMs)
  expect(order).toEqual(['first', 'somebody else there'])
  expect(queue.isQueued()).toBe(false)
})

test('one who works long is waited for as long as it is there', async () => {
  void queue.inTurn('long', () => new Promise((resolve) => setTimeout(resolve, 10 * silentMs)))
  void ask('next')
  await vi.advanceTimersByTimeAsync(10 * silentMs - 1)
  expect(order).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(order).toEqual(['next'])
})
