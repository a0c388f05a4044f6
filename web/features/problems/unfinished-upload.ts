/** An upload that was interrupted, kept in this browser so that the same file goes on where it stopped. */
import * as z from 'zod'
import { uploadPart, uploadStarted } from '#contract/problems'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

/** The end of a zip, where its directory holds a checksum of every file, in bytes. */
const DIRECTORY_BYTES = 65_536

const unfinishedUpload = uploadStarted.extend({
  /** Which file it is. */
  fingerprint: z.string(),
  /** The parts that have arrived. */
  parts: z.array(uploadPart),
})
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>

function keyOf(problemId: number): string {
  return `upload:${problemId}`
}

/** Tells files apart: name, size, time and the zip's own directory. */
export async function fingerprintOf(file: File): Promise<string> {
  const end = await file.slice(-DIRECTORY_BYTES).arrayBuffer()
  const digest = await crypto.subtle.digest('SHA-256', end)
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return [file.name, file.size, file.lastModified, hex.join('')].join(':')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What has arrived of this very file; null when nothing has. */
export async function findUnfinished(
  problemId: number,
  file: File,
): Promise<UnfinishedUpload | null> {
  const stored = readStored(keyOf(problemId))
  if (stored === null) return null
  const found = unfinishedUpload.safeParse(parseJson(stored)).data
  return found?.fingerprint === (await fingerprintOf(file)) ? found : null
}

export function keepUnfinished(problemId: number, upload: UnfinishedUpload): void {
  writeStored(keyOf(problemId), JSON.stringify(upload))
}

export function forgetUnfinished(problemId: number): void {
  removeStored(keyOf(problemId))
}
