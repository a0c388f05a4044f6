/**
 * No regular expression of ours takes more than linear time, whatever the text. The test runs each literal of the
 * source over long repetitions of short pieces, and compares its time with a plain walk over the same text.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { announcementEdit } from '#contract/announcements'
import { courseName, email, hexId, username } from '#contract/fields'

const ROOT = join(import.meta.dirname, '../..')
const LENGTH = 50_000
/** A thousand walks over 50,000 characters take some 50 ms; a quadratic pattern takes as long as fifty thousand walks. */
const MOST_WALKS = 1_000

/** Files whose patterns read texts of the program itself or its operator: names of routes, its own hashes and errors, settings. */
const OWN_TEXTS = new Set([
  'worker/contract/calls.ts',
  'worker/features/openapi/document.ts',
  'worker/lib/mail.ts',
  'worker/lib/password.ts',
  'runner/config.ts',
  'web/lib/api/api.ts',
])

/** Every regular expression in a syntax tree. */
function literalsIn(node: unknown): RegExp[] {
  if (typeof node !== 'object' || node === null) return []
  const regex: unknown = Reflect.get(node, 'regex')
  if (typeof regex === 'object' && regex !== null)
    return [new RegExp(String(Reflect.get(regex, 'pattern')), String(Reflect.get(regex, 'flags')))]
  return Object.values(node).flatMap(literalsIn)
}

const literals = globSync('{worker,runner,web}/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !file.startsWith('worker/local') && !OWN_TEXTS.has(file))
  .flatMap((file) => {
    const { program } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'))
    return literalsIn(program).map((regex) => ({ file, regex }))
  })

const PIECES = ['a', '0', ' ', '-', '.', '/', '"', '\n', '@', '=', '{', 'é']
const PAIRED = ['a', ' ', '-', '.', '\n']

/** Long texts of one or two repeated pieces; half of them end in a character that most patterns do not expect. */
const texts = [...PIECES, ...PAIRED.flatMap((left) => PAIRED.map((right) => left + right))].flatMap(
  (piece) => {
    const text = piece.repeat(LENGTH / piece.length)
    return [text, `${text}\u0001`]
  },
)

/** Milliseconds of a piece of work. */
function timeOf(work: () => void): number {
  const begin = performance.now()
  work()
  return performance.now() - begin
}

/** Looks at every character once. */
function walk(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index)
  return sum
}

/** The median of many walks, in ms. */
const oneWalk =
  texts.map((text) => timeOf(() => walk(text))).toSorted((left, right) => left - right)[
    Math.floor(texts.length / 2)
  ] ?? 0

/** The first text that takes too long in each of ten tries. One slow try may be due to other work of the machine. */
function tooLong(work: (text: string) => void): string | undefined {
  const isTooLong = (text: string) => timeOf(() => work(text)) > MOST_WALKS * oneWalk
  const found = texts.find((text) => Array.from({ length: 10 }).every(() => isTooLong(text)))
  return found && JSON.stringify(found.slice(0, 8))
}

describe('regular expressions', () => {
  test('are found in the source', () => {
    expect(literals.length).toBeGreaterThan(20)
  })

  test.each(literals)('$regex of $file walks a text about once [IV5]', ({ regex }) => {
    const text = tooLong((long) => {
      long.replace(regex, '')
    })
    expect(text).toBe(undefined)
  })

  test.each<[string, z.ZodType]>([
    ['username', username],
    ['course name', courseName],
    ['e-mail', email],
    ['id', hexId],
    ['announcement', announcementEdit.shape.markdown],
  ])('a field of kind %s is judged in linear time [IV5]', (_, schema) => {
    const text = tooLong((long) => {
      schema.safeParse(long)
    })
    expect(text).toBe(undefined)
  })
})
