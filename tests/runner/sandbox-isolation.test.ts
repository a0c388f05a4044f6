/** What a program cannot see, reach, or leave behind. */
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { coreOfSlot } from '../../runner/sandbox/cores.ts'
import { openSlot } from '../../runner/sandbox/index.ts'
import type { Slot } from '../../runner/sandbox/index.ts'
import { descendants } from './fixtures/processes.ts'
import {
  compileProgram,
  compileRequest,
  run,
  runProgram,
  USER_MODE_LINUX,
} from './fixtures/sandbox.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
}, 60_000)
afterAll(() => slot.close())

/** Host view: status of every program that our slots run now (the artefact is called `main`). */
function programsOnHost(): string[] {
  return descendants(process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/status`, 'utf8')
      } catch {
        return '' // ended while we looked
      }
    })
    .filter((status) => status.startsWith('Name:\tmain\n'))
}

/** Host uids of these programs. */
function hostUids(): number[] {
  return programsOnHost().map((status) => Number(/^Uid:\t(\d+)/m.exec(status)?.[1]))
}

test('a program reaches nothing of the host: no /proc, no network, no files, no privileges', async () => {
  const result = await runProgram(slot, 'look-around.c', { stdin: '' })
  expect(result.stdout.toString()).toBe('')
  expect(result.exitCode).toBe(0)
})

test('a program can mark, lock and watch nothing that neighbours and later runs see', async () => {
  const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/urandom']
  const before = devices.map((path) => statSync(path).ctimeMs)
  const result = await runProgram(slot, 'touch-neighbours.c', { stdin: '' })
  expect(result.stdout.toString()).toBe('')
  expect(result.exitCode).toBe(0)
  expect(devices.map((path) => statSync(path).ctimeMs)).toEqual(before)
})

/** Some containers mount /proc/sys read-only. */
function pidsCanStartAnew(): boolean {
  try {
    closeSync(openSync('/proc/sys/kernel/ns_last_pid', 'r+'))
    return true
  } catch {
    return false
  }
}

test.runIf(pidsCanStartAnew())('process ids do not tell what earlier runs did', async () => {
  const box = await slot.openBox()
  await compileProgram(box, 'pids.c')
  for (let i = 0; i < 3; i++) expect((await run(box)).stdout.toString()).toBe('2 5\n')
  await box.close()
})

test.skipIf(USER_MODE_LINUX)('the 32-bit system call entry is closed', async () => {
  const result = await runProgram(slot, 'i386-call.c')
  // SIGSYS from the filter; SIGSEGV where the kernel has no such entry at all.
  expect([31, 11]).toContain(result.signal)
})

test('an orphan that ignores every signal ends with its run', async () => {
  const result = await runProgram(slot, 'orphan.c')
  expect(result).toMatchObject({ exitCode: 0, fired: null })
  expect(result.stdout.toString()).toBe('done\n')
  expect(programsOnHost()).toEqual([])
})

test('a run finds nothing that an earlier run left', async () => {
  const box = await slot.openBox()
  await compileProgram(box, 'leave-file.c')
  for (let i = 0; i < 3; i++) {
    const result = await run(box)
    expect(result.exitCode).toBe(0)
    expect(result.stdout.toString()).toBe('clean\n')
  }
  await box.close()
})

test('the programs of a slot stay on its core', async () => {
  const second = await openSlot({ index: 1 })
  const box = await second.openBox()
  await box.compile(compileRequest('import os\nprint(*os.sched_getaffinity(0))', 'main.py'))
  const result = await run(box, { argv: ['/usr/bin/python3', '-B', '/box/main.py'] })
  expect(result.stdout.toString()).toBe(`${coreOfSlot(1)}\n`)
  await second.close()
})

test('two slots run at once under different host ids, none of them root', async () => {
  const second = await openSlot({ index: 1 })
  const boxes = [await slot.openBox(), await second.openBox()]
  const limits = { wallMs: 2_000 }
  const runs = boxes.map(async (box) => {
    await compileProgram(box, 'who.c')
    return run(box, { limits })
  })
  const uids = await vi.waitFor(
    () => {
      const found = hostUids()
      expect(found.length).toBe(2)
      return found
    },
    { timeout: 10_000, interval: 20 },
  )
  expect(uids).not.toContain(0)
  if (process.getuid?.() === 0) expect(new Set(uids).size).toBe(2)
  for (const result of await Promise.all(runs)) expect(result.fired).toBe('wall')
  for (const box of boxes) await box.close()
  await second.close()
})
