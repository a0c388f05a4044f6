/**
 * Where other programs have nearly all of the cores, one wait may be longer than the wall limit. The kernel tells
 * the length of a wait only at its end.
 */
import { availableParallelism } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import type { Box } from '../../../runner/sandbox/box.ts'
import { openSlot } from '../../../runner/sandbox/slot.ts'
import { cpuGroup } from '../fixtures/cpu-group.ts'
import { startCrowd } from '../fixtures/crowd.ts'
import { compileProgram, run } from '../fixtures/sandbox.ts'

/** The least weight that a group can have; the crowd's has 1024. */
const LEAST_WEIGHT = 2

const group = cpuGroup('cpu.shares', LEAST_WEIGHT)
afterAll(() => group?.remove())

/** Runs a program beside a crowd. @returns the limit that stopped it */
async function firedBeside(box: Box): Promise<string | null> {
  const endCrowd = await startCrowd(availableParallelism())
  try {
    return (await run(box, { limits: { wallMs: 100 } })).fired
  } finally {
    endCrowd()
  }
}

/** Compiles a program without a crowd, and runs it twice in a starved slot. `busy`: the machine was too busy to tell. */
async function firedInTwoRuns(file: string): Promise<(string | null)[]> {
  const open = () => openSlot({ index: 0 })
  const slot = await (group?.starting(open) ?? open())
  const fired: (string | null)[] = []
  try {
    const box = await slot.openBox()
    await compileProgram(box, file)
    fired.push(await firedBeside(box))
    fired.push(await firedBeside(box))
  } catch (error) {
    expect(String(error)).toMatch(/too busy/)
    fired.push('busy')
  } finally {
    await slot.close()
  }
  return fired
}

test.skipIf(!group).for([1, 2, 3, 4])(
  'who waits longer than the limit for a core has not run out of time: %s',
  async () => {
    for (const fired of await firedInTwoRuns('exit-0.c')) expect([null, 'busy']).toContain(fired)
  },
)

test.skipIf(!group)('who sleeps is stopped at the limit there as well', async () => {
  for (const fired of await firedInTwoRuns('sleep.c')) expect(['wall', 'busy']).toContain(fired)
})
