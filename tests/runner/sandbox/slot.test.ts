/** Slots and boxes as the runner sees them: their ids, and requests that are refused before they reach the helper. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxError } from '../../../runner/sandbox/errors.ts'
import { MAX_SLOTS, openSlot, type Slot, slotUsers } from '../../../runner/sandbox/slot.ts'
import { compileProgram, compileRequest, run } from '../fixtures/sandbox.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

test('no two boxes of a machine share an id, and all are ids that distributions keep free', () => {
  const ids = Array.from({ length: MAX_SLOTS }, (_, index) =>
    [false, true].flatMap((referee) => slotUsers(index, referee)),
  ).flat()
  expect(new Set(ids).size).toBe(4 * MAX_SLOTS)
  expect(Math.min(...ids)).toBe(60_578)
  expect(Math.max(...ids)).toBeLessThanOrEqual(61_183)
})

test.each([-1, MAX_SLOTS, 0.5, NaN])('there is no slot %d', async (index) => {
  await expect(openSlot({ index })).rejects.toThrow(RangeError)
})

test('a slot does one thing at a time, and a box nothing once it is closed', async () => {
  const box = await slot.openBox()
  await compileProgram(box, 'exit-0.c')
  const both = await Promise.allSettled([run(box), run(box)])
  // Chance decides which run opens its files first.
  expect(both.sort((one, other) => one.status.localeCompare(other.status))).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ exitCode: 0 }) },
    { status: 'rejected', reason: new SandboxError('the slot is busy') },
  ])
  await box.close()
  await box.close()
  for (const ask of [() => run(box), () => box.compile(compileRequest('int main;'))])
    await expect(ask()).rejects.toThrow(SandboxError)
})

test('a closed slot opens no box', async () => {
  const other = await openSlot({ index: 1 })
  await other.close()
  for (const open of [() => other.openBox(), () => other.openRefereeBox()])
    await expect(open()).rejects.toThrow('the slot is closed')
})

test('a slot that is closed while a helper starts ends that one, too', async () => {
  const other = await openSlot({ index: 1 })
  const opening = other.openRefereeBox()
  const ended = expect(opening).rejects.toThrow('the sandbox helper ended')
  await other.close()
  await ended
})
