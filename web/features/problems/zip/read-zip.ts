/** Reads the directory of a zip in the browser, never the files themselves. */
import { BlobReader, ZipReader, type Entry } from '@zip.js/zip.js'
import { TEST_DATA_LIMITS } from '#contract/limits'
import type { TestDataEntry } from '#contract/problems/test-data'
import { recogniseCases } from './recognise-cases.ts'

/** An entry, with the data that are needed to copy its packed bytes. */
export interface ZipFileEntry extends TestDataEntry {
  /** The checksum of the unpacked bytes. */
  crc32: number
  /** The zip that holds the entry's packed bytes: the picked zip, or a zip made of converted files. */
  blob: Blob
  /** Where the packed bytes start in `blob`. */
  dataOffset: number
}

/** A local header without its name and extra field (APPNOTE 4.3.7). */
const LOCAL_HEADER = { signature: 0x04_03_4b_50, length: 30 }
/** Local headers read at the same time. */
const PARALLEL_READS = 100

/** The encodings in which Windows in Taiwan and in China writes names without UTF-8. */
const OLD_ENCODINGS = ['big5', 'gb18030']

/** A zip of more entries than test data may have. */
export class TooManyEntriesError extends Error {}

/** Where an entry's packed bytes start: behind its local header, which says its own length. @throws Error without a header */
async function dataOffsetOf(file: Blob, { offset }: Entry): Promise<number> {
  const header = await file.slice(offset, offset + LOCAL_HEADER.length).arrayBuffer()
  const view = new DataView(header)
  if (header.byteLength < LOCAL_HEADER.length || view.getUint32(0, true) !== LOCAL_HEADER.signature)
    throw new Error('A file is not where the directory of the zip says.')
  return offset + LOCAL_HEADER.length + view.getUint16(26, true) + view.getUint16(28, true)
}

/** Whether an entry does not say how its name is encoded. */
function isOld({ filenameUTF8, rawFilename }: Entry): boolean {
  return !filenameUTF8 && rawFilename.some((byte) => byte > 0x7f)
}

/** How well names are recognised: the number of cases, in which each sample counts twice. */
function recognisedIn(names: string[]): number {
  const { cases } = recogniseCases(names.map((name) => ({ name, isDirectory: false })))
  return cases.length + cases.filter(({ isSample }) => isSample).length
}

/**
 * The names of the entries, read in the old encoding in which most cases are recognised, if these are more than in the
 * zip's own encoding.
 */
function namesOf(entries: Entry[]): string[] {
  const given = entries.map(({ filename }) => filename)
  if (!entries.some(isOld)) return given
  const readings = OLD_ENCODINGS.flatMap((encoding) => {
    const decoder = new TextDecoder(encoding, { fatal: true })
    try {
      return [
        entries.map((entry) => (isOld(entry) ? decoder.decode(entry.rawFilename) : entry.filename)),
      ]
    } catch {
      return []
    }
  })
  return readings.reduce(
    (best, names) => (recognisedIn(names) > recognisedIn(best) ? names : best),
    given,
  )
}

async function toFileEntry(file: Blob, entry: Entry, name: string): Promise<ZipFileEntry> {
  return {
    name,
    sizeBytes: entry.uncompressedSize,
    packedBytes: entry.compressedSize,
    offset: entry.offset,
    isDirectory: entry.directory,
    isSymlink: entry.symlink,
    isEncrypted: entry.encrypted,
    compressionMethod: entry.compressionMethod,
    // AES-encrypted entries have no checksum, and are refused.
    crc32: entry.signature ?? 0,
    blob: file,
    dataOffset: await dataOffsetOf(file, entry),
  }
}

/** The end record without its comment (APPNOTE 4.3.16). */
const END = { signature: 0x06_05_4b_50, length: 22 }

/**
 * Whether the zip's last record ends where the file ends. Some protocols add further bytes when they copy a file, which
 * the server refuses.
 */
export async function endsWithFile(file: Blob): Promise<boolean> {
  const start = Math.max(0, file.size - TEST_DATA_LIMITS.zipEndBytes)
  const tail = new DataView(await file.slice(start).arrayBuffer())
  for (let at = tail.byteLength - END.length; at >= 0; at -= 1)
    if (
      tail.getUint32(at, true) === END.signature &&
      at + END.length + tail.getUint16(at + 20, true) === tail.byteLength
    )
      return true
  return false
}

/** The zip's entries, without their data. @throws TooManyEntriesError; Error when it is no zip, or damaged */
export async function readZip(file: Blob): Promise<ZipFileEntry[]> {
  const reader = new ZipReader(new BlobReader(file), {
    useWebWorkers: false,
    // Any name is accepted, because no file is written under it.
    filenameValidation: 'tolerant',
  })
  const found = await reader.getEntries()
  if (found.length > TEST_DATA_LIMITS.entries) throw new TooManyEntriesError()
  const names = namesOf(found)
  const entries: ZipFileEntry[] = []
  while (entries.length < found.length) {
    const start = entries.length
    const next = found.slice(start, start + PARALLEL_READS)
    entries.push(
      ...(await Promise.all(
        next.map((entry, index) => toFileEntry(file, entry, names[start + index] ?? '')),
      )),
    )
  }
  return entries
}
