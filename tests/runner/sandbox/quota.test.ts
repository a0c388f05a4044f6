/** A quota on CPU time, as containers have one, makes a judge host slower and not unjust. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { runProgram } from '../fixtures/sandbox.ts'

/** Of each 100 ms of a core, in us: the helper and its programs are held still for the rest. */
const QUOTA_US = 40_000

/** This process's control group for CPU time on cgroup v1. */
const [, path = '/'] = /^\d+:cpu[,\w]*:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
const HOME = `/sys/fs/cgroup/cpu${path}`
const LIMITED = `${HOME}/coursejudge-quota-${process.pid}`

/** Moves this process, and with it what it starts from now on. */
const moveTo = (cgroup: string) => writeFileSync(`${cgroup}/cgroup.procs`, String(process.pid))

/** Whether there is such a group here; within a smaller quota there is none. */
function canLimit(): boolean {
  try {
    mkdirSync(LIMITED)
  } catch {
    return false
  }
  try {
    writeFileSync(`${LIMITED}/cpu.cfs_quota_us`, String(QUOTA_US))
    return true
  } catch {
    rmdirSync(LIMITED)
    return false
  }
}

const isLimited = canLimit()
let slot: Slot
beforeAll(async () => {
  if (isLimited) moveTo(LIMITED)
  slot = await openSlot({ index: 0 })
})
afterAll(async () => {
  await slot.close()
  if (!isLimited) return
  moveTo(HOME)
  rmdirSync(LIMITED)
})

test.skipIf(!isLimited)('a program that was held still has not run out of time', async () => {
  const limits = { wallMs: 600 }
  const result = await runProgram(slot, 'burn.c', { stdin: 'user', limits }).catch(
    // Where others want the processor as well it may not be judged here at all.
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
