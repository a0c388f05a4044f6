/** The addresses of statement files. No schema stands here, because the thread that reads Markdown has no zod. */

/** The path of a file below the API's base. */
export function problemFilePath(fileId: string): string {
  return `/file/${fileId}`
}

const API = '/api'

/** How Markdown names a file: the same in every copy of the problem. */
export function problemFileAddress(fileId: string): string {
  return `${API}${problemFilePath(fileId)}`
}

/** The path of the file that an address in Markdown names; null for any other address. */
export function pathOfAddress(address: string): string | null {
  return /^\/api\/file\/[0-9a-f]{24}$/.test(address) ? address.slice(API.length) : null
}
