/** Where a call comes from. */
import type { Context } from 'hono'

/** The caller's address: the edge sets the header, nobody else can. */
export function clientIp(c: Context): string {
  return c.req.header('CF-Connecting-IP') ?? '127.0.0.1'
}

/** The caller's program, without control characters and cut to what is worth keeping. */
export function clientAgent(c: Context): string {
  return (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 256)
}

/** The token of `Authorization: Bearer …`, if there is one. */
export function bearerToken(c: Context): string | null {
  return /^Bearer ([\w.~+/=-]{1,512})$/.exec(c.req.header('Authorization') ?? '')?.[1] ?? null
}
