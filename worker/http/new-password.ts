/** A new password on its way into the database: not among the most common ones, then hashed. */
import { fieldRefused } from './errors.ts'
import { isCommonPassword } from '../lib/common-passwords.ts'
import { hashPassword } from '../lib/password.ts'

/** What a common password is told. */
export const COMMON_PASSWORD = 'This password is among the most common ones. Choose another.'

/**
 * The hash to store.
 * @param field the body's field it came in, for the refusal
 */
export async function hashNewPassword(password: string, field: string): Promise<string> {
  if (isCommonPassword(password)) throw fieldRefused([field], 'common_password', COMMON_PASSWORD)
  return hashPassword(password)
}
