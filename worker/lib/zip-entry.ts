/** Reads the beginning of one file of a zip in the bucket, whatever the sizes of both. */
import { constants, createInflateRaw } from 'node:zlib'
import { packedBytesOf, type ZipEntry } from './zip-record.ts'
import type { ReadRange } from './zip-directory.ts'

/** The compression method of unpacked entries (APPNOTE 4.4.5). */
const STORED = 0
/** A local header with the longest extra field there can be (APPNOTE 4.3.7); the names of cases are short. */
const HEADER_BYTES = 30 + 64 + 0xff_ff
/** Packed bytes to read for each byte wanted: data that packing cannot shrink grows by an eighth at most. */
const PACKED_FACTOR = 2

/** Reads an object of the bucket by ranges. */
export function rangesOf(bucket: R2Bucket, key: string): ReadRange {
  return async (offset, length) => {
    const slice = await bucket.get(key, { range: { offset, length } })
    if (!slice) throw new Error(`${key} vanished while it was read`)
    return new Uint8Array(await slice.arrayBuffer())
  }
}

/** The first bytes of deflated data, inflated no further than that. The data may be cut off. */
async function inflateStart(packed: Uint8Array, bytes: number): Promise<Uint8Array> {
  const inflater = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
  inflater.end(packed)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of inflater as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bytes) break
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

/**
 * The first bytes of an entry.
 * @param dataEnd where the zip's directory begins
 * @param bytes how many, at most
 * @throws BadZip and what zlib throws when the zip is damaged
 */
export async function readEntryStart(
  read: ReadRange,
  entry: ZipEntry,
  dataEnd: number,
  bytes: number,
): Promise<Uint8Array> {
  const packedBytes = Math.min(entry.packedBytes, PACKED_FACTOR * bytes)
  const length = Math.min(HEADER_BYTES + packedBytes, dataEnd - entry.offset)
  const slice = await read(entry.offset, length)
  const packed = packedBytesOf(slice, { ...entry, offset: 0, packedBytes }, slice.length)
  return entry.compressionMethod === STORED
    ? packed.subarray(0, bytes)
    : inflateStart(packed, bytes)
}
