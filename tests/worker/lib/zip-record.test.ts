/** One file of a zip: its record in the directory, its local header, and its bytes. */
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readZipDirectory, type ReadRange } from '../../../worker/lib/zip-directory.ts'
import { rangesOf, readEntryStart } from '../../../worker/lib/zip-entry.ts'
import { BadZip, packedBytesOf, readRecord } from '../../../worker/lib/zip-record.ts'
import { hostileZip, zip64Extra, type HostileEntry } from '../support/hostile-zips.ts'

/** The directory of a zip without comment. */
function directoryOf(zip: Uint8Array): Uint8Array {
  const view = new DataView(zip.buffer)
  return zip.slice(view.getUint32(zip.length - 6, true), zip.length - 22)
}

/** The directory's record of one entry, with some bytes changed. */
function recordOf(entry: HostileEntry, changes: Record<number, number> = {}) {
  const directory = directoryOf(hostileZip([entry]))
  for (const [at, byte] of Object.entries(changes)) directory[Number(at)] = byte
  return readRecord(directory, 0)
}

function extraField(kind: number, bytes: Uint8Array): Uint8Array {
  return new Uint8Array([kind % 256, kind >> 8, bytes.length % 256, bytes.length >> 8, ...bytes])
}

const VERSION_MADE_ON = 5
const COMMENT_LENGTH = 32
const ATTRIBUTES = 38
const DISK = 34
const NAME = 46

describe('a record', () => {
  test('says name, sizes, method, sum and place, and where the next begins', () => {
    const { entry, end } = recordOf({
      name: 'a.in',
      data: 'four',
      sizeBytes: 9,
      method: 8,
      crc: 7,
      offset: 5,
    })
    expect(entry).toEqual({
      name: 'a.in',
      sizeBytes: 9,
      packedBytes: 4,
      offset: 5,
      isDirectory: false,
      isSymlink: false,
      isEncrypted: false,
      compressionMethod: 8,
      crc32: 7,
    })
    expect(end).toBe(46 + 4)
  })

  test.each<[string, HostileEntry, Record<number, number>, object]>([
    ['a slash', { name: 'a/' }, {}, { isDirectory: true }],
    ['a Unix mode', { name: 'a', unixMode: 0o040755 }, {}, { isDirectory: true }],
    [
      'an attribute of DOS',
      { name: 'a' },
      { [VERSION_MADE_ON]: 0, [ATTRIBUTES]: 0x10 },
      { isDirectory: true },
    ],
    [
      'no attribute of DOS',
      { name: 'a' },
      { [VERSION_MADE_ON]: 0, [ATTRIBUTES]: 0x2f },
      { isDirectory: false },
    ],
    ['that attribute under Unix', { name: 'a' }, { [ATTRIBUTES]: 0x10 }, { isDirectory: false }],
    [
      'a file’s mode',
      { name: 'a', unixMode: 0o100644 },
      {},
      { isDirectory: false, isSymlink: false },
    ],
    [
      'a link’s mode',
      { name: 'a', unixMode: 0o120777 },
      {},
      { isSymlink: true, isDirectory: false },
    ],
    ['encryption', { name: 'a', flags: 0x01 }, {}, { isEncrypted: true }],
    ['strong encryption', { name: 'a', flags: 0x40 }, {}, { isEncrypted: true }],
    ['a masked directory', { name: 'a', flags: 0x2000 }, {}, { isEncrypted: true }],
    ['UTF-8', { name: 'a', flags: 0x800 }, {}, { isEncrypted: false }],
    ['a byte order mark', { name: '\u{feff}a' }, {}, { name: '\u{feff}a' }],
    ['a byte that is no text', { name: 'a' }, { [NAME]: 0xff }, { name: '\u{fffd}' }],
  ])('with %s', (_what, given, changes, expected) => {
    expect(recordOf(given, changes).entry).toMatchObject(expected)
  })

  test('takes large numbers from their field, in order, and only those that need it', () => {
    const data = new Uint8Array(3)
    const size = 2 ** 40
    const both = { name: 'a', data, sizeBytes: 0xffffffff, packedBytes: 0xffffffff }
    const { entry } = recordOf({ ...both, extra: zip64Extra(size, size - 1) })
    expect(entry).toMatchObject({ sizeBytes: size, packedBytes: size - 1 })
    const one = { name: 'a', data, packedBytes: 0xffffffff, extra: zip64Extra(size) }
    expect(recordOf(one).entry).toMatchObject({ sizeBytes: 3, packedBytes: size })
    expect(recordOf({ name: 'a', offset: 0xffffffff, extra: zip64Extra(77) }).entry.offset).toBe(77)
  })

  test('has a second name where its field says another one', () => {
    const named = (text: string) => {
      const field = new Uint8Array([1, 0, 0, 0, 0, ...new TextEncoder().encode(text)])
      return recordOf({ name: 'a.in', extra: extraField(0x7075, field) }).entry.name
    }
    expect(named('a.in')).toBe('a.in')
    expect(named('b.in')).toBe('a.in (b.in)')
  })

  const twice = extraField(9, new Uint8Array(2))
  test.each<[string, HostileEntry, Record<number, number>, string]>([
    ['no signature', { name: 'a' }, { 0: 0 }, 'fewer files'],
    ['a name beyond its end', { name: 'a' }, { 28: 2 }, 'cut off'],
    ['a comment beyond its end', { name: 'a' }, { 32: 1 }, 'cut off'],
    ['another disk', { name: 'a' }, { [DISK]: 1 }, 'another file'],
    ['a patch', { name: 'a', flags: 0x20 }, {}, 'another file'],
    [
      'an extra field cut off',
      { name: 'a', extra: new Uint8Array([9, 0, 3, 0, 1]) },
      {},
      'extra field',
    ],
    [
      'half a head of an extra field',
      { name: 'a', extra: new Uint8Array([9, 0, 0]) },
      {},
      'extra field',
    ],
    [
      'an extra field twice',
      { name: 'a', extra: new Uint8Array([...twice, ...twice]) },
      {},
      'twice',
    ],
    [
      'no large number',
      { name: 'a', sizeBytes: 0xffffffff },
      {},
      'size in its directory is missing',
    ],
    [
      'one large number of two',
      { name: 'a', sizeBytes: 0xffffffff, packedBytes: 0xffffffff, extra: zip64Extra(1) },
      {},
      'missing',
    ],
  ])('with %s is refused', (_what, given, changes, words) => {
    expect(() => recordOf(given, changes)).toThrow(BadZip)
    expect(() => recordOf(given, changes)).toThrow(words)
  })

  test('on the disk that means none, and with empty extra fields, is read', () => {
    expect(recordOf({ name: 'a' }, { [DISK]: 0xff, [DISK + 1]: 0xff }).entry.name).toBe('a')
    const extra = new Uint8Array([
      ...extraField(9, new Uint8Array()),
      ...extraField(8, new Uint8Array(1)),
      ...extraField(7, new Uint8Array()),
    ])
    expect(recordOf({ name: 'a', extra }).end).toBe(46 + 1 + 13)
  })

  test('may have no name, and a comment', () => {
    expect(recordOf({ name: '' })).toMatchObject({ entry: { name: '' }, end: 46 })
    const directory = new Uint8Array([...directoryOf(hostileZip([{ name: 'a' }])), 1, 2, 3, 4])
    directory[COMMENT_LENGTH] = 3
    expect(readRecord(directory, 0).end).toBe(46 + 1 + 3)
  })

  test('shorter than a record is none', () => {
    expect(() => readRecord(new Uint8Array(45), 0)).toThrow('fewer files')
    expect(() => readRecord(new Uint8Array(0), 0)).toThrow('fewer files')
  })
})

async function onlyEntry(zip: Uint8Array) {
  const read: ReadRange = async (offset, length) => zip.subarray(offset, offset + length)
  const { entries, dataEnd } = await readZipDirectory(read, zip.length)
  const [entry] = entries
  if (!entry) throw new Error('no entry')
  return { entry, dataEnd, read }
}

describe('the bytes of a file', () => {
  test('lie behind its local header, name and extra field', async () => {
    const zip = hostileZip([
      { name: 'a.in', data: 'four', extra: extraField(9, new Uint8Array(3)) },
    ])
    const { entry, dataEnd } = await onlyEntry(zip)
    expect(Buffer.from(packedBytesOf(zip, entry, dataEnd)).toString()).toBe('four')
  })

  test.each<[string, (entry: { offset: number }) => object, string]>([
    ['another name', () => ({ name: 'b.in' }), 'contradict'],
    ['another method', () => ({ compressionMethod: 8 }), 'contradict'],
    ['more bytes than there are', () => ({ packedBytes: 5 }), 'contradict'],
    ['a place without a header', ({ offset }) => ({ offset: offset + 1 }), 'not where'],
    ['a place at the end', () => ({ offset: 1_000 }), 'not where'],
  ])('are refused where the directory says %s', async (_what, lie, words) => {
    const zip = hostileZip([{ name: 'a.in', data: 'four' }])
    const { entry, dataEnd } = await onlyEntry(zip)
    expect(() => packedBytesOf(zip, { ...entry, ...lie(entry) }, dataEnd)).toThrow(words)
  })

  test('are none of an empty file without a name', async () => {
    const zip = hostileZip([{ name: '' }])
    const { entry, dataEnd } = await onlyEntry(zip)
    expect(packedBytesOf(zip, entry, dataEnd)).toHaveLength(0)
  })

  test.each([0, 8])('are read and inflated no further than asked, by method %i', async (method) => {
    const text = 'line\n'.repeat(50_000)
    const data = method === 0 ? text : deflateRawSync(text)
    const zip = hostileZip([{ name: 'a.in', data, method, sizeBytes: text.length }])
    const { entry, dataEnd, read } = await onlyEntry(zip)
    for (const bytes of [1_000, text.length, text.length + 5]) {
      const start = await readEntryStart(read, entry, dataEnd, bytes)
      expect(Buffer.from(start).toString()).toBe(text.slice(0, bytes))
    }
  })

  test('cost no more reading than twice what is asked and a header', async () => {
    const zip = hostileZip([{ name: 'a.in', data: 'x'.repeat(400_000) }])
    const { entry, dataEnd, read } = await onlyEntry(zip)
    let fetched = 0
    const counted: ReadRange = (offset, length) => {
      fetched += length
      return read(offset, length)
    }
    await readEntryStart(counted, entry, dataEnd, 10)
    expect(fetched).toBeLessThanOrEqual(30 + 64 + 65_535 + 20)
  })

  test('come from the bucket, which may have lost them', async () => {
    const bucket = {
      get: async (key: string, { range }: { range: { offset: number; length: number } }) =>
        key === 'there' ? new Response('0123456789'.substr(range.offset, range.length)) : null,
    } as never
    expect(Buffer.from(await rangesOf(bucket, 'there')(2, 3)).toString()).toBe('234')
    await expect(rangesOf(bucket, 'gone')(0, 1)).rejects.toThrow('gone vanished')
  })
})
