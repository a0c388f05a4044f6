/**
 * The cookie by which accounts know a browser. The cookie gives no access. It only separates this browser's sign-ins from
 * strangers' guesses. The cookie outlives sign-outs and holds keys of the accounts that signed in here last.
 */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { findDeviceKey, newDeviceKey, type KeyedAccount } from '../lib/device-keys.ts'

/** For how many seconds an account remembers a browser that signed in, and how many accounts a browser holds keys for. */
export const KNOWN_DEVICE = { seconds: 365 * 86_400, accounts: 5 } as const

const SEPARATOR = '~'

/** The keys in the browser's cookie, newest first. */
export function deviceKeys(c: Context): string[] {
  const keys = getCookie(c, 'device', 'host')?.split(SEPARATOR) ?? []
  return keys.slice(0, KNOWN_DEVICE.accounts)
}

/** Adds a key for this account to the browser's cookie. */
export function sendDeviceKey(c: Context, account: KeyedAccount): void {
  const keys = deviceKeys(c)
  const own = findDeviceKey(account, keys) ?? newDeviceKey(account)
  const kept = [own, ...keys.filter((key) => key !== own)].slice(0, KNOWN_DEVICE.accounts)
  setCookie(c, 'device', kept.join(SEPARATOR), {
    prefix: 'host',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: KNOWN_DEVICE.seconds,
  })
}
