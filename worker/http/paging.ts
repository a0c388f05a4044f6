/** Opaque cursors of keyset lists. */
import type * as z from 'zod'
import { fieldRefused } from './errors.ts'

/** A position in a list as the text clients hand back. */
export function toCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * The position a cursor stands for; undefined when there is none.
 * A cursor that is not one of ours is refused with 400.
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
 * Splits rows that were fetched with one more than asked for.
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
