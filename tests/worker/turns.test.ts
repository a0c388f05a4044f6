/** Turns at hashing. */
import { expect, test } from 'vitest'
import { HASHING } from '../../worker/contract/limits.ts'
import { inTurn, TooManyWaiting } from '../../worker/lib/turns.ts'

test('who asks for much lets who asks for little go before', async () => {
  const order: string[] = []
  const ask = (group: string) =>
    inTurn(group, async () => {
      order.push(group)
    })
  await Promise.all([...Array.from({ length: 6 }, () => ask('many')), ask('one'), ask('two')])
  expect(order).toHaveLength(8)
  // The first of all may begin at once; then each group has a turn before any has its second.
  expect(new Set(order.slice(0, 4))).toEqual(new Set(['many', 'one', 'two']))
})

test('only so many of a group wait, the rest is told at once', async () => {
  const ended = await Promise.allSettled(
    Array.from({ length: HASHING.waiting + 5 }, () => inTurn('crowd', async () => {})),
  )
  const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refused.length).toBeGreaterThanOrEqual(4)
  for (const reason of refused) expect(reason).toBeInstanceOf(TooManyWaiting)
}, 30_000)

test('work that fails leaves the turn to the next', async () => {
  const failing = inTurn('one', () => Promise.reject(new Error('no')))
  const next = inTurn('two', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
