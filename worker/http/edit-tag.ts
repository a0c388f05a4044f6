/** ETags of things that are edited: `"v<version>…"`, so that If-Match can tell a stale edit (RFC 9110 §13.1.1). */
import type { Context } from 'hono'

/** Marks an answer with the version it shows; `extra` is whatever else the answer depends on. */
export function setEditTag(c: Context, version: number, extra = ''): void {
  c.header('ETag', `"v${version}-${extra}"`)
}

/** The version an edit is based on; null when the client does not say, and then the last write wins. */
export function editedVersion(c: Context): number | null {
  const header = c.req.header('If-Match')
  if (header === undefined || header === '*') return null
  return Number(/^(?:W\/)?"v(\d+)-/.exec(header)?.[1] ?? -1)
}
