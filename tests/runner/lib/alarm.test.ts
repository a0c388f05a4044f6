import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Alarm } from '../../../runner/lib/alarm.ts'

const FOREVER = 2_000_000

it('an alarm ends the wait of the moment', async () => {
  const alarm = new Alarm()
  const waiting = alarm.wait(FOREVER)
  alarm.ring()
  await waiting
})

it('an alarm that rang between two waits ends the next one, once', async () => {
  const alarm = new Alarm()
  alarm.ring()
  alarm.ring()
  await alarm.wait(FOREVER)
  let isOver = false
  const next = alarm.wait(FOREVER).then(() => (isOver = true))
  // By then everything that does not wait has happened.
  await nextTurn()
  expect(isOver).toBe(false)
  alarm.ring()
  await next
})

it('a wait ends by itself', async () => {
  await new Alarm().wait(1)
})
