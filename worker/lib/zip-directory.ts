/**
 * Reads a zip's central directory by two ranged reads, so that a zip of a gigabyte costs no more than one of a megabyte.
 * The end record says where the directory is. Contradictions are refused, because programs resolve them in
 * different ways.
 */
import { TEST_DATA_LIMITS } from '#contract/limits'
import { BadZip, readRecord, viewOf, type ZipEntry } from './zip-record.ts'

/** Reads a slice of the file: offset and length in bytes. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>

/** Where the directory is, in bytes. */
interface DirectoryRange {
  offset: number
  length: number
  count: number
}

/** The end records and their signatures (APPNOTE 4.3.14–4.3.16). */
export const END = { signature: 0x06_05_4b_50, length: 22 }
export const LOCATOR = { signature: 0x07_06_4b_50, length: 20 }
export const END64 = { signature: 0x06_06_4b_50, length: 56 }
export const MAX_16 = 0xff_ff
export const MAX_32 = 0xff_ff_ff_ff

/** Where the end record begins: the one whose comment ends with the file. */
function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - END.length; at >= 0; at -= 1)
    if (
      tail.getUint32(at, true) === END.signature &&
      at + END.length + tail.getUint16(at + 20, true) === tail.byteLength
    )
      return at
  throw new BadZip('This is not a zip we can read: its end is missing.')
}

/** Reads a 64-bit number; exact for the size of any real file. */
function sizeAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

/** The zip64 end record, for zips whose numbers do not fit the ordinary one. */
function readEnd64(
  tail: DataView,
  end: number,
  tailOffset: number,
): DirectoryRange & { at: number } {
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

/** Finds the directory by the end records; refuses every contradiction. */
function findDirectory(tail: DataView, tailOffset: number): DirectoryRange {
  const end = findEnd(tail)
  const isSplit = tail.getUint16(end + 4, true) !== 0 || tail.getUint16(end + 6, true) !== 0
  const range = {
    count: tail.getUint16(end + 10, true),
    length: tail.getUint32(end + 12, true),
    offset: tail.getUint32(end + 16, true),
  }
  const isZip64 = range.count === MAX_16 || range.length === MAX_32 || range.offset === MAX_32
  const large = isZip64 ? readEnd64(tail, end, tailOffset) : { ...range, at: end }
  const contradicts =
    (range.count !== MAX_16 && range.count !== large.count) ||
    (range.length !== MAX_32 && range.length !== large.length) ||
    (range.offset !== MAX_32 && range.offset !== large.offset) ||
    large.offset + large.length !== tailOffset + large.at
  if (isSplit || contradicts)
    throw new BadZip(
      'This is not a zip we can read: its end and its directory contradict each other.',
    )
  return large
}

/** Refuses a directory that is too large, before it is read. */
function checkSize({ count, length }: DirectoryRange): void {
  if (count > TEST_DATA_LIMITS.entries)
    throw new BadZip(`A zip may hold ${TEST_DATA_LIMITS.entries} files at most.`)
  if (length > TEST_DATA_LIMITS.zipEndBytes + count * TEST_DATA_LIMITS.directoryBytesPerEntry)
    throw new BadZip('The directory of the zip is too large.')
}

/** The bytes of a directory, the number of its records, and where it begins: all data must lie before it. */
interface OpenDirectory {
  directory: Uint8Array
  count: number
  dataEnd: number
}

/** The records one after the other; their number must be the announced one, with nothing behind them. */
function* recordsOf({ directory, count }: OpenDirectory): Generator<ZipEntry, void> {
  let at = 0
  for (let index = 0; index < count; index += 1) {
    const { entry, end } = readRecord(directory, at)
    yield entry
    at = end
  }
  if (at !== directory.length)
    throw new BadZip('This is not a zip we can read: its directory is longer than its end says.')
}

/** Reads the bytes of a zip's directory. @param size of the file in bytes */
async function openDirectory(read: ReadRange, size: number): Promise<OpenDirectory> {
  const tailOffset = Math.max(0, size - TEST_DATA_LIMITS.zipEndBytes)
  const tail = await read(tailOffset, size - tailOffset)
  const range = findDirectory(viewOf(tail), tailOffset)
  checkSize(range)
  const { offset, length, count } = range
  const directory =
    offset >= tailOffset
      ? tail.subarray(offset - tailOffset, offset - tailOffset + length)
      : await read(offset, length)
  if (directory.length !== length) throw new BadZip('This is not a zip we can read: it is cut off.')
  return { directory, count, dataEnd: offset }
}

/**
 * Reads the entries of a zip without reading their data.
 * @param size of the file in bytes
 * @returns the entries, and where the directory begins: all their bytes must lie before it
 * @throws BadZip with a sentence for the user
 */
export async function readZipDirectory(
  read: ReadRange,
  size: number,
): Promise<{ entries: ZipEntry[]; dataEnd: number }> {
  const opened = await openDirectory(read, size)
  return { entries: [...recordsOf(opened)], dataEnd: opened.dataEnd }
}

/**
 * Finds one entry of a zip that was checked before, without keeping the entries before it or reading those behind it.
 * @param size of the file in bytes
 * @returns the entry, and where the directory begins; undefined without such an entry
 * @throws BadZip
 */
export async function findZipEntry(
  read: ReadRange,
  size: number,
  name: string,
): Promise<{ entry: ZipEntry; dataEnd: number } | undefined> {
  const opened = await openDirectory(read, size)
  for (const entry of recordsOf(opened))
    if (entry.name === name) return { entry, dataEnd: opened.dataEnd }
  return undefined
}
