/** Two programs joined by pipes, and files placed for a program: the helper's share in checkers and interactors. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildHelper, buildSanitizedHelper } from '../../../runner/sandbox/build.ts'
import { attachBoth, converse, type Side } from '../../../runner/sandbox/converse.ts'
import type { Box, Limits, PlacedFiles, RunRequest } from '../../../runner/sandbox/box.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { compileRequest, RUN_LIMITS, temporaryFile, USER_MODE_LINUX } from '../fixtures/sandbox.ts'

let slot: Slot
let dir = ''
beforeAll(async () => {
  // Helpers with sanitizers, because conversations are the easiest part to get wrong.
  const binary = await (USER_MODE_LINUX ? buildHelper() : buildSanitizedHelper())
  slot = await openSlot({ index: 0, binary })
  dir = await mkdtemp(join(tmpdir(), 'converse-test-'))
})
afterAll(async () => {
  await slot.close()
  await rm(dir, { recursive: true })
})

const PYTHON = ['/usr/bin/python3', '-B', '/box/main.py']

async function compiled(box: Box, source: string): Promise<Box> {
  await box.compile(compileRequest(source, 'main.py'))
  return box
}

interface Talk {
  left: string
  right: string
  limits?: Partial<Limits>
  rightLimits?: Partial<Limits>
}

/** Lets two Python programs talk; answers both results and both outputs. */
async function talk({ left, right, limits, rightLimits }: Talk) {
  const boxes = [
    await compiled(await slot.openBox(), left),
    await compiled(await slot.openRefereeBox(), right),
  ] as const
  const files = [await temporaryFile(), await temporaryFile()] as const
  const side = (n: 0 | 1, change: Partial<Limits> = {}): Side => ({
    box: boxes[n],
    request: { argv: PYTHON, output: files[n], limits: { ...RUN_LIMITS, ...change } },
  })
  const ends = await converse(side(0, limits), side(1, rightLimits), dir)
  const texts = await Promise.all(
    files.map(async (file) => {
      const { size } = await file.stat()
      return (await file.read(Buffer.alloc(size), 0, size, 0)).buffer.toString()
    }),
  )
  await Promise.all([...boxes, ...files].map((open) => open.close()))
  return { left: { ...ends[0], text: texts[0] }, right: { ...ends[1], text: texts[1] } }
}

const ASK =
  'import sys\nfor n in range(200):\n  print(n, flush=True)\n  assert input() == str(2 * n)\n'
const DOUBLE = 'import sys\nfor line in sys.stdin:\n  print(2 * int(line), flush=True)\n'
const CLOSE_AND_LISTEN = 'import os\nos.close(1)\nassert input() == "over"\n'
const READ_ALL = 'import sys\nsys.stdin.read()\n'
const SLEEP = 'import time\ntime.sleep(60)\n'

describe('a conversation', () => {
  test('goes back and forth, and both sides are kept', async () => {
    const { left, right } = await talk({ left: ASK, right: DOUBLE })
    expect(left).toMatchObject({ exitCode: 0, fired: null, closedFirst: 'program' })
    expect(right).toMatchObject({ exitCode: 0, fired: null, closedFirst: null })
    expect(left.text).toBe(Array.from({ length: 200 }, (_, n) => `${n}\n`).join(''))
    expect(right.text).toBe(Array.from({ length: 200 }, (_, n) => `${2 * n}\n`).join(''))
  })

  test('tells whose end came first when both crash over it', async () => {
    const reader = 'while True: input()\n'
    const first = await talk({ left: 'import os\nos.abort()\n', right: reader })
    expect(first.left).toMatchObject({ signal: 6, closedFirst: 'program' })
    expect(first.right.exitCode).toBe(1)
    const second = await talk({ left: reader, right: 'exit(1)\n' })
    expect(second.left).toMatchObject({ exitCode: 1, closedFirst: 'peer' })
  })

  test('does not end a writer whose reader is gone: nobody dies of SIGPIPE', async () => {
    const left = 'for n in range(9000): print("x" * 99)\n'
    const result = await talk({ left, right: 'exit(1)\n' })
    expect(result.left).toMatchObject({ exitCode: 0, fired: null, closedFirst: 'peer' })
    expect(result.left.outputBytes).toBe(900_000)
  })

  test('holds a writer back while its reader does not read, without losing a byte', async () => {
    const left = 'import sys\nfor n in range(9000): print("x" * 99)\n'
    const right = 'import sys, time\ntime.sleep(0.3)\nprint(len(sys.stdin.read()))\n'
    const result = await talk({ left, right })
    expect(result.left).toMatchObject({ exitCode: 0, outputBytes: 900_000 })
    expect(result.right.text).toBe('900000\n')
  })

  test('keeps what the right side writes after the left one, before anybody is told of that', async () => {
    const marker = randomUUID()
    const isAlive = async () => {
      const pids = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))
      const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
      return (await Promise.all(lines)).some((line) => line.includes(marker))
    }
    const right = 'import sys, time\nsys.stdin.read()\ntime.sleep(0.3)\nprint("so late")\n'
    const boxes = [
      await compiled(await slot.openBox(), 'print("over")\n'),
      await compiled(await slot.openRefereeBox(), right),
    ] as const
    const files = [await temporaryFile(), await temporaryFile()] as const
    const side = (n: 0 | 1): Side => ({
      box: boxes[n],
      request: { argv: [...PYTHON, marker], output: files[n], limits: RUN_LIMITS },
    })
    await attachBoth(side(0), side(1), dir)
    const first = side(0).box.run({ ...side(0).request, input: 'attached' })
    const bothOver = first.then(() => expect.poll(isAlive).toBe(false))
    const request: RunRequest = { ...side(1).request, input: 'attached', peerEnd: bothOver }
    const end = await side(1).box.run(request)
    expect(end).toMatchObject({ exitCode: 0, fired: null, outputBytes: 8 })
    expect(await files[1].readFile('utf8')).toBe('so late\n')
    await Promise.all([...boxes, ...files].map((open) => open.close()))
  })

  test('delivers the last words of a program that has ended', async () => {
    const left = 'import os\nos.write(1, b"x" * 60000)\n'
    const right = 'import sys, time\ntime.sleep(0.3)\nprint(len(sys.stdin.read()))\n'
    expect((await talk({ left, right })).right.text).toBe('60000\n')
  })

  test('of two that wait for each other ends with the wall limit of the first', async () => {
    const { left, right } = await talk({
      left: READ_ALL,
      right: READ_ALL,
      limits: { wallMs: 300 },
    })
    expect(left).toMatchObject({ fired: 'wall', closedFirst: 'program' })
    if (!USER_MODE_LINUX) expect(left.cpuMs).toBeLessThan(200)
    expect(right).toMatchObject({ exitCode: 0, fired: null })
  })

  test('ends one side by its own limits without hurting the other', async () => {
    const flood = await talk({ left: 'while True: print("x" * 999)\n', right: READ_ALL })
    expect(flood.left).toMatchObject({ fired: 'output', outputBytes: 1024 * 1024 })
    expect(flood.right).toMatchObject({ exitCode: 0, fired: null })
    const spin = await talk({ left: 'while True: pass\n', right: READ_ALL, limits: { cpuMs: 200 } })
    expect(spin.left).toMatchObject({ fired: 'cpu', closedFirst: 'program' })
  })

  test('of a side that is stopped does not wait until the other reads the rest', async () => {
    // The helper waits up to 20 s for the reader of the last words of a program that ended by itself.
    const { left, right } = await talk({
      left: `import os
os.set_blocking(1, False)
while True:
  try: os.write(1, b"x" * 1000)
  except BlockingIOError: pass
`,
      right: SLEEP,
      limits: { cpuMs: 300 },
      rightLimits: { wallMs: 300 },
    })
    expect(left.fired).toBe('cpu')
    expect(right.fired).toBe('wall')
    expect(right.wallMs).toBeLessThan(15_000)
  })

  test('gives the right side all the time that the left one takes, however little it has itself', async () => {
    const left = 'import time\ntime.sleep(1)\nprint("so late")\n'
    const right = 'print(input())\n'
    const late = await talk({ left, right, rightLimits: { wallMs: 100 } })
    expect(late.right).toMatchObject({ fired: null, exitCode: 0, text: 'so late\n' })
    const never = await talk({
      left: 'import time\ntime.sleep(60)\n',
      right: READ_ALL,
      limits: { wallMs: 500 },
      rightLimits: { wallMs: 100 },
    })
    expect(never.left).toMatchObject({ fired: 'wall', closedFirst: 'program' })
    expect(never.right).toMatchObject({ fired: null, exitCode: 0 })
  })

  test('ends a right side that hangs: its wall limit counts from the end of the left one', async () => {
    const alone = await talk({ left: 'pass\n', right: SLEEP, rightLimits: { wallMs: 300 } })
    expect(alone.left).toMatchObject({ exitCode: 0, closedFirst: 'program' })
    expect(alone.right.fired).toBe('wall')
    const both = await talk({
      left: READ_ALL,
      right: SLEEP,
      limits: { wallMs: 300 },
      rightLimits: { wallMs: 300 },
    })
    expect([both.left.fired, both.right.fired]).toEqual(['wall', 'wall'])
  })

  test('is fit for another one after either side was ended', async () => {
    for (const right of [SLEEP, 'exit(1)\n', DOUBLE]) {
      const limits = { wallMs: 200 }
      await talk({ left: SLEEP, right, limits, rightLimits: limits })
      expect((await talk({ left: ASK, right: DOUBLE })).left.exitCode).toBe(0)
    }
  })

  test('goes on when one side closes its output and stays', async () => {
    const result = await talk({ left: CLOSE_AND_LISTEN, right: `${READ_ALL}print("over")\n` })
    expect(result.left).toMatchObject({ exitCode: 0, closedFirst: 'program' })
    expect(result.right).toMatchObject({ exitCode: 0, text: 'over\n' })
  })

  test('leaves neither side a descriptor but its own three', async () => {
    const source =
      'import os\nfor fd in range(3, 64):\n  try: os.fstat(fd); print(fd)\n  except OSError: pass\n'
    const { left, right } = await talk({ left: source, right: source })
    expect([left.text, right.text]).toEqual(['', ''])
  })

  test('leaves two pipes and nothing open behind', async () => {
    const before = (await readdir('/proc/self/fd')).length
    for (let n = 0; n < 3; n++) await talk({ left: ASK, right: DOUBLE })
    expect((await readdir('/proc/self/fd')).length).toBe(before)
    expect((await readdir(dir)).length).toBe(2)
  })
})

describe('files placed for a run', () => {
  const LIST = `import os
names = sorted(os.listdir('.'))
for name in names:
  status = os.stat(name)
  print(name, oct(status.st_mode & 0o777), open(name, 'rb').read())
for name in names:
  try: os.execv(name, [name])
  except PermissionError: print('not executable')
  try: open(name, 'w')
  except PermissionError: print('not writable')
`

  test('lie read-only in its working directory, and only those', async () => {
    const box = await compiled(await slot.openBox(), LIST)
    const files = {
      input: await temporaryFile('in\0\xff'),
      output: await temporaryFile('#!/usr/bin/python3\n'),
      answer: await temporaryFile(''),
    }
    const listed = async (placed: PlacedFiles) => {
      const output = await temporaryFile()
      const request = { argv: PYTHON, input: null, output, limits: RUN_LIMITS }
      await box.run({ ...request, files: placed })
      const text = (await output.readFile()).toString()
      await output.close()
      return text
    }
    expect(await listed(files)).toBe(
      `answer 0o444 b''
input 0o444 b'in\\x00\\xc3\\xbf'
output 0o444 b'#!/usr/bin/python3\\n'
${'not executable\nnot writable\n'.repeat(3)}`,
    )
    const alone = await listed({ answer: files.input })
    expect(alone).toBe("answer 0o444 b'in\\x00\\xc3\\xbf'\nnot executable\nnot writable\n")
    await Promise.all([...Object.values(files), box].map((open) => open.close()))
  })

  test('may be as large as the working directory', async () => {
    const box = await compiled(await slot.openBox(), 'import os\nprint(os.stat("input").st_size)\n')
    const input = await temporaryFile(Buffer.alloc(15_000_000))
    const output = await temporaryFile()
    await box.run({ argv: PYTHON, input: null, output, files: { input }, limits: RUN_LIMITS })
    expect((await output.readFile()).toString()).toBe('15000000\n')
    await Promise.all([input, output, box].map((open) => open.close()))
  })
})
