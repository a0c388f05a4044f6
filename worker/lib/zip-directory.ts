/**
 * Reads a zip's central directory through two ranged reads, so that a gigabyte costs no more than a megabyte.
 * The end of the file says where the directory is and how large; it is believed only where it leaves no
 * doubt, because programs that make sense of contradictory zips do so in different ways.
 */
import { Uint8ArrayReader, ZipReader, type Entry } from '@zip.js/zip.js'
import { TEST_DATA_LIMITS } from '#contract/limits'
import type { TestDataEntry } from '#contract/test-data'

/** The file is no readable zip, or its directory is beyond the limits. */
export class BadZip extends Error {
  override name = 'BadZip'
}

/** Reads a slice of the file: offset and length in bytes. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>

/** Where the directory is. Offset and length in bytes. */
interface DirectoryPlace {
  offset: number
  length: number
  count: number
}

/** The records at the end and their signatures (APPNOTE 4.3.14–4.3.16). */
const END = { signature: 0x06_05_4b_50, length: 22 }
const LOCATOR = { signature: 0x07_06_4b_50, length: 20 }
const END64 = { signature: 0x06_06_4b_50, length: 56 }
const MAX_16 = 0xff_ff
const MAX_32 = 0xff_ff_ff_ff

/** Where the last record begins: the one whose comment ends with the file. */
function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - END.length; at >= 0; at -= 1)
    if (
      tail.getUint32(at, true) === END.signature &&
      at + END.length + tail.getUint16(at + 20, true) === tail.byteLength
    )
      return at
  throw new BadZip('This is not a zip we can read: its end is missing.')
}

/** A 64-bit number that can be one of a real file. */
function sizeAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

/** The zip64 record just before the end, for zips whose end says that its numbers are too large for it. */
function readEnd64(
  tail: DataView,
  end: number,
  tailOffset: number,
): DirectoryPlace & { at: number } {
  const locator = end - LOCATOR.length
  const at = locator - END64.length
  const isThere =
    at >= 0 &&
    tail.getUint32(locator, true) === LOCATOR.signature &&
    sizeAt(tail, locator + 8) === tailOffset + at &&
    tail.getUint32(at, true) === END64.signature
  if (!isThere) throw new BadZip('This is not a zip we can read: its zip64 record is missing.')
  return {
    at,
    count: sizeAt(tail, at + 32),
    length: sizeAt(tail, at + 40),
    offset: sizeAt(tail, at + 48),
  }
}

/** What the end of the file says of the directory; refuses every contradiction. */
function placeOf(tail: DataView, tailOffset: number): DirectoryPlace {
  const end = findEnd(tail)
  const isSplit = tail.getUint16(end + 4, true) !== 0 || tail.getUint16(end + 6, true) !== 0
  const place = {
    count: tail.getUint16(end + 10, true),
    length: tail.getUint32(end + 12, true),
    offset: tail.getUint32(end + 16, true),
  }
  const isZip64 = place.count === MAX_16 || place.length === MAX_32 || place.offset === MAX_32
  const large = isZip64 ? readEnd64(tail, end, tailOffset) : { ...place, at: end }
  const contradicts =
    (place.count !== MAX_16 && place.count !== large.count) ||
    (place.length !== MAX_32 && place.length !== large.length) ||
    (place.offset !== MAX_32 && place.offset !== large.offset) ||
    large.offset + large.length !== tailOffset + large.at
  if (isSplit || contradicts)
    throw new BadZip(
      'This is not a zip we can read: its end and its directory contradict each other.',
    )
  return large
}

/** Refuses directories that are too large before they are read. */
function checkSize({ count, length }: DirectoryPlace): void {
  if (count > TEST_DATA_LIMITS.entries)
    throw new BadZip(`A zip may hold ${TEST_DATA_LIMITS.entries} files at most.`)
  if (length > TEST_DATA_LIMITS.zipEndBytes + count * TEST_DATA_LIMITS.directoryBytesPerEntry)
    throw new BadZip('The directory of the zip is too large.')
}

/** A directory record as the rules want it. */
export function toTestDataEntry(entry: Entry): TestDataEntry {
  return {
    name: entry.filename,
    sizeBytes: entry.uncompressedSize,
    packedBytes: entry.compressedSize,
    offset: entry.offset,
    isDirectory: entry.directory,
    isSymlink: entry.symlink,
    isEncrypted: entry.encrypted,
    compressionMethod: entry.compressionMethod,
  }
}

/** The directory as a zip of its own that has nothing before it: all that zip.js gets to see. */
function directoryAlone(directory: Uint8Array, count: number): Uint8Array {
  const file = new Uint8Array(directory.length + END.length)
  file.set(directory)
  const end = new DataView(file.buffer, directory.length)
  end.setUint32(0, END.signature, true)
  end.setUint16(8, count, true)
  end.setUint16(10, count, true)
  end.setUint32(12, directory.length, true)
  return file
}

/** What zip.js found odd that two programs could read in two ways. */
const AMBIGUOUS = /trailing|wrapped|malformed|missing zip64|prepended/

/** Decodes the records of a directory. */
async function decode(directory: Uint8Array, count: number): Promise<TestDataEntry[]> {
  // Names are judged by the caller, who lists every bad one instead of stopping at the first.
  const options = { useWebWorkers: false, filenameValidation: 'tolerant' } as const
  const reader = new ZipReader(new Uint8ArrayReader(directoryAlone(directory, count)), options)
  const entries: TestDataEntry[] = []
  for await (const entry of reader.getEntriesGenerator()) entries.push(toTestDataEntry(entry))
  const odd = reader.warnings?.find((warning) => AMBIGUOUS.test(warning.reason))
  if (odd !== undefined) throw new Error(odd.reason)
  return entries
}

/**
 * All entries of a zip, without reading any of their data.
 * @param size of the file in bytes
 * @returns the entries, and where the directory begins: everything of theirs must lie before
 * @throws BadZip with a sentence for the user
 */
export async function readZipDirectory(
  read: ReadRange,
  size: number,
): Promise<{ entries: TestDataEntry[]; dataEnd: number }> {
  const tailOffset = Math.max(0, size - TEST_DATA_LIMITS.zipEndBytes)
  const tail = await read(tailOffset, size - tailOffset)
  const place = placeOf(new DataView(tail.buffer, tail.byteOffset, tail.byteLength), tailOffset)
  checkSize(place)
  const { offset, length, count } = place
  if (count === 0 && length === 0) return { entries: [], dataEnd: offset }
  const directory =
    offset >= tailOffset
      ? tail.subarray(offset - tailOffset, offset - tailOffset + length)
      : await read(offset, length)
  if (directory.length !== length) throw new BadZip('This is not a zip we can read: it is cut off.')
  try {
    return { entries: await decode(directory, count), dataEnd: offset }
  } catch (error) {
    throw new BadZip(
      `This is not a zip we can read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}
