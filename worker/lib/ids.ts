/** Random and time-ordered identifiers, and secrets. */
import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'

/** Bytes as lowercase hex. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/**
 * A new id of 24 hex digits: 12 of the time in ms, 12 random. Text order is time order.
 * @param nowMs epoch milliseconds
 */
export function newHexId(nowMs: number): string {
  return hexIdAt(nowMs) + toHex(crypto.getRandomValues(new Uint8Array(6)))
}

/**
 * The first 12 digits of every id made in this millisecond: a lower bound for comparisons.
 * @param ms epoch milliseconds
 */
export function hexIdAt(ms: number): string {
  return Math.max(0, ms).toString(16).padStart(12, '0')
}

/** When an id was made, in epoch seconds. */
export function secondsOfId(id: string): number {
  return Math.floor(parseInt(id.slice(0, 12), 16) / 1000)
}

/** A new secret of 256 random bits in base64url: session cookies, runner tokens, leases. */
export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** SHA-256 of a text in hex: the stored form of a secret. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  )
}

/**
 * Whether a text is one of the secrets. Compares with each of them in constant time.
 * @param given null: nothing was given
 */
export async function isSecret(
  given: string | null,
  ...secrets: (string | undefined)[]
): Promise<boolean> {
  if (given === null) return false
  const hash = Buffer.from(await sha256Hex(given))
  const hashes = await Promise.all(
    secrets.map(async (secret) => secret && (await sha256Hex(secret))),
  )
  const fits = hashes.map((known) => !!known && timingSafeEqual(hash, Buffer.from(known)))
  return fits.includes(true)
}
