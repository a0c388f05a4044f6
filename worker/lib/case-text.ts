/** Reads the input and the expected output of a case from the zip of test data. */
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import { findZipEntry } from './zip-directory.ts'
import { rangesOf, readEntryStart } from './zip-entry.ts'

/** The zip of a version of test data in the bucket. */
export interface TestDataZip {
  key: string
  bytes: number
}

/** The beginning of a case's text, and the size of all of it in bytes. */
interface CaseText {
  text: string
  sizeBytes: number
}

/** Bytes as text. Bytes that are not UTF-8 become U+FFFD; NUL and a byte order mark stay. */
export function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
}

/**
 * The beginning of a case's input or expected output.
 * @param name of the file in the zip, see `entryName`
 * @returns null without such a file, and for a lost or damaged zip
 */
export async function readCaseText(
  bucket: R2Bucket,
  zip: TestDataZip,
  name: string,
): Promise<CaseText | null> {
  try {
    const read = rangesOf(bucket, zip.key)
    const found = await findZipEntry(read, zip.bytes, name)
    if (!found) return null
    const { entry, dataEnd } = found
    const start = await readEntryStart(read, entry, dataEnd, KEPT_OUTPUT_BYTES)
    return { text: toText(start), sizeBytes: entry.sizeBytes }
  } catch (error) {
    console.warn(JSON.stringify({ testData: zip.key, entry: name, error: String(error) }))
    return null
  }
}
