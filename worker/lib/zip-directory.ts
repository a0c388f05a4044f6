/** Reads a zip's central directory through ranged reads, so that a gigabyte costs no more than a megabyte. */
import { Reader, ZipReader, type Entry } from '@zip.js/zip.js'
import { TEST_DATA_LIMITS } from '#contract/limits'
import type { TestDataEntry } from '#contract/test-data'

/** The file is no readable zip, or its directory is beyond the limits. */
export class BadZip extends Error {
  override name = 'BadZip'
}

/** Reads a slice of the file: offset and length in bytes. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>

/** zip.js's view of a file that is somewhere else. Refuses to read more than a directory may have. */
class RangeReader extends Reader<ReadRange> {
  readonly #read: ReadRange
  #bytesLeft = TEST_DATA_LIMITS.centralDirectoryBytes

  constructor(read: ReadRange, size: number) {
    super(read)
    this.#read = read
    this.size = size
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    this.#bytesLeft -= length
    if (this.#bytesLeft < 0) throw new BadZip('The directory of the zip is too large.')
    return this.#read(offset, Math.min(length, this.size - offset))
  }
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

/**
 * All entries of a zip, without reading any of their data.
 * @param size of the file in bytes
 * @throws BadZip with a sentence for the user
 */
export async function readZipDirectory(read: ReadRange, size: number): Promise<TestDataEntry[]> {
  // Names are judged by the caller, who lists every bad one instead of stopping at the first.
  const options = { useWebWorkers: false, filenameValidation: 'tolerant' } as const
  const reader = new ZipReader(new RangeReader(read, size), options)
  const entries: TestDataEntry[] = []
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entries.length >= TEST_DATA_LIMITS.entries)
        throw new BadZip(`A zip may hold ${TEST_DATA_LIMITS.entries} files at most.`)
      entries.push(toTestDataEntry(entry))
    }
  } catch (error) {
    if (error instanceof BadZip) throw error
    throw new BadZip(
      `This is not a zip we can read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
  return entries
}
