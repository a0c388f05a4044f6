/** The helper gets nonsense from a runner: it refuses, ends, and never crashes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildHelper, buildSanitizedHelper } from '../../../runner/sandbox/build.ts'
import { directoriesOf, locateCgroup, prepareCgroup } from '../../../runner/sandbox/cgroup.ts'
import { coreOfSlot } from '../../../runner/sandbox/cores.ts'
import { openSlot } from '../../../runner/sandbox/slot.ts'
import { encodeRequest, REPLY_BYTES, REQUEST_KIND } from '../../../runner/sandbox/protocol.ts'
import {
  COMPILE_LIMITS,
  compileProgram,
  run,
  runProgram,
  USER_MODE_LINUX,
} from '../fixtures/sandbox.ts'

let binary: string
beforeAll(async () => {
  binary = await (USER_MODE_LINUX ? buildHelper() : buildSanitizedHelper())
})

/** Sends bytes to a fresh helper; answers its output after `ready`, and how it ended. */
async function talk(bytes: Uint8Array) {
  const cgroup = await prepareCgroup()
  const args = [String(coreOfSlot(0)), '60578', '-', cgroup.version, ...directoriesOf(cgroup)]
  const child = spawn(binary, args, {
    stdio: 'pipe',
    env: {},
  })
  const chunks: Buffer[] = []
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const [code, signal] = await once(child, 'close')
  const said = Buffer.concat(chunks).subarray(REPLY_BYTES)
  return { code, signal, complaint, reason: said.subarray(REPLY_BYTES).toString() }
}

const aCompile = {
  kind: REQUEST_KIND.compile,
  argv: ['/usr/bin/gcc', 'main.c'],
  limits: COMPILE_LIMITS,
  source: Buffer.from('int main;'),
  sourceName: 'main.c',
  artefact: 'main',
  artefactBytes: 1_000,
  runtime: ['/usr/lib'],
}
const valid = encodeRequest(aCompile)

const aRun = { kind: REQUEST_KIND.run, argv: ['/box/main'], limits: COMPILE_LIMITS, outputFd: 1 }
const runWithPipes = { ...aRun, attached: 'relays' as const }
const anAttach = { kind: REQUEST_KIND.attach, attached: 'waits' as const }
const validRun = encodeRequest(aRun)
/** An open descriptor of this process that is no pipe. */
const nullFd = openSync('/dev/null', 'r+')

/** The valid request with a 32-bit number written over it. */
function withU32(offset: number, value: number, request = valid): Buffer {
  const bytes = Buffer.from(request)
  bytes.writeUInt32LE(value, offset)
  return bytes
}

/** The valid request with a 64-bit number written over it. */
function withU64(offset: number, value: number): Buffer {
  const bytes = Buffer.from(valid)
  bytes.writeBigUInt64LE(BigInt(value), offset)
  return bytes
}

const DAY_US = 86_400 * 1_000_000
const TERA = 2 ** 40

/** Each limit in a request: how to write it, its least and its greatest value. */
const BOUNDS: [name: string, write: (value: number) => Buffer, least: number, most: number][] = [
  ['CPU time', (value) => withU64(16, value), 1, DAY_US],
  ['wall time', (value) => withU64(24, value), 1, DAY_US],
  ['memory', (value) => withU64(32, value), 256 * 1024, TERA],
  ['output', (value) => withU64(40, value), 0, TERA],
  ['the working directory', (value) => withU64(48, value), 4_096, TERA],
  ['processes', (value) => withU32(56, value), 1, 4_096],
  ['files', (value) => withU32(60, value), 8, 2 ** 20],
]

test.each(BOUNDS)(
  'a limit of %s is refused outside its bounds, and only there',
  async (...bound) => {
    const [, write, least, most] = bound
    for (const good of [least, most])
      expect((await talk(write(good))).reason).toContain('no box is open')
    for (const wrong of [least - 1, most + 1].filter((value) => value >= 0))
      expect((await talk(write(wrong))).reason).toContain('request: limits')
  },
)

test.each([
  ['argv bytes', withU32(72, 8 * 1024 + 1)],
  ['source bytes', withU32(76, 1024 * 1024 + 1)],
  ['artefact bytes', withU64(80, 2 ** 30 + 1)],
  ['artefact bytes', withU64(80, 0)],
])('one more than the most %s is refused', async (reason, bytes) => {
  expect((await talk(bytes)).reason).toContain(`request: ${reason}`)
})

/** The valid request with a text written over it. */
function withText(offset: number, text: string): Buffer {
  const bytes = Buffer.from(valid)
  bytes.write(text, offset)
  return bytes
}

describe('a malformed request is refused by name', () => {
  test.each([
    ['magic', withU32(0, 1)],
    ['version', withU32(4, 1)],
    ['kind', withU32(8, 9)],
    ['argc', withU32(12, 0)],
    ['argc', withU32(12, 65)],
    ['argv', withU32(12, 3)],
    ['runtime', withU32(12, 1)],
    ['limits', withU32(56, 0)],
    ['limits', withU32(60, 0xffffffff)],
    ['argv bytes', withU32(72, 0xffffffff)],
    ['source bytes', withU32(76, 0xffffffff)],
    ['artefact bytes', withU32(84, 0xffffffff)],
    ['source name', withText(88, '../x')],
    ['source name', withText(88, '.x\0\0')],
    ['artefact name', withText(152, 'a/b')],
    ['artefact name', withText(152, 'x'.repeat(64))],
    ['output', withU32(68, 0xffffffff, validRun)],
    ['fd', withU32(216, 0xfffffffe, validRun)],
    ['fd', withU32(224, 0x80000000, validRun)],
    ['attached', withU32(228, 3, validRun)],
    ['input', encodeRequest({ ...runWithPipes, inputFd: 3 })],
    ['attached', encodeRequest({ kind: REQUEST_KIND.attach, inputFd: 0, outputFd: 1 })],
    ['fd', encodeRequest({ ...anAttach, inputFd: 0 })],
    ['fd', encodeRequest({ ...anAttach, inputFd: 0, outputFd: 1 })],
    [
      'fd',
      encodeRequest({ ...anAttach, attached: 'relays', inputFd: 0, outputFd: 1, fileFds: [2] }),
    ],
    ['tail', encodeRequest({ ...anAttach, inputFd: 0, outputFd: 1, argv: ['/x'] })],
    ['tail', encodeRequest({ kind: REQUEST_KIND.peerEnded, argv: ['/x'] })],
    ['tail', encodeRequest({ kind: REQUEST_KIND.stop, argv: ['/x'] })],
    [
      'not a pipe',
      encodeRequest({ ...anAttach, inputFd: nullFd, outputFd: nullFd, fileFds: [nullFd] }),
    ],
    [
      'cannot open a file',
      encodeRequest({ ...anAttach, inputFd: 9999, outputFd: 1, fileFds: [nullFd] }),
    ],
    ['argv[0]', withText(240, 'u')],
    ['view', withU32(232, 2, validRun)],
    ['runtime', withU32(236, 65)],
    ['runtime', encodeRequest({ ...aCompile, runtime: ['usr'] })],
    ['argv', withU32(236, 2)],
    ['cut short', valid.subarray(0, 100)],
    ['cut short', valid.subarray(0, valid.length - 1)],
    ['no box is open', valid],
  ])('%s', async (reason, bytes) => {
    const answer = await talk(bytes)
    expect(answer.reason).toContain(reason)
    expect(answer).toMatchObject({ code: 1, signal: null, complaint: '' })
  })
})

test.each([
  ['a compilation', valid],
  ['a run', validRun],
  ['a run with pipes', encodeRequest({ ...runWithPipes, fileFds: [nullFd, nullFd, nullFd] })],
])('random damage to %s never crashes the helper', async (_what, request) => {
  // The same random numbers in each run (a linear congruential generator), so that a failure can be repeated.
  let state = 1
  const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 30; round++) {
    const bytes = Buffer.from(request)
    for (let i = next(6); i >= 0; i--) bytes[next(bytes.length)] = next(256)
    const answer = await talk(bytes)
    expect(answer).toMatchObject({ signal: null, complaint: '' })
  }
})

test('the helper works under the address and undefined behaviour sanitizers', async () => {
  const slot = await openSlot({ index: 0, binary })
  const short = { cpuMs: 100 }
  const small = { outputBytes: 1_000 }
  expect(await runProgram(slot, 'exit-0.c')).toMatchObject({ exitCode: 0 })
  expect(await runProgram(slot, 'spin.c', { limits: short })).toMatchObject({ fired: 'cpu' })
  expect(await runProgram(slot, 'flood.c', { limits: small })).toMatchObject({ fired: 'output' })
  expect(await runProgram(slot, 'orphan.c')).toMatchObject({ exitCode: 0 })
  expect(await runProgram(slot, 'stderr-flood.c')).toMatchObject({ stderrBytes: 100_000 })
  const box = await slot.openBox()
  await compileProgram(box, 'cat.c')
  expect((await run(box, { stdin: 'x'.repeat(300_000) })).outputBytes).toBe(300_000)
  await box.close()
  await slot.close()
})

describe('the directories of the cgroups', () => {
  const v1 = (name: string) => `30 20 0:26 / /sys/fs/cgroup/${name} rw - cgroup cgroup rw,${name}`
  const v2 = '40 20 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate'

  test('is one directory per hierarchy on v1', () => {
    const mounts = [v1('memory'), v1('cpu,cpuacct'), v1('pids')].join('\n')
    const self = '4:memory:/a\n3:cpu,cpuacct:/b\n2:pids:/c/d\n0::/\n'
    expect(locateCgroup(mounts, self)).toEqual({
      version: 'v1',
      memory: '/sys/fs/cgroup/memory/a',
      cpuacct: '/sys/fs/cgroup/cpu,cpuacct/b',
      pids: '/sys/fs/cgroup/pids/c/d',
    })
  })

  test('is v1 on a hybrid host', () => {
    const unified = '40 20 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw'
    const mounts = [unified, v1('memory'), v1('cpuacct'), v1('pids')].join('\n')
    const self = '4:memory:/\n3:cpuacct:/\n2:pids:/\n0::/\n'
    expect(locateCgroup(mounts, self)).toMatchObject({ version: 'v1' })
  })

  test('is our own directory on v2', () => {
    expect(locateCgroup(v2, '0::/user.slice/run-1.scope\n')).toEqual({
      version: 'v2',
      dir: '/sys/fs/cgroup/user.slice/run-1.scope',
    })
  })

  test('is the directory above once the runner has moved into its leaf', () => {
    expect(locateCgroup(v2, '0::/judge.service/coursejudge-runner\n')).toEqual({
      version: 'v2',
      dir: '/sys/fs/cgroup/judge.service',
    })
  })

  test('is the mount itself where a container shows only its own part', () => {
    const mounts = '40 20 0:30 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw'
    expect(locateCgroup(mounts, '0::/docker/abc\n')).toEqual({
      version: 'v2',
      dir: '/sys/fs/cgroup',
    })
  })

  test('is nowhere without a memory controller', () => {
    expect(locateCgroup(v1('pids'), '2:pids:/\n')).toBeNull()
  })
})
