/** A CPU quota, as containers have, makes a judge host slower but not unjust. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { cpuGroup } from '../fixtures/cpu-group.ts'
import { runProgram } from '../fixtures/sandbox.ts'

/** The quota in each 100 ms of a core, in us; for the rest the kernel stops the helper and its programs. */
const QUOTA_US = 40_000

/** How long `nap.c` sleeps. */
const NAP_MS = 100

const group = cpuGroup('cpu.cfs_quota_us', QUOTA_US)
const isLimited = group !== null
let slot: Slot
beforeAll(async () => {
  const open = () => openSlot({ index: 0 })
  slot = await (group ? group.starting(open) : open())
})
afterAll(async () => {
  await slot.close()
  group?.remove()
})

test.skipIf(!isLimited)('a program that was held still has not run out of time', async () => {
  const limits = { wallMs: 600 }
  const result = await runProgram(slot, 'burn.c', { stdin: 'user', limits }).catch(
    // If other programs use the processor, too, the sandbox may refuse to judge here.
    (error: unknown) => {
      expect(String(error)).toMatch(/too busy/)
      return null
    },
  )
  if (!result) return
  expect(result).toMatchObject({ fired: null, exitCode: 0 })
  expect(result.waitedMs).toBeGreaterThan(0)
})

test.skipIf(!isLimited)('a program that sleeps is stopped at its limit', async () => {
  const result = await runProgram(slot, 'sleep.c', { limits: { wallMs: 400 } })
  expect(result.fired).toBe('wall')
})

/** Keeps the group's share of the processor busy; resolves to a function that ends the loops. */
function startLoops() {
  const loops = [1, 2, 3, 4].map(() => spawn('timeout', ['60', 'sh', '-c', 'while :; do :; done']))
  // Listens from the start: a slow machine may reach the end of the loops by itself.
  const ended = Promise.all(loops.map((loop) => once(loop, 'exit')))
  return Promise.resolve(async () => {
    for (const loop of loops) loop.kill()
    await ended
  })
}

test.skipIf(!isLimited)(
  'what a start waits is not counted as waiting while it sleeps',
  async () => {
    const endLoops = await group?.starting(startLoops)
    try {
      for (let run = 0; run < 30; run += 1) {
        const { wallMs, cpuMs, waitedMs } = await runProgram(slot, 'nap.c')
        // Allows for figures in whole milliseconds.
        expect(wallMs - cpuMs - waitedMs).toBeGreaterThanOrEqual(NAP_MS - 3)
      }
    } catch (error) {
      if (!String(error).includes('too busy')) throw error
    } finally {
      await endLoops?.()
    }
  },
)
