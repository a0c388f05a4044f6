/** A new password on its way into the database: not too easy to guess, then hashed when it is its turn. */
import { AppError, fieldRefused } from './errors.ts'
import { HASHING } from '#contract/limits'
import { isGuessable } from '../lib/password-strength.ts'
import { hashPassword, verifyPassword } from '../lib/password.ts'
import { inTurn, TooManyWaiting } from '../lib/turns.ts'

/** What an easily guessed password is told. */
export const COMMON_PASSWORD =
  'This password is too easy to guess: a common one, a name, or a simple pattern. Choose a longer one, such as a few words.'

/** As `inTurn`; refuses with 429 when too many of the group wait. @param group e.g. `user:17` */
async function inHashingTurn<T>(...args: Parameters<typeof inTurn<T>>): Promise<T> {
  try {
    return await inTurn(...args)
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    const seconds = HASHING.fullMs / 1000
    const headers = { 'Retry-After': String(seconds) }
    throw new AppError('too_many_requests', { retryAfter: seconds }, headers)
  }
}

/** `hashPassword` in turn. */
export function hashInTurn(group: string, password: string): Promise<string> {
  return inHashingTurn(group, () => hashPassword(password))
}

/** `verifyPassword` in turn; a wrong password makes its group rest longer. @param before see `inTurn` */
export function verifyInTurn(
  group: string,
  password: string,
  phc: string | null,
  before?: () => Promise<void>,
): Promise<boolean> {
  return inHashingTurn(group, () => verifyPassword(password, phc), before)
}

/** Whose password it will be: what others know of them, and on whose account the hashing goes. */
interface PasswordOwner {
  about: string[]
  group: string
}

/**
 * The hash to store.
 * @param field the body's field it came in, for the refusal
 */
export async function hashNewPassword(
  password: string,
  field: string,
  { about, group }: PasswordOwner,
): Promise<string> {
  if (isGuessable(password, about)) throw fieldRefused([field], 'common_password', COMMON_PASSWORD)
  return hashInTurn(group, password)
}
