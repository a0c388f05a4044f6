/**
 * Files that a page holds until the problem they belong to is stored. Texts refer to held files in the same way as to
 * stored files.
 */
import { problemFilePath } from '#contract/problems/file-address'
import { apiUrl } from '../api/api.ts'

/** The browser's address of each held file, by the path that the file would have at the API. */
const held = new Map<string, string>()

/** Holds a file. @returns an id that looks like a stored file's */
export function holdFile(file: Blob): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const fileId = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  held.set(problemFilePath(fileId), URL.createObjectURL(file))
  return fileId
}

/** Releases a file; does nothing if it is not held. */
export function releaseFile(fileId: string): void {
  const path = problemFilePath(fileId)
  URL.revokeObjectURL(held.get(path) ?? '')
  held.delete(path)
}

/** The address of a file of a statement: in this browser while it is held, else at the API. */
export function fileUrl(path: string): string {
  return held.get(path) ?? apiUrl(path)
}
