/** The header `Idempotency-Key`: a call that comes twice with the same key is done once. */
import type { Context } from 'hono'
import { fieldRefused } from './errors.ts'

/** The longest key. Clients send a UUID or the like. */
const KEY_CHARACTERS = 128

/**
 * The key of a call; null when it has none.
 * @param beforeRefusal throws refusals that take precedence over the one of a key that is too long
 */
export async function idempotencyKeyOf(
  c: Context,
  beforeRefusal: () => Promise<void> = async () => {},
): Promise<string | null> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined || key.length <= KEY_CHARACTERS) return key || null
  await beforeRefusal()
  throw fieldRefused(
    ['Idempotency-Key'],
    'invalid',
    `The Idempotency-Key header is longer than ${KEY_CHARACTERS} characters.`,
  )
}
