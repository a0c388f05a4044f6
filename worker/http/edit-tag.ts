/** ETags for optimistic locking: `"v<version>-<content>"`. If-Match finds stale edits (RFC 9110 §13.1.1). */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { sha256Hex } from '../lib/ids.ts'
import { ok } from './respond.ts'

/**
 * Answers with something that can be edited. The ETag names the version, for If-Match, and the content, for
 * If-None-Match: the content may change without an edit, e.g. by a person's new name.
 */
export async function sendEditable(c: Context, version: number, data: unknown): Promise<Response> {
  const content = (await sha256Hex(JSON.stringify(data))).slice(0, 16)
  c.header('ETag', `"v${version}-${content}"`)
  return ok(c, data)
}

/**
 * The version of something without a counter: 48 bits of the SHA-256 of its content, which `editedVersion`
 * reads back exactly.
 */
export function contentVersion(content: unknown): number {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return parseInt(hash.slice(0, 12), 16)
}

/** The value for If-Match of an item read in a list, which has no ETag header: the answer's field `etag`. */
export function itemTag(version: number): string {
  return `"v${version}-item"`
}

/** The version that an edit is based on, from If-Match. Null without the header: then the last write wins. */
export function editedVersion(c: Context): number | null {
  const header = c.req.header('If-Match')
  if (header === undefined || header === '*') return null
  return Number(/^(?:W\/)?"v(\d{1,15})-/.exec(header)?.[1] ?? -1)
}
