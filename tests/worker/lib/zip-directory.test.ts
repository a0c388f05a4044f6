/** A zip's directory: what is read from it, and what is refused. */
import { describe, expect, test } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { checkTestData } from '#contract/problems/test-data'
import { findZipEntry } from '../../../worker/lib/zip-directory.ts'
import { BadZip } from '../../../worker/lib/zip-record.ts'
import {
  HONEST,
  hostileZip,
  readCounted,
  zip64Extra,
  type HostileEnd,
  type HostileEntry,
} from '../support/hostile-zips.ts'

/** The faults for which a zip is refused: names and codes, or the sentence about the whole zip. */
async function refusal(entries: HostileEntry[], end?: HostileEnd): Promise<string[]> {
  const { result } = await readCounted(hostileZip(entries, end))
  if (result instanceof BadZip) return [result.message]
  const { errors } = checkTestData(result.entries, result.dataEnd)
  return errors.map((error) => `${error.path.at(-1)} ${error.code}`)
}

describe('names in a zip', () => {
  test('an honest zip passes, so what is refused below is refused for its fault', async () => {
    expect(await refusal(HONEST)).toEqual([])
  })

  test.each([
    ['a parent folder', { name: '../0001.in' }, '../0001.in name'],
    ['an absolute path', { name: '/0001.in' }, '/0001.in name'],
    ['a backslash', { name: '..\\0001.in' }, '..\\0001.in name'],
    ['a drive letter', { name: 'C:0001.in' }, 'C:0001.in name'],
    ['a NUL', { name: '0001.in\0.sh' }, '0001.in\u{fffd}.sh name'],
    ['a folder', { name: '01/' }, '01/ directory'],
    ['a name in a folder', { name: 'data/0001.in' }, 'data/0001.in name'],
    ['the other case', { name: '0000.IN' }, '0000.IN name'],
    ['another name', { name: 'readme.md' }, 'readme.md name'],
    ['another zip', { name: 'inner.zip' }, 'inner.zip name'],
    ['digits of another script', { name: '٠٠٠١.in' }, '٠٠٠١.in name'],
    ['white space at its end', { name: '0001.in ' }, '0001.in  name'],
    ['a line break at its end', { name: '0001.in\n' }, '0001.in\u{fffd} name'],
    ['a link', { name: '0001.in', data: '/etc/passwd', unixMode: 0o120777 }, '0001.in symlink'],
    ['a name that occurs twice', { name: '0000.in' }, '0000.in duplicate'],
    ['encryption', { name: '0001.in', flags: 1 }, '0001.in encrypted'],
    ['a method nobody reads', { name: '0001.in', method: 99 }, '0001.in method'],
    ['an input without its output', { name: '0001.in' }, '0001.out missing'],
    ['a case after a gap', { name: '0002.in' }, '0001.in missing'],
    ['a subtask after a gap', { name: '0200.in' }, '0100.in missing'],
  ])('%s is refused by name [UP1]', async (_title, entry, expected) => {
    expect(await refusal([...HONEST, entry])).toContain(expected)
  })
})

describe('zips that lie', () => {
  const gibibyte = 1024 ** 3

  test.each<[string, HostileEntry[], HostileEnd | undefined, RegExp]>([
    [
      'ten gigabytes out of ten megabytes',
      [
        {
          name: '0000.in',
          method: 8,
          packedBytes: 10 * 1024 ** 2,
          sizeBytes: 0xffffffff,
          extra: zip64Extra(10 * gibibyte),
        },
      ],
      undefined,
      /^0000\.in size$/,
    ],
    [
      'more than deflate can do',
      [{ name: '0000.in', data: 'x', method: 8, sizeBytes: 100_000 }],
      undefined,
      /^0000\.in ratio$/,
    ],
    [
      'a stored entry larger than its bytes',
      [{ name: '0000.in', data: 'x', sizeBytes: 2 }],
      undefined,
      /^0000\.in ratio$/,
    ],
    [
      'many entries over the same bytes',
      [
        { name: '0000.in', data: 'x'.repeat(100) },
        { name: '0000.out', data: 'x'.repeat(100), offset: 10 },
      ],
      undefined,
      /^0000\.out overlap$/,
    ],
    [
      'an entry inside the directory',
      [...HONEST, { name: '0001.in', offset: 140 }, { name: '0001.out' }],
      undefined,
      /beyond$/,
    ],
    ['an entry beyond the file', [{ name: '0000.in', offset: 100_000 }], undefined, /beyond$/],
    ['fewer entries than the directory has', HONEST, { count: 1 }, /cannot|can read/],
    ['more entries than the directory has', HONEST, { count: 3 }, /can read/],
    ['a directory that is longer than it is', HONEST, { length: 5000 }, /contradict/],
    ['a directory that is somewhere else', HONEST, { offset: 3 }, /contradict/],
    [
      'bytes after the end',
      HONEST,
      { comment: new Uint8Array((70_000 % 65_536) + 20_000) },
      /end is missing/,
    ],
    ['a zip64 mark without its record', HONEST, { count: 0xffff }, /zip64 record is missing/],
    [
      'a zip64 record that is somewhere else',
      HONEST,
      { count: 0xffff, zip64: { at: 0 } },
      /zip64 record is missing/,
    ],
    [
      'a zip64 record that contradicts the end',
      HONEST,
      { count: 0xffff, zip64: { length: 10 } },
      /contradict/,
    ],
    [
      'a zip64 record with absurd numbers',
      HONEST,
      { offset: 0xffffffff, zip64: { offset: 2 ** 52, length: 2 ** 52 } },
      /contradict/,
    ],
  ])('%s is refused [UP2]', async (_title, entries, end, expected) => {
    expect((await refusal(entries, end)).join('\n')).toMatch(new RegExp(expected, 'm'))
  })

  test('an honest zip64 is read', async () => {
    expect(await refusal(HONEST, { count: 0xffff, zip64: { count: 2 } })).toEqual([])
  })

  test('more entries than test data have are refused after their number was read [UP2]', async () => {
    const count = TEST_DATA_LIMITS.entries
    const said = (more: number) =>
      refusal(HONEST, { count: 0xffff, zip64: { count: count + more } })
    expect(await said(1)).toEqual([expect.stringContaining('files at most')])
    expect(await said(0)).toEqual([expect.stringContaining('fewer files')])
  })

  test('a directory swollen by extra fields or comments is refused before it is read', async () => {
    const extra = new Uint8Array(60_000)
    const zip = hostileZip([...HONEST, ...HONEST].map((entry) => ({ ...entry, extra })))
    const { result, bytesFetched } = await readCounted(zip)
    expect(result).toMatchObject({ message: expect.stringContaining('too large') })
    expect(bytesFetched).toBeLessThanOrEqual(64 * 1024)
  })

  test('of a gigabyte no more is read than the directory and 64 KB [UP2]', async () => {
    const data = 'x'.repeat(300)
    const entries = Array.from({ length: 50 }, (_, index) => [
      { name: `00${String(index).padStart(2, '0')}.in`, data },
      { name: `00${String(index).padStart(2, '0')}.out`, data },
    ]).flat()
    // The same zip after a gigabyte that nobody reads.
    const tail = hostileZip(entries, { offset: 1024 ** 3 + directoryOffset(hostileZip(entries)) })
    const { result, bytesFetched } = await readCounted(tail, 1024 ** 3 + tail.length)
    expect(result).toMatchObject({ entries: { length: 100 } })
    expect(bytesFetched).toBeLessThanOrEqual(64 * 1024 + 100 * 64)
  })
})

/** The position of the directory, as a zip without comment states it. */
function directoryOffset(zip: Uint8Array): number {
  return new DataView(zip.buffer).getUint32(zip.length - 6, true)
}

test('one entry is found without a look at those behind it', async () => {
  const zip = hostileZip(HONEST, { count: 9 })
  const read = (offset: number, length: number) =>
    Promise.resolve(zip.subarray(offset, offset + length))
  for (const { name } of HONEST) {
    const found = await findZipEntry(read, zip.length, name)
    expect(found?.entry.name).toBe(name)
    expect(found?.dataEnd).toBeGreaterThan(found?.entry.offset ?? Infinity)
  }
  await expect(findZipEntry(read, zip.length, '0001.in')).rejects.toThrow(BadZip)
  const honest = hostileZip(HONEST)
  const readHonest = (offset: number, length: number) =>
    Promise.resolve(honest.subarray(offset, offset + length))
  expect(await findZipEntry(readHonest, honest.length, '0001.in')).toBe(undefined)
})
