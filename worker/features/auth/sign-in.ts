/** Signing in: limits, the account, the password, the session. */
import { LOGIN_LIMITS, TEXT_LIMITS } from '#contract/limits'
import type { LoginBody } from '#contract/auth'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/password.ts'
import { beginLogin, insertSession, refuseLogin, type LoginAttempt } from './queries.ts'

/** The refusal once too many attempts have failed. */
function tooMany(blockedSince: number, now: number): AppError {
  const seconds = Math.max(1, blockedSince + LOGIN_LIMITS.windowSeconds - now)
  return new AppError(
    'too_many_logins',
    { retryAfter: seconds },
    { 'Retry-After': String(seconds) },
  )
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
  const { user, recordId, blockedSince } = await beginLogin(db, attempt)
  if (recordId === undefined) throw tooMany(blockedSince, attempt.now)
  const record = { id: recordId, userId: user?.id ?? null }
  const isRight = await verifyPassword(body.password, user?.passwordHash ?? null)
  if (!user?.passwordHash || !isRight) {
    await refuseLogin(db, attempt, record, false)
    throw new AppError('login_failed')
  }
  if (!user.active) {
    await refuseLogin(db, attempt, record, true)
    throw new AppError('invalid_user', { host: user.email.slice(user.email.indexOf('@') + 1) })
  }
  const token = newSecret()
  const hasBegun = await insertSession(db, attempt, record, {
    userId: user.id,
    tokenHash: await sha256Hex(token),
    oldTokenHash: oldToken ? await sha256Hex(oldToken) : null,
    verifiedHash: user.passwordHash,
    newHash: needsRehash(user.passwordHash) ? await hashPassword(body.password) : null,
  })
  if (!hasBegun) {
    await refuseLogin(db, attempt, record, false)
    throw new AppError('login_failed')
  }
  return token
}
