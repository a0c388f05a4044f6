import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { languageOfId } from '#contract/languages'
import type { LanguageId } from '#contract/languages/codes'
import { type Compiled, ProgramCache } from '../../../runner/compile/program-cache.ts'
import type { Box } from '../../../runner/sandbox/box.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { run } from '../fixtures/sandbox.ts'

let slots: Slot[] = []
let directory = ''
let cache: ProgramCache
const events: string[] = []

beforeAll(async () => void (slots = [await openSlot({ index: 0 }), await openSlot({ index: 1 })]))
afterAll(async () => {
  for (const slot of slots) await slot.close()
})
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'program-cache-'))
  events.length = 0
  cache = await opened()
})
afterEach(() => rm(directory, { recursive: true }))

function opened(versions: Record<string, string> = { c: '1', cpp: '1', py3: '1' }) {
  return ProgramCache.open({ directory, versions, log: (event) => events.push(event) })
}

interface Outcome {
  compiled: Compiled
  /** Commands that ran in the box: the compiler, or `true` for a known program. */
  commands: string[]
  stdout: string | null
}

/** Compiles a source in a box of its own, then runs the program once. */
async function compiled(
  source: string | Buffer,
  id: LanguageId = 'c',
  slot = slots[0],
  compileArgv = languageOfId(id).compileArgv,
): Promise<Outcome> {
  if (!slot) throw new Error('There is no such slot.')
  const language = { ...languageOfId(id), compileArgv }
  const box = await slot.openBox()
  const commands: string[] = []
  const watched: Box = {
    ...box,
    compile(request) {
      commands.push(request.argv[0] ?? '')
      return box.compile(request)
    },
  }
  try {
    const result = await cache.compile(watched, language, Buffer.from(source))
    const outcome = result.ok ? await run(box, { argv: language.runArgv }) : null
    return { compiled: result, commands, stdout: outcome && outcome.stdout.toString() }
  } finally {
    await box.close()
  }
}

const HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); }\n'

describe('a source that was compiled before', () => {
  it.each<[LanguageId, string]>([
    ['c', HELLO],
    ['cpp', '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n'],
    ['py3', 'print("hello")\n'],
  ])('in %s is put into the box without the compiler, and runs the same', async (id, source) => {
    const first = await compiled(source, id)
    const second = await compiled(source, id)
    expect(first.commands).toEqual([languageOfId(id).compileArgv[0]])
    expect(second.commands).toEqual(['/usr/bin/true'])
    expect([first.stdout, second.stdout]).toEqual(['hello\n', 'hello\n'])
    expect(second.compiled).toEqual(first.compiled)
    expect(first.compiled).toMatchObject({ ok: true, program: expect.stringMatching(/^\w{64}$/) })
  })

  it('is known after a restart, and in another slot', async () => {
    await compiled(HELLO)
    cache = await opened()
    expect((await compiled(HELLO, 'c', slots[1])).commands).toEqual(['/usr/bin/true'])
  })

  it('with a Compile Error answers the same message', async () => {
    const first = await compiled('int main(void) { return x; }')
    const second = await compiled('int main(void) { return x; }')
    expect(first.compiled).toMatchObject({
      ok: false,
      message: expect.stringContaining('main.c:1'),
    })
    expect(second.compiled).toEqual(first.compiled)
    expect([first.commands.length, second.commands.length]).toEqual([1, 0])
  })
})

describe('a source is compiled', () => {
  it('when one byte is different, or the compiler, or the language', async () => {
    const { compiled: first } = await compiled(HELLO)
    expect((await compiled(`${HELLO}\n`)).commands).toEqual(['/usr/bin/gcc'])
    expect((await compiled(HELLO, 'cpp')).commands).toEqual(['/usr/bin/g++'])
    cache = await opened({ c: '2', cpp: '1', py3: '1' })
    const again = await compiled(HELLO)
    expect(again.commands).toEqual(['/usr/bin/gcc'])
    // The compiler is in fact the same, and equal programs have the same name.
    expect(again.compiled).toEqual(first)
  })

  it('when the kept program was damaged, which is logged', async () => {
    await compiled(HELLO)
    for (const name of await readdir(directory)) await writeFile(join(directory, name), 'damaged')
    const again = await compiled(HELLO)
    expect(again).toMatchObject({ commands: ['/usr/bin/gcc'], stdout: 'hello\n' })
    expect(events).toEqual(['program_dropped'])
    expect((await compiled(HELLO)).commands).toEqual(['/usr/bin/true'])
  })

  const KILLED = '__import__("os").abort()'
  it.each([
    ['a signal ended the compiler', ['/usr/bin/python3', '-c', KILLED]],
    [
      'a signal ended a part of the compiler, which itself ends with 1 then',
      ['/usr/bin/gcc', '-c', 'main.c', '-wrapper', `/usr/bin/python3,-c,${KILLED}`],
    ],
  ])('every time when %s', async (_what, argv) => {
    for (const _ of [1, 2]) {
      const { compiled: result, commands } = await compiled(HELLO, 'c', slots[0], argv)
      expect(result).toMatchObject({ ok: false })
      expect(commands).toHaveLength(1)
    }
  })

  it('every time when its program is larger than what is kept', async () => {
    const large = 'int table[1 << 19] = {1};\nint main(void) { return table[9]; }\n'
    for (const _ of [1, 2]) {
      const { compiled: result, commands } = await compiled(large)
      expect(result).toEqual({ ok: true, program: null })
      expect(commands).toEqual(['/usr/bin/gcc'])
    }
    expect(await readdir(directory)).toEqual([])
  })

  it('every time when the compiler was stopped', async () => {
    const endless =
      '#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(A(x))))))))\nB(B(int a;))'
    for (const _ of [1, 2]) {
      const { compiled: result, commands } = await compiled(endless)
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining('took too much') })
      expect(commands).toHaveLength(1)
    }
  })

  it('when the disk is almost full: its last room is for outputs', async () => {
    const versions = { c: '1', cpp: '1', py3: '1' }
    const log = (event: string) => void events.push(event)
    cache = await ProgramCache.open({ directory, versions, log, freeBytes: async () => 1_000_000 })
    const outcomes = [await compiled(HELLO), await compiled(HELLO)]
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(['hello\n', 'hello\n'])
    expect(outcomes[1]?.commands).toEqual(['/usr/bin/gcc'])
    expect(events).toEqual(['program_not_kept', 'program_not_kept'])
    expect(await readdir(directory)).toEqual([])
  })

  it('when the disk takes nothing', async () => {
    await rm(directory, { recursive: true })
    expect(await compiled(HELLO)).toMatchObject({ commands: ['/usr/bin/gcc'], stdout: 'hello\n' })
    expect(events).toEqual(['program_not_kept'])
    directory = await mkdtemp(join(tmpdir(), 'program-cache-'))
  })
})

it('two slots that compile the same source at once both get it', async () => {
  const both = await Promise.all(slots.map((slot) => compiled(HELLO, 'c', slot)))
  expect(both.map(({ stdout }) => stdout)).toEqual(['hello\n', 'hello\n'])
  expect(await readdir(directory)).toHaveLength(1)
  expect((await compiled(HELLO)).commands).toEqual(['/usr/bin/true'])
})
