/** Nothing is left behind, whoever dies first. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findCgroup } from '../../runner/sandbox/cgroup.ts'
import { openSlot, SandboxError } from '../../runner/sandbox/index.ts'
import { compileProgram, run, temporaryFile, RUN_LIMITS } from './fixtures/sandbox.ts'

/** Directories of helpers below this process's place, in every hierarchy. */
async function cgroups(): Promise<string[]> {
  const place = await findCgroup()
  const parents = place.version === 'v2' ? [place.dir] : [place.memory, place.cpuacct, place.pids]
  return parents
    .flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)))
    .filter((path) => /coursejudge-\d/.test(path))
}

/** Pids of all processes whose ancestor is `root`. */
function descendants(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      parents.set(Number(name), Number(fields[1]))
    } catch {
      continue // ended while we looked
    }
  }
  const found: number[] = []
  for (const pid of parents.keys()) {
    let at: number | undefined = pid
    while (at && at !== root) at = parents.get(at)
    if (at === root && pid !== root) found.push(pid)
  }
  return found
}

/** Whether a process still runs; one that nobody has reaped yet does not. */
function alive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function mounts(): string {
  return readFileSync('/proc/self/mountinfo', 'utf8')
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

test('200 runs leave no process, cgroup, mount or descriptor', async () => {
  const before = { cgroups: await cgroups(), mounts: mounts(), processes: descendants(process.pid) }
  const slot = await openSlot({ index: 0 })
  const helper = descendants(process.pid).find((pid) => !before.processes.includes(pid))!
  const empty = descriptors(helper).sort()
  for (let i = 0; i < 4; i++) {
    const box = await slot.openBox()
    await compileProgram(box, ['exit-0.c', 'orphan.c', 'leave-file.c', 'segfault.c'][i]!)
    const inside = descriptors(helper).length
    for (let n = 0; n < 50; n++) expect((await run(box)).fired).toBeNull()
    expect(descriptors(helper).length).toBe(inside)
    expect(descendants(helper).length).toBe(1) // pid 1 of the box
    await box.close()
    expect(descendants(helper)).toEqual([])
    expect(descriptors(helper).sort()).toEqual(empty)
  }
  await slot.close()
  const after = { cgroups: await cgroups(), mounts: mounts(), processes: descendants(process.pid) }
  expect(after).toEqual(before)
})

test('a slot gets a new helper when the old one is killed in the middle of a run', async () => {
  const before = await cgroups()
  const slot = await openSlot({ index: 0 })
  const known = descendants(process.pid)
  const box = await slot.openBox()
  await compileProgram(box, 'who.c')
  const output = await temporaryFile()
  const running = box.run({ argv: ['/box/main'], input: null, output, limits: RUN_LIMITS })
  const failure = expect(running).rejects.toThrow(SandboxError)
  await vi.waitFor(async () => expect((await output.stat()).size).toBe(5), { interval: 10 })
  const helper = known.find((pid) =>
    readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('coursejudge'),
  )!
  process.kill(helper, 'SIGKILL')
  await failure
  await expect(run(box)).rejects.toThrow(SandboxError)

  const fresh = await slot.openBox()
  await compileProgram(fresh, 'exit-0.c')
  expect(await run(fresh)).toMatchObject({ exitCode: 0 })
  await fresh.close()
  await slot.close()
  await output.close()
  expect(await cgroups()).toEqual(before) // the new helper removed what the old one left
})

test('kill -9 of the runner ends the helper, the box and its cgroups', async () => {
  const before = await cgroups()
  const program = `
    import { openSlot } from ${JSON.stringify(join(import.meta.dirname, '../../runner/sandbox/index.ts'))}
    import { compileProgram, run } from ${JSON.stringify(join(import.meta.dirname, 'fixtures/sandbox.ts'))}
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
  const started = await vi.waitFor(() => {
    const found = descendants(runner.pid!)
    expect(found.length).toBe(3) // helper, pid 1, program
    return found
  })
  runner.kill('SIGKILL')
  await once(runner, 'close')
  await vi.waitFor(() => {
    expect(started.filter(alive)).toEqual([])
  })
  await vi.waitFor(async () => expect(await cgroups()).toEqual(before))
})

test('cgroups that a dead runner left are removed at the next start', async () => {
  const place = await findCgroup()
  const parents = place.version === 'v2' ? [place.dir] : [place.memory, place.cpuacct, place.pids]
  for (const dir of parents)
    mkdirSync(join(dir, 'coursejudge-999999-0', 'case'), { recursive: true })
  const slot = await openSlot({ index: 0 })
  expect((await cgroups()).filter((path) => path.includes('999999'))).toEqual([])
  await slot.close()
})

test('a second runner leaves the cgroups of the first alone', async () => {
  const first = await openSlot({ index: 0 })
  const mine = await cgroups()
  const second = await openSlot({ index: 1 })
  expect(await cgroups()).toEqual(expect.arrayContaining(mine))
  const box = await first.openBox()
  await compileProgram(box, 'exit-0.c')
  expect(await run(box)).toMatchObject({ exitCode: 0 })
  await first.close()
  await second.close()
})
