/** Turns at hashing. */
import { afterEach, expect, test, vi } from 'vitest'
import { HASHING, TooManyWaiting, enqueue } from '../../../worker/lib/fair-queue.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('who asks for much lets who asks for little go before', async () => {
  const order: string[] = []
  const ask = (group: string) =>
    enqueue(group, async () => {
      order.push(group)
    })
  await Promise.all([...Array.from({ length: 6 }, () => ask('many')), ask('one'), ask('two')])
  expect(order).toHaveLength(8)
  // The first of all may begin at once; then each group has a turn before any has its second.
  expect(new Set(order.slice(0, 4))).toEqual(new Set(['many', 'one', 'two']))
})

test('only so many of a group wait, the rest is told at once', async () => {
  const ended = await Promise.allSettled(
    Array.from({ length: HASHING.waiting + 5 }, () => enqueue('crowd', async () => {})),
  )
  const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refused.length).toBeGreaterThanOrEqual(4)
  for (const reason of refused) expect(reason).toBeInstanceOf(TooManyWaiting)
})

test('work that fails leaves the turn to the next', async () => {
  const failing = enqueue('one', () => Promise.reject(new Error('no')))
  const next = enqueue('two', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('what comes before a turn is done by one of a group at a time; whom it refuses has no turn', async () => {
  let [busy, most] = [0, 0]
  const done: number[] = []
  const ask = (index: number) =>
    enqueue(
      'guests',
      async () => done.push(index),
      async () => {
        busy += 1
        most = Math.max(most, busy)
        await new Promise((resolve) => setTimeout(resolve))
        busy -= 1
        if (index === 1) throw new Error('refused')
      },
    )
  const ended = await Promise.allSettled([0, 1, 2].map(ask))
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(done).toEqual([0, 2])
  expect(most).toBe(1)
})

test('after failed work its group rests, and others go on', async () => {
  // A clock that stands still but for what is added: far enough that the rests of other tests are over.
  let nowMs = Date.now() + 60_000
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  const order: string[] = []
  const ask = (group: string) =>
    enqueue(group, async () => {
      order.push(group)
      return group !== 'guesser'
    })
  await ask('guesser')
  const second = ask('guesser')
  for (let count = 0; count < 3; count += 1) await ask('class')
  nowMs += HASHING.failureCooldownMs
  await second
  expect(order).toEqual(['guesser', 'class', 'class', 'class', 'guesser'])
})
