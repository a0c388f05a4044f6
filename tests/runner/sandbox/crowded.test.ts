/** A busy machine must not cause Time Limit Exceed: waiting for a CPU does not count as run time. */
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { startCrowd } from '../fixtures/crowd.ts'
import { runProgram, USER_MODE_LINUX } from '../fixtures/sandbox.ts'

let slot: Slot
let endCrowd = () => {}

beforeAll(async () => {
  slot = await openSlot({ index: 0 })
  // Two busy loops for every core, so that a program on any core gets a third of the time.
  endCrowd = await startCrowd(2 * availableParallelism())
})

afterAll(async () => {
  endCrowd()
  await slot.close()
})

test.skipIf(USER_MODE_LINUX).for([
  ['a program', 'burn.c', 400],
  // Like a compiler; each of its processes waits only for a while.
  ['a chain of processes', 'chain.c', 600],
] as const)('%s that had to wait for a CPU has not run out of time', async ([, file, wallMs]) => {
  const result = await runProgram(slot, file, { stdin: 'user', limits: { wallMs } }).catch(
    // If still other programs use the processors, the sandbox may refuse to judge here.
    (error: unknown) => {
      expect(String(error)).toMatch(/too busy/)
      return null
    },
  )
  if (!result) return
  expect(result).toMatchObject({ fired: null, exitCode: 0 })
  expect(result.wallMs).toBeGreaterThan(wallMs)
})

test('a program that sleeps beside them is stopped at its limit', async () => {
  const result = await runProgram(slot, 'sleep.c', { limits: { wallMs: 400 } })
  expect(result.fired).toBe('wall')
})
