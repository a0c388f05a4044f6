/** Passwords: new ones are refused when easy to guess; all are hashed in the queue. */
import { fieldRefused } from './errors.ts'
import { isGuessable } from '../lib/password-strength.ts'
import { hashPassword, needsRehash, verifyPassword } from '../lib/password.ts'
import { demandHashingCapacity, inTurn, isQueued } from '../lib/hash-queue.ts'
import { orRetryLater } from './rate-limit.ts'

/** The message for a password that is easy to guess. */
export const COMMON_PASSWORD =
  'This password is too easy to guess: it is common, a name, or a simple pattern. Choose a longer password, such as a few words.'

/** Refuses a call when too many callers of its network wait, before anything is looked up for it. */
export function demandCapacity(network: string): Promise<void> {
  return orRetryLater(() => demandHashingCapacity(network))
}

/** `hashPassword` in the queue. */
export function hashQueued(network: string, password: string): Promise<string> {
  return orRetryLater(() => inTurn(network, () => hashPassword(password)))
}

/** `verifyPassword` in the queue. @param before what is done in the turn before the password is hashed; if it throws, the turn is over */
export function verifyQueued(
  network: string,
  password: string,
  phc: string | null,
  before: () => Promise<void> = async () => {},
): Promise<boolean> {
  return orRetryLater(() =>
    inTurn(network, async () => {
      await before()
      return verifyPassword(password, phc)
    }),
  )
}

/**
 * A new hash of a right password, if the stored one is of an older scheme and nobody waits. In a rush every sign-in would hash
 * twice, and a later sign-in can renew the hash.
 */
export async function renewHash(
  network: string,
  password: string,
  phc: string,
): Promise<string | null> {
  return needsRehash(phc) && !isQueued() ? hashQueued(network, password) : null
}

/** The owner of a new password: what others know of that person, and the network in whose turn it is hashed. */
interface PasswordOwner {
  about: string[]
  network: string
}

/**
 * Hashes a new password.
 * @param field the body's field that holds it, for the refusal
 */
export async function hashNewPassword(
  password: string,
  field: string,
  { about, network }: PasswordOwner,
): Promise<string> {
  if (isGuessable(password, about)) throw fieldRefused([field], 'common_password', COMMON_PASSWORD)
  return hashQueued(network, password)
}
