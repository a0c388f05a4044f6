/** The beginning of one file of a zip, read by ranges. */
import { constants, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readZipDirectory, type ReadRange } from '../../../worker/lib/zip-directory.ts'
import { readEntryStart } from '../../../worker/lib/zip-entry.ts'
import { hostileZip } from '../support/hostile-zips.ts'

/** The first bytes of a zip's last file, and how far the reader went for them. */
async function startOfLast(zip: Uint8Array, bytes: number) {
  let reached = 0
  const read: ReadRange = async (offset, length) => {
    reached = Math.max(reached, offset + length)
    return zip.subarray(offset, offset + length)
  }
  const { entries, dataEnd } = await readZipDirectory(read, zip.length)
  const entry = entries.at(-1)
  if (!entry) throw new Error('no entry')
  reached = 0
  const start = Buffer.from(await readEntryStart(read, entry, dataEnd, bytes))
  return { start, reached, dataEnd }
}

test('of a file that packing made far larger as much is given as was read of it', async () => {
  const begin = deflateRawSync('line\n', { finishFlush: constants.Z_SYNC_FLUSH })
  // Stored blocks without bytes (RFC 1951 §3.2.4).
  const nothing = Array.from({ length: 1_000 }, () => [0, 0, 0, 0xff, 0xff]).flat()
  const data = new Uint8Array([...begin, ...nothing, ...deflateRawSync('more')])
  const zip = hostileZip([{ name: '0', data, method: 8, sizeBytes: 9 }])
  const { start } = await startOfLast(zip, 100)
  expect(start.toString()).toBe('line\n')
  expect((await startOfLast(zip, data.length)).start.toString()).toBe('line\nmore')
})

test('nothing is inflated far behind what is asked, so damage there does not matter', async () => {
  const text = 'line\n'.repeat(1_000_000)
  const intact = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH })
  // An undefined type of block (RFC 1951 §3.2.3).
  const packed = new Uint8Array([...intact, 0xff])
  const zip = hostileZip([{ name: '0', data: packed, method: 8, sizeBytes: text.length }])
  const { start } = await startOfLast(zip, packed.length)
  expect(start.toString()).toBe(text.slice(0, packed.length))
  await expect(startOfLast(zip, text.length + 1)).rejects.toThrow('block type')
})

test('nothing is read of the directory for a file', async () => {
  const zip = hostileZip([
    { name: '0', data: 'one' },
    { name: '1', data: 'two' },
  ])
  const { start, reached, dataEnd } = await startOfLast(zip, 10)
  expect(start.toString()).toBe('two')
  expect(reached).toBe(dataEnd)
})
