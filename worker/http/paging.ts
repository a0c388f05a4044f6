/** Opaque cursors for keyset paging. */
import type * as z from 'zod'
import { fieldRefused } from './errors.ts'

/** Encodes a position in a list as a cursor. */
export function toCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * Decodes a cursor; undefined without one.
 * @throws AppError 400 for a cursor that is not ours
 */
export function fromCursor<T>(cursor: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw fieldRefused(
      ['cursor'],
      'invalid',
      'This cursor did not come from this list. Start from the first page.',
    )
  }
}

/**
 * Makes a page of rows, of which one more than `limit` was fetched.
 * @param positionOf what the next page starts after
 */
export function toPage<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => unknown,
): { rows: T[]; next: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page,
    next: rows.length > limit && last !== undefined ? toCursor(positionOf(last)) : null,
  }
}
