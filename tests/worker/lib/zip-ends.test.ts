/** The records at the end of a zip, which state the position of its directory. */
import { describe, expect, test } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { readZipDirectory, type ReadRange } from '../../../worker/lib/zip-directory.ts'
import { BadZip } from '../../../worker/lib/zip-record.ts'
import {
  HONEST,
  hostileZip,
  readCounted,
  type HostileEnd,
  type HostileEntry,
} from '../support/hostile-zips.ts'

const NAMES = HONEST.map(({ name }) => name)
const { zipEndBytes, directoryBytesPerEntry } = TEST_DATA_LIMITS
const END_BYTES = 22
const LOCATOR_BYTES = 20
const END64_BYTES = 56

/** The names in a zip, or why it is refused. */
async function namesOf(zip: Uint8Array): Promise<string[] | string> {
  const { result } = await readCounted(zip)
  return result instanceof BadZip ? result.message : result.entries.map(({ name }) => name)
}

/** A zip of the honest entries whose directory has this many bytes; an extra field that nobody reads fills it. */
function zipOfDirectory(bytes: number): Uint8Array {
  const records = HONEST.reduce((sum, { name }) => sum + 46 + name.length, 0)
  const extra = new Uint8Array(bytes - records)
  new DataView(extra.buffer).setUint32(0, 9 + (extra.length - 4) * 65_536, true)
  return hostileZip(HONEST.map((entry, index) => (index === 0 ? { ...entry, extra } : entry)))
}

describe('a zip', () => {
  test.each<[string, HostileEntry[], HostileEnd]>([
    ['a comment', HONEST, { comment: new Uint8Array(300) }],
    [
      'a comment that looks like an end',
      HONEST,
      { comment: new Uint8Array([...hostileZip([]).fill(1, 20), 1, 1]) },
    ],
    ['its count in a zip64 record', HONEST, { count: 0xffff, zip64: {} }],
    ['the length of its directory in a zip64 record', HONEST, { length: 0xffffffff, zip64: {} }],
    ['the place of its directory in a zip64 record', HONEST, { offset: 0xffffffff, zip64: {} }],
    ['no files', [], {}],
    ['no files, and a zip64 record', [], { count: 0xffff, zip64: {} }],
  ])('with %s is read', async (_title, entries, end) => {
    expect(await namesOf(hostileZip(entries, end))).toEqual(entries.map(({ name }) => name))
  })

  test.each<[string, HostileEntry[], HostileEnd, string]>([
    ['another count', HONEST, { offset: 0xffffffff, count: 1, zip64: {} }, 'contradict'],
    ['another length', HONEST, { count: 0xffff, length: 10, zip64: {} }, 'contradict'],
    ['another place', HONEST, { count: 0xffff, offset: 3, zip64: {} }, 'contradict'],
    ['a mark of zip64 and nothing else', [], { count: 0xffff }, 'zip64 record is missing'],
  ])('whose end says %s is refused', async (_title, entries, end, words) => {
    expect(await namesOf(hostileZip(entries, end))).toContain(words)
  })

  test.each([
    ['of another disk', 4 - END_BYTES, 'contradict'],
    ['of a directory on another disk', 6 - END_BYTES, 'contradict'],
    ['with another locator', -END_BYTES - LOCATOR_BYTES, 'zip64 record is missing'],
    ['with another zip64 record', -END_BYTES - LOCATOR_BYTES - END64_BYTES, 'record is missing'],
  ])('%s is refused', async (_title, fromEnd, words) => {
    const zip = hostileZip(HONEST, { count: 0xffff, zip64: {} })
    expect(await namesOf(zip)).toEqual(NAMES)
    zip[zip.length + fromEnd] = 1
    expect(await namesOf(zip)).toContain(words)
  })
})

describe('a directory', () => {
  const most = zipEndBytes + HONEST.length * directoryBytesPerEntry

  test('has room for so many bytes of each file, and no more', async () => {
    expect(await namesOf(zipOfDirectory(most))).toEqual(NAMES)
    expect(await namesOf(zipOfDirectory(most + 1))).toContain('too large')
  })

  test('is not read again where it came with the end', async () => {
    const { result, bytesFetched } = await readCounted(zipOfDirectory(zipEndBytes - END_BYTES))
    expect(result).toMatchObject({ entries: { length: HONEST.length } })
    expect(bytesFetched).toBe(zipEndBytes)
  })

  test('of which a read gives too little is refused', async () => {
    const zip = zipOfDirectory(most)
    const short: ReadRange = async (offset, length) =>
      zip.subarray(offset, offset + length - (length === most ? 1 : 0))
    await expect(readZipDirectory(short, zip.length)).rejects.toThrow('it is cut off')
  })
})
