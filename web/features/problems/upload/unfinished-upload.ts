/** An interrupted upload, kept in this browser so that the same file can resume. */
import * as z from 'zod'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { uploadPart, uploadStarted } from '#contract/problems'
import { parseJson } from '../../../lib/api/parse-json.ts'
import { readStored, removeStored, writeStored } from '../../../lib/storage.ts'

const unfinishedUpload = uploadStarted.extend({
  /** The fingerprint of its file. */
  fingerprint: z.string(),
  /** The parts that have arrived. */
  parts: z.array(uploadPart),
})
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>

function keyOf(problemId: number): string {
  return `upload:${problemId}`
}

/**
 * A fingerprint of a zip: name, size, time and the hash of its end, which holds the zip's directory with the name and
 * the checksum of every file. The same zip repacked with other names has another fingerprint.
 */
export async function fingerprintOf(file: File): Promise<string> {
  const end = await file.slice(-TEST_DATA_LIMITS.centralDirectoryBytes).arrayBuffer()
  const digest = await crypto.subtle.digest('SHA-256', end)
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return [file.name, file.size, file.lastModified, hex.join('')].join(':')
}

/** The interrupted upload of this file, or null. */
export async function findUnfinished(
  problemId: number,
  file: File,
): Promise<UnfinishedUpload | null> {
  const found = unfinishedUpload.safeParse(parseJson(readStored(keyOf(problemId)))).data
  return found?.fingerprint === (await fingerprintOf(file)) ? found : null
}

export function keepUnfinished(problemId: number, upload: UnfinishedUpload): void {
  writeStored(keyOf(problemId), JSON.stringify(upload))
}

export function forgetUnfinished(problemId: number): void {
  removeStored(keyOf(problemId))
}
