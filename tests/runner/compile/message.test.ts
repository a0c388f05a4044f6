import { describe, expect, it } from 'vitest'
import {
  cleanCompileMessage,
  compileFailureMessage,
  isRefusal,
} from '../../../runner/compile/message.ts'
import type { CompileResult } from '../../../runner/sandbox/box.ts'

function failed(change: Partial<CompileResult>): CompileResult {
  return {
    ok: false,
    message: new Uint8Array(),
    fired: null,
    exitCode: 1,
    signal: null,
    cpuMs: 1,
    wallMs: 1,
    memoryKb: 1,
    oomKilled: false,
    outputBytes: 0,
    stderr: new Uint8Array(),
    stderrBytes: 0,
    closedFirst: null,
    stopped: false,
    waitedMs: 0,
    ...change,
  }
}

describe('a compiler message', () => {
  it.each([
    ['colours', '\u001b[01m\u001b[Kmain.c:1:1:\u001b[m\u001b[K error', 'main.c:1:1: error'],
    ['links', '\u001b]8;;https://x\u0007[-Wall]\u001b]8;;\u0007', '[-Wall]'],
    ['control characters', 'a\u0000b\u0008c\u009bd\r\ne\tf', 'abc\ne\tf'],
    ['paths of the box', 'at /tmp/ccAbc.o: in main', 'at ccAbc.o: in main'],
    ['paths of the state', 'see /srv/runner/x-1/main.c:3', 'see main.c:3'],
  ])('loses %s', (_what, raw, clean) => {
    expect(cleanCompileMessage(Buffer.from(raw))).toBe(clean)
  })

  it.each([
    '/usr/include/c++/12/vector:5: note',
    'x = a/b/c; // a/b and (n)/2/3',
    'main.c:2:3: error: expected ‘;’ before ‘}’',
  ])('keeps %j', (text) => {
    expect(cleanCompileMessage(Buffer.from(text))).toBe(text)
  })

  it('is valid UTF-8 of at most 64 KiB, whatever the compiler wrote [JF8]', () => {
    const clean = cleanCompileMessage(
      Buffer.concat([Buffer.from([0xff]), Buffer.alloc(99_999, '字')]),
    )
    const bytes = Buffer.from(clean)
    expect(bytes.length).toBeLessThanOrEqual(64 * 1024)
    expect(bytes.length).toBeGreaterThan(64 * 1024 - 4)
    expect(bytes.toString()).toBe(clean)
  })

  it.each<[string, Partial<CompileResult>, boolean]>([
    ['of a source that is wrong', {}, true],
    ['of a compiler that used up its CPU time', { fired: 'cpu' }, false],
    ['of a compiler that used up its time', { fired: 'wall' }, false],
    ['of a compiler that used up its memory', { oomKilled: true }, false],
    ['of a compiler that wrote too much', { fired: 'output' }, false],
    [
      'of a compiler whose linker a signal ended',
      { message: Buffer.from('collect2: fatal error: ld terminated with signal 9 [Killed]') },
      false,
    ],
    [
      'of a compiler that has a bug',
      { message: Buffer.from('main.c:1:1: internal compiler error: Segmentation fault') },
      false,
    ],
    ['of a compiler that a signal ended', { signal: 9 }, false],
    [
      'of a compiler whose part a signal ended',
      { message: Buffer.from('g++: fatal error: Killed signal terminated program cc1plus') },
      false,
    ],
  ])('%s is remembered only where the source is at fault', (_, change, isOfSource) => {
    expect(isRefusal(failed(change))).toBe(isOfSource)
  })

  it('says which limit stopped the compiler', () => {
    const message = Buffer.from('halfway')
    expect(compileFailureMessage(failed({ fired: 'cpu', message }))).toBe(
      'Compilation took too much time.\nhalfway',
    )
    const said = (change: Partial<CompileResult>) => compileFailureMessage(failed(change))
    expect(said({ oomKilled: true })).toBe('Compilation took too much memory.\n')
    expect(said({ fired: 'memory' })).toBe('Compilation took too much memory.\n')
    expect(said({ fired: 'wall', oomKilled: true })).toBe('Compilation took too much time.\n')
    expect(said({ fired: 'output' })).toBe('The compiler wrote too much output.\n')
  })

  it('has room for the reason of a stop, which comes first', () => {
    const message = Buffer.alloc(64 * 1024, 'x')
    const said = compileFailureMessage(failed({ fired: 'output', message }))
    expect(said).toMatch(/^The compiler wrote too much output\.\nx/)
    expect(said).toHaveLength(64 * 1024)
  })

  it('is never empty', () => {
    for (const message of [Buffer.from(''), Buffer.from(' \n')]) {
      expect(compileFailureMessage(failed({ message }))).toBe(
        'The compiler failed without a message.',
      )
      expect(compileFailureMessage(failed({ exitCode: 0, message }))).toMatch(/larger than 64 MiB/)
    }
  })

  it.each([
    '/usr/bin/ld: final link failed: No space left on device\ncollect2: error: ld returned 1 exit status\n',
    'main.c:1:1: fatal error: error writing to /tmp/ccAbc.s: No space left on device\n',
    "/tmp/ccA.s: Fatal error: can't write 8 bytes to section .data of /tmp/ccB.o: 'No space left on device'\n",
    'gcc: internal compiler error: File size limit exceeded signal terminated program as\nPlease submit a full bug report\n',
  ])('is one sentence with the size where the program is too large: %j', (said) => {
    const message = compileFailureMessage(failed({ message: Buffer.from(said) }))
    expect(message).toMatch(/^The program is larger than 64 MiB, [^\n]*\.$/)
  })

  it.each([
    'main.c:1:14: error: expected declaration\n    1 | int f() { g("No space left on device" }\n',
    'main.c:1:2: error: #error No space left on device\n    1 | #error No space left on device\n',
    'main.cpp:1:15: error: static assertion failed: No space left on device\n',
    'main.c:1:1: error: static assertion failed: "disk: No space left on device"\n',
  ])('is the compiler’s own where only the source speaks of no room: %j', (said) => {
    expect(compileFailureMessage(failed({ message: Buffer.from(said) }))).toBe(said)
  })

  it('is what the compiler wrote', () => {
    const message = Buffer.from('main.c:1:1: error: no\n')
    expect(compileFailureMessage(failed({ message }))).toBe('main.c:1:1: error: no\n')
  })
})
