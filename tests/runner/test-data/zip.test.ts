import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { extractTestData, TestDataError, type ZipLimits } from '../../../runner/test-data/zip.ts'
import { buildZip, type ZipPart } from '../fixtures/zip-builder.ts'

let root = ''
let next = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'zip-test-'))
})
afterAll(() => rm(root, { recursive: true }))

async function extract(zip: Buffer, limits: ZipLimits = TEST_DATA_LIMITS): Promise<string> {
  const directory = join(root, String(next++))
  await mkdir(directory)
  await writeFile(`${directory}.zip`, zip)
  await extractTestData(`${directory}.zip`, directory, undefined, limits)
  return directory
}

const good: ZipPart = { name: '0000.in', data: '1 2\n' }
const zeros = Buffer.alloc(1_000_000)

describe('good test data', () => {
  it('are extracted byte for byte: deflated, stored and empty files, dates of zero', async () => {
    const directory = await extract(
      buildZip([
        good,
        { name: '0000.out', data: '3\r\n\0', store: true },
        { name: '0001.in' },
        { name: '0001.out', store: true },
      ]),
    )
    expect((await readdir(directory)).sort()).toEqual([
      '0000.in',
      '0000.out',
      '0001.in',
      '0001.out',
    ])
    expect(await readFile(join(directory, '0000.in'), 'utf8')).toBe('1 2\n')
    expect(await readFile(join(directory, '0000.out'), 'utf8')).toBe('3\r\n\0')
    expect((await stat(join(directory, '0001.in'))).size).toBe(0)
  })

  it('may hold 2,000 small files', async () => {
    const parts = Array.from({ length: 2_000 }, (_, index) => ({
      name: `${String(Math.floor(index / 2)).padStart(4, '0')}.${index % 2 ? 'out' : 'in'}`,
      data: `${index}\n`,
    }))
    expect(await readdir(await extract(buildZip(parts)))).toHaveLength(2_000)
  })

  it('may reach each cap', async () => {
    const stored = { ...good, store: true }
    const caps = { entryBytes: 4, inflatedBytes: 8, entries: 2, ratio: 1 }
    const zip = buildZip([stored, { ...stored, name: '0000.out' }])
    expect(await readdir(await extract(zip, { ...TEST_DATA_LIMITS, ...caps }))).toHaveLength(2)
  })
})

describe('bad test data', () => {
  it.each<[string, ZipPart[], RegExp]>([
    ['a wrong CRC', [{ ...good, crc: 1 }], /^0000\.in: .*CRC/i],
    ['another name in the local header', [{ ...good, localName: '0000.xx' }], /^0000\.in: /],
    ['another size in the local header', [{ ...good, localSize: 9 }], /^0000\.in: /],
    ['a size that is too small', [{ ...good, size: 2 }], /^0000\.in: /],
    ['a size that is too large', [{ ...good, size: 9 }], /^0000\.in: /],
    [
      'packed bytes that are no deflate',
      [{ ...good, packed: Buffer.alloc(9, 255) }],
      /^0000\.in: /,
    ],
    [
      'a stored entry of two sizes',
      [{ ...good, store: true, size: 5 }],
      /0000\.in: it is stored, yet its two sizes differ$/,
    ],
    ['an encrypted entry', [{ ...good, flags: 1 }], /0000\.in: it is encrypted/],
    [
      'another compression method',
      [{ ...good, method: 14 }],
      /0000\.in: its compression method 14/,
    ],
    ['a foreign name', [{ ...good, name: '../../x' }], /\.\.\/x: |Unsafe/],
    ['a nested zip', [{ ...good, name: 'more.zip' }], /more\.zip: only files named/],
    ['a directory', [{ name: 'data/' }], /data\/: only files named/],
    ['a name twice', [good, good], /0000\.in: it is in the zip twice/],
    [
      'one entry inside another',
      [good, { name: '0000.out', data: '1 2\n', sameOffsetAs: 0 }],
      /0000\.out: /,
    ],
    [
      'a bomb that lies about its size',
      [{ name: '0000.in', packed: deflateRawSync(zeros), size: 1_000, crc: 0 }],
      /^0000\.in: /,
    ],
    ['an impossible ratio', [{ ...good, size: 200_000 }], /0000\.in: it would inflate more than/],
  ])('with %s are refused, and the entry is named [UP2]', async (_what, parts, message) => {
    const extracting = extract(buildZip(parts))
    await expect(extracting).rejects.toThrow(TestDataError)
    await expect(extracting).rejects.toThrow(message)
  })

  it('with data in the place of a directory are refused', async () => {
    await expect(extract(Buffer.alloc(100))).rejects.toThrow(TestDataError)
    await expect(extract(Buffer.alloc(0))).rejects.toThrow(TestDataError)
    await expect(extract(buildZip([good]).subarray(0, -5))).rejects.toThrow(TestDataError)
  })

  it.each([
    ['one file over the cap', { entryBytes: 3 }, /0000\.in: it is larger than 3 bytes/],
    ['all files over the cap', { inflatedBytes: 7 }, /0000\.out: up to here .* more than 7 bytes/],
    ['too many entries', { entries: 1 }, /more than 1 entries/],
    ['a directory over the cap', { centralDirectoryBytes: 99 }, /too large/],
  ])('with %s are refused, and at the cap taken', async (_what, cap, message) => {
    const zip = buildZip([good, { ...good, name: '0000.out' }])
    await expect(extract(zip, { ...TEST_DATA_LIMITS, ...cap })).rejects.toThrow(message)
    const caps = { entryBytes: 4, inflatedBytes: 8, entries: 2 }
    await expect(extract(zip, { ...TEST_DATA_LIMITS, ...caps })).resolves.toBeTruthy()
  })

  it('inflate 200 MB of zeros without holding them [UP2]', async () => {
    const parts = Array<Buffer>(200).fill(zeros)
    const size = parts.length * zeros.length
    const crc = parts.reduce((sum, part) => crc32(part, sum), 0)
    const packed = await buffer(Readable.from(parts).pipe(createDeflateRaw()))
    const zip = buildZip([{ name: '0000.in', packed, size, crc }])
    const before = process.memoryUsage.rss()
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)
    const directory = await extract(zip)
    clearInterval(watch)
    expect((await stat(join(directory, '0000.in'))).size).toBe(size)
    expect(peak - before).toBeLessThan(64 * 1024 * 1024)
  })
})
