/** New passwords: refused when easy to guess, then hashed when it is their turn. */
import { fieldRefused } from './errors.ts'
import { isGuessable } from '../lib/password-strength.ts'
import { hashPassword, needsRehash, verifyPassword } from '../lib/password.ts'
import { demandPlace, inTurn, isQueued } from '../lib/turns.ts'
import { orComeAgain } from './rate-limit.ts'

/** The message for a password that is easy to guess. */
export const COMMON_PASSWORD =
  'This password is too easy to guess: a common one, a name, or a simple pattern. Choose a longer one, such as a few words.'

/** Refuses when too many of a group wait, before anything is looked up for one more. */
export function demandHashingPlace(group: string): Promise<void> {
  return orComeAgain(() => demandPlace(group))
}

/** `hashPassword` in turn. */
export function hashInTurn(group: string, password: string): Promise<string> {
  return orComeAgain(() => inTurn(group, (hold) => hashPassword(password, hold)))
}

/**
 * `verifyPassword` in turn. A wrong password makes its group rest longer.
 * @param before see `inTurn`
 */
export function verifyInTurn(
  group: string,
  password: string,
  phc: string | null,
  before?: () => Promise<void>,
): Promise<boolean> {
  return orComeAgain(() => inTurn(group, (hold) => verifyPassword(password, phc, hold), before))
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
  return needsRehash(phc) && !isQueued() ? hashInTurn(group, password) : null
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
  return hashInTurn(group, password)
}
