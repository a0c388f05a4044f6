/** The compiler gets sources byte for byte; people get its messages cleaned. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILE_MESSAGE_BYTES } from '#contract/limits'
import { type Language, languageOfId } from '#contract/languages'
import type { LanguageId } from '#contract/languages/codes'
import { C_RUNTIME } from '#contract/languages/language'
import { type Compiled, ProgramCache } from '../../../runner/compile/program-cache.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { run } from '../fixtures/sandbox.ts'

let slot: Slot
let directory = ''
let compiler: ProgramCache

beforeAll(async () => {
  slot = await openSlot({ index: 0 })
  directory = await mkdtemp(join(tmpdir(), 'odd-sources-'))
  compiler = await ProgramCache.open({ directory, versions: {}, log: () => {} })
})
afterAll(async () => {
  await slot.close()
  await rm(directory, { recursive: true })
})

/** Compiles a source, runs the program and answers its output. */
async function compiled(
  language: Language,
  source: Uint8Array,
): Promise<{ result: Compiled; stdout: Buffer | null }> {
  const box = await slot.openBox()
  try {
    const result = await compiler.compile(box, language, source)
    const outcome = result.ok ? await run(box, { argv: language.runArgv }) : null
    return { result, stdout: outcome && outcome.stdout }
  } finally {
    await box.close()
  }
}

/** A language whose "compiler" copies the source, and whose programs print themselves. */
const COPY: Language = {
  ...languageOfId('c'),
  compileArgv: ['/usr/bin/cp', 'main.c', 'main'],
  runArgv: ['/usr/bin/cat', '/box/main'],
  runtime: { ...C_RUNTIME, paths: [...C_RUNTIME.paths, '/usr/bin/cat'] },
}

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

describe('a source reaches the compiler byte for byte', () => {
  it.each<[string, Buffer]>([
    ['NUL', Buffer.from('int a;\0int b;')],
    ['a BOM', Buffer.from('\ufeffint a;')],
    ['CRLF and lone CR', Buffer.from('int a;\r\nint b;\rint c;\n')],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22])],
    ['no newline at the end', Buffer.from('int a;')],
    ['every byte there is', everyByte],
    ['64 KiB of NUL', Buffer.alloc(64 * 1024)],
  ])('with %s, when compiled and when remembered [IV2]', async (_what, source) => {
    for (const _ of [1, 2]) expect((await compiled(COPY, source)).stdout).toEqual(source)
  })

  it.each<[string, LanguageId, Buffer]>([
    [
      'a BOM and CRLF in C',
      'c',
      Buffer.from('\ufeff#include <stdio.h>\r\nint main(void) {\r\n  puts("fine");\r\n}\r\n'),
    ],
    [
      'NUL in a comment in C++',
      'cpp',
      Buffer.from('#include <cstdio>\nint main() { std::puts("fine"); } // \0'),
    ],
    ['a BOM and CRLF in Python', 'py3', Buffer.from('\ufeffif True:\r\n    print("fine")\r\n')],
    [
      'Latin-1 with its declaration in Python',
      'py3',
      Buffer.from('# coding: latin-1\nx = "\xe9"\nprint("fine")\n', 'latin1'),
    ],
  ])('so %s compiles and runs', async (_what, id, source) => {
    const { result, stdout } = await compiled(languageOfId(id), source)
    expect(result.ok).toBe(true)
    expect(stdout?.toString()).toBe('fine\n')
  })

  it('bytes of a string literal come out as they went in', async () => {
    const head = Buffer.from('#include <stdio.h>\nint main(void) { fputs("')
    const bytes = Buffer.from([0xff, 0x80, 0xc3, 0x28, 0xe4])
    const source = Buffer.concat([head, bytes, Buffer.from('", stdout); }')])
    expect((await compiled(languageOfId('c'), source)).stdout).toEqual(bytes)
  })
})

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const UNCLEAN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\u001b/

describe('a compile message is at most 64 KiB of clean UTF-8 without paths of the host', () => {
  const flood = Array.from({ length: 3_000 }, (_, n) => `#warning ${'字'.repeat(40)} ${n}\n`).join(
    '',
  )
  it.each<[string, LanguageId, Buffer]>([
    [
      'escape sequences in the source',
      'c',
      Buffer.from('int x = "\u001b[31m\u001b]0;title\u0007" + \u001b[2J;\n'),
    ],
    [
      'invalid UTF-8 in the faulty line',
      'cpp',
      Buffer.from([0x69, 0xff, 0xc0, 0x20, 0xe4, 0x3b, 0x0a]),
    ],
    ['a flood of directives', 'c', Buffer.from(`${flood}#error end\n`)],
    ['NUL in Python', 'py3', Buffer.from('print(1)\0')],
    ['Python’s own frames', 'py3', Buffer.from('x = (\n')],
    [
      'a file of the host',
      'c',
      Buffer.from('#include "/etc/passwd"\n#include "/proc/1/environ"\n'),
    ],
    [
      'a linker that names its files',
      'c',
      Buffer.from('int missing(void);\nint main(void) { return missing(); }\n'),
    ],
  ])('with %s [JF8]', async (_what, id, source) => {
    const { result } = await compiled(languageOfId(id), source)
    if (result.ok) throw new Error('This should not compile.')
    const { message } = result
    expect(message.trim()).not.toBe('')
    expect(message).not.toMatch(UNCLEAN)
    expect(message.isWellFormed()).toBe(true)
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(COMPILE_MESSAGE_BYTES)
    expect(message).not.toMatch(/root:|\/work\/|\/tmp\/|\/home\/|\/box\/|RUNNER_|STATE_DIR/i)
    expect(message).not.toContain(directory)
  })
})
