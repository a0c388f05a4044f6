/** Signing in: limits, the account, the password, the session. */
import { LOGIN_LIMITS, TEXT_LIMITS } from '#contract/limits'
import type { LoginBody } from '#contract/auth'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/password.ts'
import { findLogin, insertFailedLogin, insertSession, type LoginAttempt } from './queries.ts'

/** Refuses once too many attempts have failed; counts only failures, so a class behind one address is not shut out. */
function checkFailures(
  failures: { fromAddress: number; onAccount: number; oldest: number },
  now: number,
): void {
  if (
    failures.onAccount < LOGIN_LIMITS.perAccountAndAddress &&
    failures.fromAddress < LOGIN_LIMITS.perAddress
  )
    return
  const seconds = Math.max(1, failures.oldest + LOGIN_LIMITS.windowSeconds - now)
  throw new AppError('too_many_logins', { retryAfter: seconds }, { 'Retry-After': String(seconds) })
}

/**
 * Checks a login and begins a session.
 * @param oldToken the session cookie the browser came with; that session ends
 * @returns the new session's token, for the cookie
 */
export async function signIn(
  db: Db,
  body: LoginBody,
  origin: Omit<LoginAttempt, 'account'>,
  oldToken: string | undefined,
): Promise<string> {
  const attempt: LoginAttempt = {
    ...origin,
    account: body.username.trim().toLowerCase().slice(0, TEXT_LIMITS.email),
  }
  const { user, failures } = await findLogin(db, attempt)
  checkFailures(failures, attempt.now)
  const isRight = await verifyPassword(body.password, user?.passwordHash ?? null)
  if (!user?.passwordHash || !isRight) {
    await insertFailedLogin(db, attempt, user?.id ?? null)
    throw new AppError('login_failed')
  }
  if (!user.active)
    throw new AppError('invalid_user', { host: user.email.slice(user.email.indexOf('@') + 1) })
  const token = newSecret()
  await insertSession(db, attempt, {
    userId: user.id,
    tokenHash: await sha256Hex(token),
    oldTokenHash: oldToken ? await sha256Hex(oldToken) : null,
    newHash: needsRehash(user.passwordHash) ? await hashPassword(body.password) : null,
  })
  return token
}
