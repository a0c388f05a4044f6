/** Where a call comes from. */
import type { Context } from 'hono'

/** The caller's IP address, from a header that only Cloudflare's edge can set. */
export function clientIp(c: Context): string {
  return c.req.header('CF-Connecting-IP') ?? '127.0.0.1'
}

/**
 * What rate limits count as one address: an IPv4 address, or the /64 of an IPv6 address. A customer gets a
 * whole /64 and could otherwise use a new address for every call.
 */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4)
}

/** The /48 of an IPv6 address, the most that one customer holds. An IPv4 address stays as it is. */
export function siteOf(ip: string): string {
  return prefixOf(ip, 3)
}

/** The first groups of 16 bits of an IPv6 address. An IPv4 address stays as it is. */
function prefixOf(ip: string, groups: number): string {
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, groups).join(':')
}

/** The User-Agent header, without control characters and cut to a length worth keeping. */
export function clientAgent(c: Context): string {
  return (c.req.header('User-Agent') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 256)
}

/** The token of `Authorization: Bearer …`, if there is one. */
export function bearerToken(c: Context): string | null {
  return /^Bearer ([\w.~+/=-]{1,512})$/.exec(c.req.header('Authorization') ?? '')?.[1] ?? null
}
