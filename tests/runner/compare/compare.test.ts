import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../runner/compare/byte-reader.ts'
import { outputsMatch } from '../../../runner/compare/compare.ts'
import { bytes } from '../fixtures/byte-source.ts'

function linesMatch(output: ByteSource, expected: ByteSource): Promise<boolean> {
  return outputsMatch({ mode: 'lines' }, output, expected)
}

/** A plain form of the rule, for inputs that fit in memory. */
function plainly(content: Buffer): string {
  const lines = content
    .toString('latin1')
    .split('\n')
    .map((line) => line.replace(/[ \t\r\v\f]+$/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.join('\n')
}

const TABLE: [output: string, expected: string, same: boolean, why: string][] = [
  ['', '', true, 'nothing and nothing'],
  ['1\n', '1\n', true, 'the same'],
  ['1', '1\n', true, 'no newline at the end'],
  ['1\n\n\n', '1', true, 'blank lines at the end'],
  ['', '\n \n\t\n', true, 'blank lines only'],
  ['1 \t\r\n2', '1\n2', true, 'white space at the end of a line'],
  ['1\r\n2\r\n', '1\n2\n', true, 'CRLF'],
  ['1\v\f\n', '1\n', true, 'vertical tab and form feed'],
  ['a  \nb', 'a \t\nb', true, 'different white space at the end of a line'],
  ['a\n  \nb', 'a\n\nb', true, 'a line of white space is a blank line'],
  [' 1\n', '1\n', false, 'white space at the start of a line'],
  ['1  2\n', '1 2\n', false, 'two spaces for one'],
  ['1\t2\n', '1 2\n', false, 'a tab for a space'],
  ['1\r2\n', '1 2\n', false, 'a carriage return inside a line'],
  ['1\n\n2', '1\n2', false, 'a blank line in the middle'],
  ['\n1', '1', false, 'a blank line at the start'],
  ['1\n\n 2', '1\n\n2', false, 'white space at the start of the last line'],
  ['1 2', '1\n2', false, 'a space for a newline'],
  ['1', '', false, 'output where none is expected'],
  ['', '1', false, 'no output'],
  ['12', '1', false, 'more on the line'],
  ['1', '12', false, 'less on the line'],
  ['1 ', '1 2', false, 'the line goes on after white space'],
  ['1\n2\n', '1\n2\n3\n', false, 'a line short'],
  ['a\0b\n', 'a\0b\n', true, 'NUL'],
  ['a\0\n', 'a\n', false, 'NUL is not white space'],
  ['\u00a0\n', '\n', false, 'a no-break space is content'],
]

describe('comparing by lines', () => {
  it.each(TABLE)('%j against %j is %s: %s', async (output, expected, same) => {
    for (const step of [1, 2, 3, 64 * 1024]) {
      const [left, right] = [Buffer.from(output), Buffer.from(expected)]
      expect(await linesMatch(bytes(left, step), bytes(right))).toBe(same)
      expect(await linesMatch(bytes(right), bytes(left, step))).toBe(same)
    }
  })

  it('takes invalid UTF-8 as bytes', async () => {
    const invalid = Buffer.from([0xff, 0xfe, 0x0a])
    expect(await linesMatch(bytes(invalid), bytes(Buffer.from([0xff, 0xfe])))).toBe(true)
    expect(await linesMatch(bytes(invalid), bytes(Buffer.from([0xff, 0xfd])))).toBe(false)
  })

  it('agrees with the rule said plainly on 20,000 small texts', async () => {
    let seed = 1
    function pick(count: number): number {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % count
    }
    function text(): Buffer {
      return Buffer.from(
        Array.from({ length: pick(9) }, () => [' ', '\n', '\r', 'a', 'b', '\t'][pick(6)]).join(''),
      )
    }
    for (let round = 0; round < 20_000; round++) {
      const [left, right] = [text(), text()]
      const same = plainly(left) === plainly(right)
      const said = await linesMatch(bytes(left, 1 + pick(3)), bytes(right, 1 + pick(3)))
      expect(said, JSON.stringify([left.toString(), right.toString()])).toBe(same)
    }
  })

  it('uses the same two buffers again, but never two comparisons one', async () => {
    const used: Set<unknown>[] = []
    function watched(content: string): ByteSource {
      const source = bytes(Buffer.from(content))
      return {
        read: async (buffer: Buffer, offset: number, length: number, position: number) => {
          used.at(-1)?.add(buffer)
          await Promise.resolve()
          return source.read(buffer, offset, length, position)
        },
      }
    }
    for (let round = 0; round < 3; round++) {
      used.push(new Set())
      expect(await linesMatch(watched('1\n2\n'), watched('1\n2'))).toBe(true)
    }
    expect(used[1]).toEqual(used[2])
    expect(used[2]?.size).toBe(2)
    used.push(new Set())
    const pairs = [1, 2, 3].map((n) => linesMatch(watched(`${n}`), watched(`${n}\n`)))
    expect(await Promise.all(pairs)).toEqual([true, true, true])
    expect(used[3]?.size).toBe(6)
  })

  it('walks a line of 64 MB and millions of lines without holding them', async () => {
    const long = Buffer.alloc(64 * 1024 * 1024, 'x')
    const before = process.memoryUsage().arrayBuffers
    expect(await linesMatch(bytes(long), bytes(long))).toBe(true)
    const spaced = Buffer.alloc(12_000_000, '1 2 \r\n')
    const plain = Buffer.alloc(8_000_000, '1 2\n')
    expect(await linesMatch(bytes(spaced), bytes(plain))).toBe(true)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024 + 20_000_000)
  })
})
