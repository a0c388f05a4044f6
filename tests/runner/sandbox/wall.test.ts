/** The wall limit is extended for other programs' use of the core, never for the program's own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../../runner/sandbox/box.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { compileRequest, run, runProgram, USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const CROWDING = join(import.meta.dirname, '../../fixtures/hostile/crowding')
const WALL_MS = 400
/** The latest end of a wall limit: `MAX_WALL_SHARE` of the helper. */
const MAX_WALL_MS = 3 * WALL_MS

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

/** Runs a program that needs more CPU time than any wall limit gives it; answers its result, or null on a machine too busy to tell. */
async function endOf(file: string): Promise<RunResult | null> {
  const box = await slot.openBox()
  const source = readFileSync(join(CROWDING, file), 'utf8')
  await box.compile(compileRequest(`#define _GNU_SOURCE\n${source}`))
  try {
    return await run(box, { limits: { wallMs: WALL_MS, cpuMs: MAX_WALL_MS } })
  } catch (error) {
    expect(String(error)).toMatch(/too busy/)
    return null
  } finally {
    await box.close().catch(() => {})
  }
}

test
  .skipIf(USER_MODE_LINUX)
  .for([
    'yielding-crowd.c',
    'sleeping-crowd.c',
    'waiting-child.c',
    'chains.c',
    'stderr-bytes.c',
    'signals.c',
    'page-faults.c',
    'forks.c',
    'files.c',
    'pipes.c',
    'timers.c',
  ])('%s gets no time by keeping the core busy', async (file) => {
  const result = await endOf(file)
  if (result === null) return
  expect(result.fired).toBe('wall')
  expect(result.cpuMs).toBeLessThan(2 * WALL_MS)
})

test('a program that runs at each tick of the clock is charged what it used, not a tick each time', async () => {
  const result = await runProgram(slot, 'at-ticks.c', { limits: { cpuMs: 1_000, wallMs: 20_000 } })
  expect(result).toMatchObject({ fired: null, signal: null, exitCode: 0 })
})
