/** One record of a zip's central directory (PKWARE APPNOTE 6.3.10 §4.3.12), and the local header it points to. */
import type { TestDataEntry } from '#contract/problems/test-data'

/** The file is not a readable zip, or its directory is beyond the limits. */
export class BadZip extends Error {
  override name = 'BadZip'
}

/** A directory's entry for one file. Sizes and offset in bytes. */
export interface ZipEntry extends TestDataEntry {
  /** CRC-32 of the inflated bytes. */
  crc32: number
}

const RECORD = { signature: 0x02_01_4b_50, length: 46 }
const LOCAL_HEADER = { signature: 0x04_03_4b_50, length: 30 }
/** Flags of entries that are encrypted, strongly encrypted, or have parts of the directory masked (§4.4.4). */
const ENCRYPTED_FLAGS = 0x2041
/** The data are a patch to another file (§4.4.4). */
const PATCH_FLAG = 0x20
/** Extra fields: numbers too large for their own fields (§4.5.3), and a name in UTF-8 (§4.6.9). */
const EXTRA_ZIP64 = 0x0001
const EXTRA_NAME = 0x7075
/** The second name's extra field begins with a version and the CRC of the first name. */
const EXTRA_NAME_HEAD_BYTES = 5
const MADE_ON = { dos: 0, dosDirectory: 0x10 }
const UNIX_TYPE = { mask: 0o170000, directory: 0o040000, link: 0o120000 }
const MAX_16 = 0xff_ff
const MAX_32 = 0xff_ff_ff_ff

/** A view of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The refusal of a zip that contradicts itself or makes no sense. */
function toBadZip(why: string): BadZip {
  return new BadZip(`This is not a zip we can read: ${why}.`)
}

/** Decodes text. A byte order mark stays, so that a name with it differs from the name without it. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true, fatal: false }).decode(bytes)
}

/** The extra fields of a record, by kind. */
function readExtraFields(bytes: Uint8Array): Map<number, Uint8Array> {
  const view = viewOf(bytes)
  const fields = new Map<number, Uint8Array>()
  let at = 0
  while (at < bytes.length) {
    const end = at + 4 <= bytes.length ? at + 4 + view.getUint16(at + 2, true) : Infinity
    if (end > bytes.length) throw toBadZip('an extra field in its directory is cut off')
    const kind = view.getUint16(at, true)
    if (fields.has(kind)) throw toBadZip('an extra field in its directory occurs twice')
    fields.set(kind, bytes.subarray(at + 4, end))
    at = end
  }
  return fields
}

/** Replaces numbers that overflowed their field by those of the zip64 field, which come in the same order. */
function largeNumbers(field: Uint8Array | undefined): (number: number) => number {
  let at = 0
  return (number) => {
    if (number !== MAX_32) return number
    if (field === undefined || at + 8 > field.length)
      throw toBadZip('a size in its directory is missing')
    at += 8
    return Number(viewOf(field).getBigUint64(at - 8, true))
  }
}

/**
 * The name of an entry. An entry may have a second name, and programs differ in which of the two they use. If the names differ,
 * they are joined: no rule about names accepts the result.
 */
function nameOf(bytes: Uint8Array, other: Uint8Array | undefined): string {
  const name = toText(bytes)
  const otherName = other && toText(other.subarray(EXTRA_NAME_HEAD_BYTES))
  return otherName === undefined || otherName === name ? name : `${name} (${otherName})`
}

/**
 * Reads the record at `at`.
 * @returns the entry, and where the next record begins
 * @throws BadZip when there is no record, or one that can be read in two ways
 */
export function readRecord(directory: Uint8Array, at: number): { entry: ZipEntry; end: number } {
  const view = viewOf(directory)
  const nameAt = at + RECORD.length
  if (nameAt > directory.length || view.getUint32(at, true) !== RECORD.signature)
    throw toBadZip('its directory has fewer files than its end says')
  const extraAt = nameAt + view.getUint16(at + 28, true)
  const commentAt = extraAt + view.getUint16(at + 30, true)
  const end = commentAt + view.getUint16(at + 32, true)
  if (end > directory.length) throw toBadZip('its directory is cut off')
  const extra = readExtraFields(directory.subarray(extraAt, commentAt))
  const large = largeNumbers(extra.get(EXTRA_ZIP64))
  const flags = view.getUint16(at + 8, true)
  const disk = view.getUint16(at + 34, true)
  if ((disk !== 0 && disk !== MAX_16) || flags & PATCH_FLAG)
    throw toBadZip('a part of it lies in another file')
  const attributes = view.getUint32(at + 38, true)
  const unixType = (attributes >>> 16) & UNIX_TYPE.mask
  const isDosDirectory =
    view.getUint8(at + 5) === MADE_ON.dos && (attributes & MADE_ON.dosDirectory) !== 0
  const name = nameOf(directory.subarray(nameAt, extraAt), extra.get(EXTRA_NAME))
  const entry = {
    name,
    sizeBytes: large(view.getUint32(at + 24, true)),
    packedBytes: large(view.getUint32(at + 20, true)),
    offset: large(view.getUint32(at + 42, true)),
    isDirectory: name.endsWith('/') || unixType === UNIX_TYPE.directory || isDosDirectory,
    isSymlink: unixType === UNIX_TYPE.link,
    isEncrypted: (flags & ENCRYPTED_FLAGS) !== 0,
    compressionMethod: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
  }
  return { entry, end }
}

/**
 * The packed bytes of an entry. Their size comes from the directory: a streamed zip has no size in its local header.
 * @param file the whole zip
 * @param dataEnd where its directory begins
 * @throws BadZip when the local header is not the entry's, or its bytes are not inside the zip
 */
export function packedBytesOf(file: Uint8Array, entry: ZipEntry, dataEnd: number): Uint8Array {
  const view = viewOf(file)
  const nameAt = entry.offset + LOCAL_HEADER.length
  if (nameAt > dataEnd || view.getUint32(entry.offset, true) !== LOCAL_HEADER.signature)
    throw toBadZip('a file is not where its directory says')
  const nameEnd = nameAt + view.getUint16(entry.offset + 26, true)
  const begin = nameEnd + view.getUint16(entry.offset + 28, true)
  const end = begin + entry.packedBytes
  const isSame =
    view.getUint16(entry.offset + 8, true) === entry.compressionMethod &&
    toText(file.subarray(nameAt, nameEnd)) === entry.name
  if (!isSame || end > dataEnd) throw toBadZip('a file and its directory contradict each other')
  return file.subarray(begin, end)
}
