/** Successful answers in the contract's envelope. */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Sends `{status: "ok", message, data}`. */
export function ok(
  c: Context,
  data: unknown,
  message = 'OK',
  status: ContentfulStatusCode = 200,
): Response {
  return c.json({ status: 'ok', message, data }, status)
}
