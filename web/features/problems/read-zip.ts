/** Reads the directory of a zip in the browser, never the files themselves. */
import { BlobReader, ZipReader, type Entry } from '@zip.js/zip.js'
import { TEST_DATA_LIMITS } from '#contract/limits'
import type { TestDataEntry } from '#contract/test-data'

/** An entry, and what copying its packed bytes needs. */
export interface ZipFileEntry extends TestDataEntry {
  /** Of the inflated bytes. */
  crc32: number
  /** Where the packed bytes start. */
  dataOffset: number
}

/** A local header without its name and extra field (APPNOTE 4.3.7). */
const LOCAL_HEADER = { signature: 0x04_03_4b_50, length: 30 }
/** Local headers read at the same time. */
const PARALLEL_READS = 100

/** A zip of more entries than test data may have. */
export class TooManyEntriesError extends Error {}

/** Where the packed bytes of an entry start; its local header says how long itself is. @throws Error if it is not there */
async function dataOffsetOf(file: Blob, { offset }: Entry): Promise<number> {
  const header = await file.slice(offset, offset + LOCAL_HEADER.length).arrayBuffer()
  const view = new DataView(header)
  if (header.byteLength < LOCAL_HEADER.length || view.getUint32(0, true) !== LOCAL_HEADER.signature)
    throw new Error('A file is not where the directory of the zip says.')
  return offset + LOCAL_HEADER.length + view.getUint16(26, true) + view.getUint16(28, true)
}

async function toFileEntry(file: Blob, entry: Entry): Promise<ZipFileEntry> {
  return {
    name: entry.filename,
    sizeBytes: entry.uncompressedSize,
    packedBytes: entry.compressedSize,
    offset: entry.offset,
    isDirectory: entry.directory,
    isSymlink: entry.symlink,
    isEncrypted: entry.encrypted,
    compressionMethod: entry.compressionMethod,
    // AES-encrypted entries have none, and are refused.
    crc32: entry.signature ?? 0,
    dataOffset: await dataOffsetOf(file, entry),
  }
}

/** The zip's entries, without their data. @throws TooManyEntriesError; Error when it is no zip, or damaged */
export async function readZip(file: Blob): Promise<ZipFileEntry[]> {
  const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false })
  const found = await reader.getEntries()
  if (found.length > TEST_DATA_LIMITS.entries) throw new TooManyEntriesError()
  const entries: ZipFileEntry[] = []
  while (entries.length < found.length) {
    const next = found.slice(entries.length, entries.length + PARALLEL_READS)
    entries.push(...(await Promise.all(next.map((entry) => toFileEntry(file, entry)))))
  }
  return entries
}
