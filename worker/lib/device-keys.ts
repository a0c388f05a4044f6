/**
 * Device keys: how a browser proves that it has signed in to an account before. A key is a nonce signed for that account (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies"). The signing key is the account's password hash, which is secret. So no
 * row is needed, and a new password ends all device keys.
 */
import { Buffer } from 'node:buffer'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The account that a key is for. */
export interface KeyedAccount {
  id: number
  passwordHash: string
}

/** A nonce and its signature, both base64url. */
const DEVICE_KEY = /^[\w-]{16}\.[\w-]{43}$/

/** Signs a nonce for an account. */
function signNonce({ id, passwordHash }: KeyedAccount, nonce: string): string {
  const signature = createHmac('sha256', passwordHash).update(`device:${id}:${nonce}`)
  return `${nonce}.${signature.digest('base64url')}`
}

/** A new device key. */
export function newDeviceKey(account: KeyedAccount): string {
  return signNonce(account, randomBytes(12).toString('base64url'))
}

/** The key that belongs to this account, if there is one. */
export function findDeviceKey(account: KeyedAccount, keys: string[]): string | undefined {
  return keys.find((key) => {
    if (!DEVICE_KEY.test(key)) return false
    const expected = signNonce(account, key.slice(0, key.indexOf('.')))
    return timingSafeEqual(Buffer.from(key), Buffer.from(expected))
  })
}
