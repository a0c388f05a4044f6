/**
 * Repacks files of a zip under new names without touching their packed bytes, which stay slices of the file: a
 * gigabyte costs no memory. The same file and names always make the same bytes, so an interrupted upload can
 * resume. Records: PKWARE APPNOTE 6.3.10 §4.3.7, §4.3.12, §4.3.16.
 */
import type { RenamedEntry } from './case-mapping.ts'
import type { ZipFileEntry } from './read-zip.ts'

const LOCAL_HEADER = { signature: 0x04_03_4b_50, length: 30 }
const RECORD = { signature: 0x02_01_4b_50, length: 46 }
const END = { signature: 0x06_05_4b_50, length: 22 }
/** Version 2.0 of the format: deflate, no zip64, which files and zips within the limits do not need. */
const VERSION = 20
/** 1980-01-01, the earliest date that a zip can hold. The true date of a case does not matter. */
const DATE = 0x21

/** Writes little-endian numbers, each `[bytes, value]`, one after the other. */
function numbers(length: number, fields: [2 | 4, number][]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

/** The fields that the local header and the central record share, from the version to the length of the extra fields. */
function sharedFields({ name, entry }: RenamedEntry<ZipFileEntry>): [2 | 4, number][] {
  return [
    [2, VERSION],
    // No flags, because the sizes stand in the header and the names are ASCII.
    [2, 0],
    [2, entry.compressionMethod],
    [2, 0],
    [2, DATE],
    [4, entry.crc32],
    [4, entry.packedBytes],
    [4, entry.sizeBytes],
    [2, name.length],
    [2, 0],
  ]
}

/** A zip of these files, in this order, with the name and time of the old zip. */
export function repackZip(zip: File, files: RenamedEntry<ZipFileEntry>[]): File {
  const encoder = new TextEncoder()
  const data: BlobPart[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let dataBytes = 0
  for (const file of files) {
    const { name, entry } = file
    const fields = sharedFields(file)
    directory.push(
      numbers(RECORD.length, [
        [4, RECORD.signature],
        [2, VERSION],
        ...fields,
        // These fields are zero: there is no comment, it is the first disk, and there are no attributes.
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, dataBytes],
      ]),
      encoder.encode(name),
    )
    data.push(
      numbers(LOCAL_HEADER.length, [[4, LOCAL_HEADER.signature], ...fields]),
      name,
      entry.blob.slice(entry.dataOffset, entry.dataOffset + entry.packedBytes),
    )
    dataBytes += LOCAL_HEADER.length + name.length + entry.packedBytes
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0)
  const end = numbers(END.length, [
    [4, END.signature],
    [4, 0],
    [2, files.length],
    [2, files.length],
    [4, directoryBytes],
    [4, dataBytes],
  ])
  const { name, lastModified } = zip
  return new File([...data, ...directory, end], name, { type: 'application/zip', lastModified })
}
