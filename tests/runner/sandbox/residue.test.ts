/** Nothing stays behind, whichever process dies first. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { directoriesOf, findCgroup } from '../../../runner/sandbox/cgroup.ts'
import { openSlot, type Slot, type SlotOptions } from '../../../runner/sandbox/slot.ts'
import { SandboxError } from '../../../runner/sandbox/errors.ts'
import { descendants } from '../fixtures/processes.ts'
import {
  compileProgram,
  compileRequest,
  run,
  temporaryFile,
  RUN_LIMITS,
  USER_MODE_LINUX,
} from '../fixtures/sandbox.ts'
import { eventually } from '../../support/eventually.ts'

const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
// User-mode Linux is slow.
const RUNS = (isFull ? 10_000 : 200) / (USER_MODE_LINUX ? 5 : 1)

/** Cgroup directories of this helper in every hierarchy; other runners may work on this machine, too. */
async function cgroupsOf(helper: number): Promise<string[]> {
  const parents = directoriesOf(await findCgroup())
  return parents
    .flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)))
    .filter((path) => path.includes(`coursejudge-${helper}-`))
}

/** Names of the cgroups in a cgroup; `init` is the leaf of the box's first process on v2. */
function directories(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'init')
    .map((entry) => entry.name)
}

/** Whether a process still runs; a zombie does not. */
function alive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Mounts of a box that the host can see; there must be none. */
function mounts(): string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  return lines.filter((line) => / - tmpfs (root|work|box) /.test(line))
}

/** Slots of the running test, closed even after a failure. */
const slots: Slot[] = []
async function open(options: SlotOptions): Promise<Slot> {
  const slot = await openSlot(options)
  slots.push(slot)
  return slot
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return '' // ended meanwhile
  }
}

/** The helper among our child processes. */
function helperPid(): number {
  return descendants(process.pid).find((pid) => commandOf(pid).startsWith('coursejudge')) ?? 0
}

function descriptors(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/\d+/g, 'n')
    } catch {
      return ''
    }
  })
}

afterEach(() => Promise.all(slots.splice(0).map((slot) => slot.close())))

test(`${RUNS} runs leave no process, cgroup, mount, file or descriptor [JF2] [JF3]`, async () => {
  const slot = await open({ index: 0 })
  const helper = helperPid()
  const ofCases = /\/case(\/|$)/
  const empty = descriptors(helper).sort()
  const idle = new Set<string>()
  const own = descriptors(process.pid).length
  const ownFiles = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`sandbox-test-${process.pid}-`))
  expect(ownFiles()).toEqual([])
  for (const program of ['exit-0.c', 'orphan.c', 'leave-file.c', 'segfault.c']) {
    const box = await slot.openBox()
    await compileProgram(box, program)
    for (let n = 0; n < RUNS / 4; n++) expect((await run(box)).fired).toBeNull()
    // The box's pid 1, and the process that waits for the next run.
    await eventually(async () => expect(descendants(helper)).toHaveLength(2))
    await box.close()
    expect(descendants(helper)).toEqual([])
    const open = descriptors(helper).sort()
    expect(open.filter((path) => !ofCases.test(path))).toEqual(empty)
    idle.add(JSON.stringify(open))
  }
  // Besides, the helper has only the open files of the next case.
  expect(idle.size).toBe(1)
  expect((await cgroupsOf(helper)).flatMap(directories)).toEqual(['case'])
  expect(mounts()).toEqual([])
  expect(ownFiles()).toEqual([])
  await slot.close()
  expect(descriptors(process.pid).length).toBeLessThanOrEqual(own)
  expect(await cgroupsOf(helper)).toEqual([])
  expect(alive(helper)).toBe(false)
})

const LOOK_AT_WORK = `import os, sys
info, size = os.stat("."), os.statvfs(".")
print(info.st_atime, info.st_mtime, info.st_ctime, size.f_blocks * size.f_frsize, os.listdir("."))
open("left", "w") if len(sys.argv) > 1 else None`
/** File times are those of the kernel's last tick. */
const TICK_MS = 20

test('the work directory of a run is empty, as large as asked for, and does not tell when the run before ended', async () => {
  const slot = await open({ index: 0 })
  const other = await open({ index: 1 })
  const box = await slot.openBox()
  await box.compile(compileRequest(LOOK_AT_WORK, 'main.py'))
  // Two runs of the same size may share a directory, unless a run has used it.
  const sizes = [2 ** 20, 2 ** 24, 2 ** 24, 2 ** 24, 2 ** 20, 2 ** 20, 2 ** 20]
  for (const [index, workDirBytes] of sizes.entries()) {
    // Takes some ticks.
    const another = await other.openBox()
    await compileProgram(another, 'who.c')
    await another.close()
    const begunMs = Date.now()
    const argv = ['/usr/bin/python3', '-B', '/box/main.py', ...(index % 2 === 0 ? ['leave'] : [])]
    const result = await run(box, { argv, limits: { workDirBytes } })
    const [accessed, modified, changed, bytes, files] = result.stdout.toString().trim().split(' ')
    expect([accessed, modified]).toEqual(['0.0', '0.0'])
    expect(Number(changed) * 1_000).toBeGreaterThanOrEqual(begunMs - TICK_MS)
    expect(Number(bytes)).toBe(workDirBytes)
    expect(files).toBe('[]')
  }
  await box.close()
})

test.each([
  // It may die before or after it has reported that it waits.
  { who: 'the process that waits', index: 1, message: /process (of a run|in the box) ended/u },
  { who: 'the first process of the box', index: 0, message: '' },
])(
  'when $who dies between two runs, the next run fails, and only that',
  async ({ index, message }) => {
    const slot = await open({ index: 0 })
    const helper = helperPid()
    const box = await slot.openBox()
    await compileProgram(box, 'exit-0.c')
    await run(box)
    await eventually(async () => expect(descendants(helper)).toHaveLength(2))
    process.kill(Number(descendants(helper)[index]), 'SIGKILL')
    const failure = expect(run(box)).rejects
    await failure.toThrow(SandboxError)
    await failure.toThrow(message)
    await box.close()
    const fresh = await slot.openBox()
    await compileProgram(fresh, 'exit-0.c')
    expect(await run(fresh)).toMatchObject({ exitCode: 0 })
    await fresh.close()
  },
)

test('a slot gets a new helper when the old one is killed in the middle of a run', async () => {
  const slot = await open({ index: 0 })
  const helper = helperPid()
  const box = await slot.openBox()
  await compileProgram(box, 'who.c')
  const output = await temporaryFile()
  const running = box.run({ argv: ['/box/main'], input: null, output, limits: RUN_LIMITS })
  const failure = expect(running).rejects.toThrow(SandboxError)
  // The box's first process, and the program.
  await eventually(async () => expect(descendants(helper)).toHaveLength(2))
  process.kill(helper, 'SIGKILL')
  await failure
  await expect(run(box)).rejects.toThrow(SandboxError)
  await box.close()

  const fresh = await slot.openBox()
  await compileProgram(fresh, 'exit-0.c')
  expect(await run(fresh)).toMatchObject({ exitCode: 0 })
  expect(helperPid()).not.toBe(helper)
  expect(await cgroupsOf(helper)).toEqual([]) // the new helper removed what the old one left
  await fresh.close()
  await slot.close()
  await output.close()
})

test('kill -9 of the runner ends the helper, the box and its cgroups', async () => {
  const sandbox = JSON.stringify(join(import.meta.dirname, '../../../runner/sandbox/slot.ts'))
  const fixtures = JSON.stringify(join(import.meta.dirname, '../fixtures/sandbox.ts'))
  const program = `
    import { openSlot } from ${sandbox}
    import { compileProgram, run } from ${fixtures}
    const slot = await openSlot({ index: 0 })
    const box = await slot.openBox()
    await compileProgram(box, 'sleep.c')
    console.log('running')
    await run(box, { limits: { wallMs: 60000 } })
  `
  const runner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(runner.stdout, 'data')
  const started = await eventually(() => {
    const found = descendants(runner.pid ?? 0)
    expect(found.length).toBe(3) // helper, pid 1, program
    return found
  })
  runner.kill('SIGKILL')
  await once(runner, 'close')
  await eventually(() => expect(started.filter(alive)).toEqual([]))
  for (const pid of started) expect(await cgroupsOf(pid)).toEqual([])
})

test('a process of the host that looks at a program does not cost the box', async () => {
  const slot = await open({ index: 0 })
  const box = await slot.openBox()
  await compileProgram(box, 'sleep.c')
  const running = run(box, { limits: { wallMs: 1_000 } })
  const program = await eventually(() => {
    const pid = descendants(process.pid).find((pid) => commandOf(pid) === 'main')
    expect(pid).toBeDefined()
    return pid
  })
  const watched = openSync(`/proc/${program}/cwd`, 'r')
  expect((await running).fired).toBe('wall')
  expect((await run(box, { limits: { wallMs: 100 } })).fired).toBe('wall')
  closeSync(watched)
})

test('cgroups that a dead runner left are removed at the next start', async () => {
  const parents = directoriesOf(await findCgroup())
  for (const dir of parents)
    mkdirSync(join(dir, 'coursejudge-999999-0', 'case'), { recursive: true })
  const slot = await open({ index: 0 })
  expect(await cgroupsOf(999_999)).toEqual([])
  await slot.close()
})

test('a second runner leaves the cgroups of the first alone', async () => {
  const first = await open({ index: 0 })
  const helper = helperPid()
  const mine = await cgroupsOf(helper)
  const second = await open({ index: 1 })
  expect(await cgroupsOf(helper)).toEqual(mine)
  const box = await first.openBox()
  await compileProgram(box, 'exit-0.c')
  expect(await run(box)).toMatchObject({ exitCode: 0 })
  await first.close()
  await second.close()
})

test('a request that the helper refuses costs the helper, not the slot', async () => {
  const slot = await open({ index: 0 })
  const box = await slot.openBox()
  await compileProgram(box, 'exit-0.c')
  await expect(run(box, { argv: ['not-absolute'] })).rejects.toThrow(/argv/)
  const fresh = await slot.openBox()
  await compileProgram(fresh, 'exit-0.c')
  expect(await run(fresh)).toMatchObject({ exitCode: 0 })
  await slot.close()
})
