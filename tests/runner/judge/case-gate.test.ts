import { expect, it } from 'vitest'
import { CaseGate } from '../../../runner/judge/case-gate.ts'
import { ALONE } from '../../../runner/judge/run-limits.ts'

/** Lets everything that can continue do so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

it('cases wait while one slot measures alone', async () => {
  const gate = new CaseGate()
  const { promise, resolve } = Promise.withResolvers<void>()
  const measuring = gate.alone(100, () => promise)
  let entered = false
  const entering = gate.enter().then(() => (entered = true))
  await settled()
  expect(entered).toBe(false)
  resolve()
  await Promise.all([measuring, entering])
})

it('of many slots that want to measure alone one does at a time', async () => {
  const gate = new CaseGate()
  let measuring = 0
  let most = 0
  const slots = Array.from({ length: 5 }, () =>
    gate.alone(100, async () => {
      most = Math.max(most, ++measuring)
      await settled()
      measuring--
    }),
  )
  await Promise.all(slots)
  expect(most).toBe(1)
})

it('a measurement that fails opens the gate again', async () => {
  const gate = new CaseGate()
  await expect(gate.alone(100, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await gate.enter()
})

it('all slots together are stopped for a small share of any long time, however many near misses come', async () => {
  let now = 0
  const gate = new CaseGate(() => now)
  let stoppedMs = 0
  const hours = 10 * 3_600_000
  while (now < hours) {
    await gate.alone(1_260, async () => {
      let entered = false
      void gate.enter().then(() => (entered = true))
      await settled()
      now += 1_040
      if (!entered) stoppedMs += 1_040
    })
    now += 10
  }
  expect(stoppedMs / hours).toBeGreaterThan(ALONE.share * 0.9)
  expect(stoppedMs / hours).toBeLessThan(ALONE.share * 1.1)
})

it('a second run that may take longer than the whole budget stops nobody', async () => {
  const gate = new CaseGate()
  await gate.alone(ALONE.share * ALONE.windowMs + 1, () => gate.enter())
})
