/** Each slot has its own core and host ids. `faults-hostile.long.test.ts` tries to break out. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreOfSlot } from '../../../runner/sandbox/cores.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { descendants } from '../fixtures/processes.ts'
import { compileProgram, compileRequest, run } from '../fixtures/sandbox.ts'
import { eventually } from '../../support/eventually.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

/** As seen by the host: the status of every program that our slots run now (the artefact's name is `main`). */
function programsOnHost(): string[] {
  return descendants(process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/status`, 'utf8')
      } catch {
        return '' // ended meanwhile
      }
    })
    .filter((status) => status.startsWith('Name:\tmain\n'))
}

/** Host uids of these processes. */
function hostUids(): number[] {
  return programsOnHost().map((status) => Number(/^Uid:\t(\d+)/m.exec(status)?.[1]))
}

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
  for (const box of boxes) await compileProgram(box, 'who.c')
  const runs = boxes.map((box) => run(box, { limits: { wallMs: 2_000 } }))
  const uids = await eventually(() => {
    const found = hostUids()
    expect(found.length).toBe(2)
    return found
  })
  expect(uids).not.toContain(0)
  if (process.getuid?.() === 0) expect(new Set(uids).size).toBe(2)
  for (const result of await Promise.all(runs)) expect(result.fired).toBe('wall')
  for (const box of boxes) await box.close()
  await second.close()
})
