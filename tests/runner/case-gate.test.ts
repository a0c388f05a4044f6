import { expect, it } from 'vitest'
import { CaseGate } from '../../runner/case-gate.ts'

/** Lets everything that can go on do so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

it('cases wait while one slot measures alone', async () => {
  const gate = new CaseGate()
  const { promise, resolve } = Promise.withResolvers<void>()
  const measuring = gate.alone(() => promise)
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
    gate.alone(async () => {
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
  await expect(gate.alone(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await gate.enter()
})
