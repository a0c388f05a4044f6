/** ETags of things that are edited: `"v<version>-<content>"`, so that If-Match can tell a stale edit (RFC 9110 §13.1.1). */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { sha256Hex } from '../lib/ids.ts'
import { ok } from './respond.ts'

/**
 * Answers something that can be edited. The tag names the version, for If-Match, and the content, for
 * If-None-Match: an answer also depends on things that are no edits, like a person's name.
 */
export async function sendEditable(c: Context, version: number, data: unknown): Promise<Response> {
  const content = (await sha256Hex(JSON.stringify(data))).slice(0, 16)
  c.header('ETag', `"v${version}-${content}"`)
  return ok(c, data)
}

/**
 * The version of something that has no counter: a number that its content gives, the same for the same content.
 * 48 bits of SHA-256, which `editedVersion` reads back exactly.
 */
export function contentVersion(content: unknown): number {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return parseInt(hash.slice(0, 12), 16)
}

/**
 * What If-Match of an edit may say about something that was read in a list, where there is no ETag of its own:
 * the answer's field `etag`.
 */
export function itemTag(version: number): string {
  return `"v${version}-item"`
}

/** The version an edit is based on; null when the client does not say, and then the last write wins. */
export function editedVersion(c: Context): number | null {
  const header = c.req.header('If-Match')
  if (header === undefined || header === '*') return null
  return Number(/^(?:W\/)?"v(\d{1,15})-/.exec(header)?.[1] ?? -1)
}
