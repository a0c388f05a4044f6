/** Files that a page holds until what they belong to is stored. Texts name them as they name stored ones. */
import { problemFilePath } from '#contract/problems/file-address'
import { apiUrl } from '../api/api.ts'

/** Where the browser has each, by the path that it would have at the API. */
const held = new Map<string, string>()

/** Holds a file. @returns an id of the form that stored ones have */
export function holdFile(file: Blob): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const fileId = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  held.set(problemFilePath(fileId), URL.createObjectURL(file))
  return fileId
}

/** Lets go of a file; none for one that is not held. */
export function releaseFile(fileId: string): void {
  const path = problemFilePath(fileId)
  URL.revokeObjectURL(held.get(path) ?? '')
  held.delete(path)
}

/** The address of a file of a statement: in this browser while it is held, else at the API. */
export function fileUrl(path: string): string {
  return held.get(path) ?? apiUrl(path)
}
