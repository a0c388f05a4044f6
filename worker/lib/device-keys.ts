/**
 * How a browser shows that it has signed in to an account before: a nonce signed for that account (OWASP, "Slow Down
 * Online Guessing Attacks with Device Cookies"). The key is the account's password hash, which nobody else knows and
 * which changes with the password: no row is kept, and a new password makes strangers of all browsers.
 */
import { Buffer } from 'node:buffer'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Whom a key is for. */
export interface KeyedAccount {
  id: number
  passwordHash: string
}

/** A nonce and its signature, in base64url. */
const DEVICE_KEY = /^[\w-]{16}\.[\w-]{43}$/

/** The key of a nonce. */
function signNonce({ id, passwordHash }: KeyedAccount, nonce: string): string {
  const signature = createHmac('sha256', passwordHash).update(`device:${id}:${nonce}`)
  return `${nonce}.${signature.digest('base64url')}`
}

/** A new key. */
export function newDeviceKey(account: KeyedAccount): string {
  return signNonce(account, randomBytes(12).toString('base64url'))
}

/** The one of these keys that is for this account. */
export function findDeviceKey(account: KeyedAccount, keys: string[]): string | undefined {
  return keys.find((key) => {
    if (!DEVICE_KEY.test(key)) return false
    const expected = signNonce(account, key.slice(0, key.indexOf('.')))
    return timingSafeEqual(Buffer.from(key), Buffer.from(expected))
  })
}
