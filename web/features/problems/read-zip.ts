/** Checks the directory of a zip in the browser by the contract's rules. */
import { BlobReader, ZipReader } from '@zip.js/zip.js'
import type { FieldError } from '#contract/errors'
import { checkTestData, type TestDataEntry } from '#contract/test-data'

interface ZipCheck {
  caseCounts: number[]
  errors: FieldError[]
}

/** The zip's entries, without their data. */
async function readEntries(file: Blob): Promise<TestDataEntry[]> {
  const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false })
  const entries: TestDataEntry[] = []
  for await (const entry of reader.getEntriesGenerator())
    entries.push({
      name: entry.filename,
      sizeBytes: entry.uncompressedSize,
      packedBytes: entry.compressedSize,
      offset: entry.offset,
      isDirectory: entry.directory,
      isSymlink: entry.symlink,
      isEncrypted: entry.encrypted,
      compressionMethod: entry.compressionMethod,
    })
  return entries
}

/** Counts the cases of each subtask and names every bad entry. */
export async function checkZip(file: Blob): Promise<ZipCheck> {
  try {
    return checkTestData(await readEntries(file))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { caseCounts: [], errors: [{ path: ['case'], code: 'unreadable', message }] }
  }
}
