/** Which memory counts for the program, which for the page cache, and a host with too little of it. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { buildHelper } from '../../../runner/sandbox/build.ts'
import { prepareCgroup } from '../../../runner/sandbox/cgroup.ts'
import { coreOfSlot } from '../../../runner/sandbox/cores.ts'
import { Helper } from '../../../runner/sandbox/helper.ts'
import { openSlot, slotUsers } from '../../../runner/sandbox/slot.ts'
import { REQUEST_KIND } from '../../../runner/sandbox/protocol.ts'
import { descendants } from '../fixtures/processes.ts'
import {
  compileProgram,
  compileRequest,
  run,
  RUN_LIMITS,
  temporaryFile,
  USER_MODE_LINUX,
} from '../fixtures/sandbox.ts'

const INDEX = 40
const MB = 1024 * 1024

/** How many processes below this one the kernel would kill first when memory is short (proc(5)). */
async function firstInLine(): Promise<number> {
  const texts = descendants(process.pid).map((pid) =>
    readFile(`/proc/${pid}/oom_score_adj`, 'utf8').catch(() => ''),
  )
  return (await Promise.all(texts)).filter((text) => text.trim() === '1000').length
}

/**
 * A helper whose programs run below the test's own cgroup, with a compiled program; `set` changes that cgroup.
 * @param first settings of cgroup v1 that exist before the helper starts
 */
async function underOwnCgroup(program: string, first: Record<string, string> = {}) {
  const cgroup = await prepareCgroup()
  const { version } = cgroup
  const parent = join(version === 'v2' ? cgroup.dir : cgroup.memory, `memory-test-${process.pid}`)
  await mkdir(parent)
  onTestFinished(() => rmdir(parent))
  const set = (name: string, value: string) => writeFile(join(parent, name), value)
  if (version === 'v2') await set('cgroup.subtree_control', '+memory +pids')
  for (const [name, value] of Object.entries(first)) await set(name, value)
  const cgroups = version === 'v2' ? [parent] : [parent, cgroup.cpuacct, cgroup.pids]
  const [root] = slotUsers(INDEX)
  const args = [coreOfSlot(INDEX), root, '-', version, ...cgroups].map(String)
  const helper = await Helper.start(await buildHelper(), args)
  onTestFinished(() => helper.close())
  await helper.request({ kind: REQUEST_KIND.openBox })
  const source = await readFile(join(import.meta.dirname, '../fixtures/programs', program))
  await helper.request({ ...compileRequest(source), kind: REQUEST_KIND.compile })
  return {
    version,
    set,
    async runProgram() {
      const output = await temporaryFile()
      const kind = REQUEST_KIND.run
      const limits = { ...RUN_LIMITS, wallMs: 2_000 }
      try {
        return await helper.request({ kind, argv: ['/box/main'], limits, outputFd: output.fd })
      } finally {
        await output.close()
      }
    },
  }
}

test('a program killed below its limit, because the host has no memory left, gets no result', async () => {
  const { version, set, runProgram } = await underOwnCgroup('touch-40-mb.c')
  expect(await runProgram()).toMatchObject({ fired: null, exitCode: 0, oomKills: 0 })
  await set(version === 'v2' ? 'memory.max' : 'memory.limit_in_bytes', String(20 * MB))
  await expect(runProgram()).rejects.toThrow('out of memory')
})

test('a program is killed at its limit, even below a cgroup that leaves such programs asleep', async ({
  skip,
}) => {
  skip((await prepareCgroup()).version === 'v2', 'there is no such setting')
  const program = await underOwnCgroup('touch-200-mb.c', { 'memory.oom_control': '1' })
  expect(await program.runProgram()).toMatchObject({ fired: 'memory' })
})

test('a host that runs out of memory takes it from programs first', async () => {
  const slot = await openSlot({ index: INDEX })
  onTestFinished(() => slot.close())
  const box = await slot.openBox()
  await compileProgram(box, 'sleep.c')
  const ended = run(box, { limits: { wallMs: 2_000 } })
  // The program and the box's pid 1.
  await expect.poll(firstInLine).toBe(2)
  await ended
})

// In user-mode Linux all files are in memory anyway.
test.skipIf(USER_MODE_LINUX)(
  'an input that has to come from the disk is no memory of the program',
  async () => {
    const slot = await openSlot({ index: INDEX })
    onTestFinished(() => slot.close())
    const box = await slot.openBox()
    await compileProgram(box, 'cat.c')
    const dir = await mkdtemp(join(import.meta.dirname, '../../../build/memory-test-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    const input = await open(join(dir, 'input'), 'wx+')
    const output = await temporaryFile()
    await input.write(Buffer.alloc(30 * MB, 'x'))
    await input.sync()
    // POSIX_FADV_DONTNEED, for which Node has no call.
    const forget = 'import os, sys; os.posix_fadvise(os.open(sys.argv[1], 0), 0, 0, 4)'
    await promisify(execFile)('python3', ['-c', forget, join(dir, 'input')])
    const limits = { ...RUN_LIMITS, outputBytes: 40 * MB }
    const result = await box.run({ argv: ['/box/main'], input, output, limits })
    expect(result).toMatchObject({ fired: null, exitCode: 0, outputBytes: 30 * MB })
    expect(result.memoryKb).toBeLessThan(10 * 1024)
    await input.close()
    await output.close()
  },
)
