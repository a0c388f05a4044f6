/** New passwords: refused when easy to guess, then hashed in the fair queue. */
import { fieldRefused } from './errors.ts'
import { isGuessable } from '../lib/password-strength.ts'
import { hashPassword, needsRehash, verifyPassword } from '../lib/password.ts'
import { demandCapacity, enqueue, isQueued } from '../lib/fair-queue.ts'
import { orRetryLater } from './rate-limit.ts'

/** The message for a password that is easy to guess. */
export const COMMON_PASSWORD =
  'This password is too easy to guess: a common one, a name, or a simple pattern. Choose a longer one, such as a few words.'

/** Refuses when too many of a group wait, before anything is looked up for one more. */
export function demandHashingCapacity(group: string): Promise<void> {
  return orRetryLater(() => demandCapacity(group))
}

/** `hashPassword` in the fair queue. */
export function hashQueued(group: string, password: string): Promise<string> {
  return orRetryLater(() => enqueue(group, (runExclusive) => hashPassword(password, runExclusive)))
}

/**
 * `verifyPassword` in the fair queue. A wrong password makes its group wait longer.
 * @param before see `enqueue`
 */
export function verifyQueued(
  group: string,
  password: string,
  phc: string | null,
  before?: () => Promise<void>,
): Promise<boolean> {
  return orRetryLater(() =>
    enqueue(group, (runExclusive) => verifyPassword(password, phc, runExclusive), before),
  )
}

/**
 * The hash of a right password anew, if the stored one is of an older scheme and nobody waits: in a rush it
 * would be a second hash for each, and another sign-in comes.
 */
export async function renewHash(
  group: string,
  password: string,
  phc: string,
): Promise<string | null> {
  return needsRehash(phc) && !isQueued() ? hashQueued(group, password) : null
}

/** The owner of a new password: what others know of them, and the group that its hashing counts for. */
interface PasswordOwner {
  about: string[]
  group: string
}

/**
 * Hashes a new password.
 * @param field the body's field that holds it, for the refusal
 */
export async function hashNewPassword(
  password: string,
  field: string,
  { about, group }: PasswordOwner,
): Promise<string> {
  if (isGuessable(password, about)) throw fieldRefused([field], 'common_password', COMMON_PASSWORD)
  return hashQueued(group, password)
}
