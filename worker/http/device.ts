/**
 * The cookie by which accounts know a browser. It says nothing about who may come in, only that strangers' wrong guesses
 * are not this browser's: it outlives sign-outs, and holds the keys of the accounts that signed in here last.
 */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { KNOWN_DEVICE } from '#contract/limits'
import { findDeviceKey, newDeviceKey, type KeyedAccount } from '../lib/device-keys.ts'

const SEPARATOR = '~'

/** The keys that the browser came with, the latest first. */
export function deviceKeys(c: Context): string[] {
  const keys = getCookie(c, 'device', 'host')?.split(SEPARATOR) ?? []
  return keys.slice(0, KNOWN_DEVICE.accounts)
}

/** Makes the browser known to an account. */
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
