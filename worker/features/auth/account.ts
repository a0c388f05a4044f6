/** Passwords that change, and the links by which people come in without one. */
import type {
  ActivateBody,
  ChangePasswordBody,
  ConfirmPasswordBody,
  ResetBody,
} from '#contract/auth'
import { findLink } from '../../db/account-links.ts'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { confirmSession } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { hashNewPassword } from '../../http/new-password.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { activationLetter, resetLetter } from '../../lib/mail-letters.ts'
import type { Mail } from '../../lib/mail.ts'
import { verifyPassword } from '../../lib/password.ts'
import {
  findOwnPassword,
  findRecovery,
  storeLink,
  updateOwnPassword,
  useLink,
  type Visit,
} from './account-queries.ts'

/** Refuses who does not know the password of the account they are signed in to, or has tried too often. */
async function demandOwnPassword(db: Db, password: string, { actor, ip, now }: Change) {
  const { rate, passwordHash } = await findOwnPassword(db, actor.id, Date.now())
  demandTokens([rate])
  if (await verifyPassword(password, passwordHash)) return
  const subject = String(actor.id)
  await insertAudit(db, { actorId: actor.id, action: 'user.password_refuse', subject, ip, now })
  throw new AppError('wrong_password')
}

/** POST /auth/confirm-password. @param sessionHash of the session that asks */
export async function confirmPassword(
  db: Db,
  body: ConfirmPasswordBody,
  sessionHash: string,
  change: Change,
): Promise<void> {
  await demandOwnPassword(db, body.password, change)
  await confirmSession(db, sessionHash, change.now)
}

/** POST /auth/change-password. */
export async function changePassword(
  db: Db,
  body: ChangePasswordBody,
  change: Change,
): Promise<void> {
  await demandOwnPassword(db, body.oldPassword, change)
  await updateOwnPassword(db, await hashNewPassword(body.newPassword, 'newPassword'), change)
}

/**
 * POST /auth/password-recovery: a new link for the account, which the older one does not survive.
 * An account that was never activated gets its activation link again; one that an admin closed gets none.
 * @returns the mail to send
 */
export async function startRecovery(
  db: Db,
  email: string,
  origin: string,
  visit: Visit,
): Promise<Mail> {
  const { rates, user } = await findRecovery(db, email, visit.network, Date.now())
  demandTokens(rates)
  if (!user || user.disabledAt !== null) throw new AppError('unknown_email')
  const token = newSecret()
  const purpose = user.active ? 'reset' : 'activate'
  await storeLink(db, { userId: user.id, purpose, tokenHash: await sha256Hex(token) }, visit)
  return user.active
    ? resetLetter(origin, email, token)
    : activationLetter(origin, email, user.username, token)
}

/** POST /auth/password-reset. */
export async function resetPassword(db: Db, body: ResetBody, visit: Visit): Promise<void> {
  const tokenHash = await sha256Hex(body.token)
  const found = await findLink(db, 'reset', tokenHash, visit.now)
  if (!found) throw new AppError('bad_link')
  const passwordHash = await hashNewPassword(body.newPassword, 'newPassword')
  const link = { userId: found.userId, purpose: 'reset', tokenHash, passwordHash } as const
  if (!(await useLink(db, link, visit))) throw new AppError('bad_link')
}

/** POST /auth/activate. */
export async function activate(db: Db, body: ActivateBody, visit: Visit): Promise<void> {
  const tokenHash = await sha256Hex(body.token)
  const found = await findLink(db, 'activate', tokenHash, visit.now)
  if (!found) throw new AppError('bad_link')
  if (body.password === undefined && found.passwordHash === null)
    throw fieldRefused(['password'], 'required', 'Value is required')
  const passwordHash =
    body.password === undefined ? null : await hashNewPassword(body.password, 'password')
  const link = { userId: found.userId, purpose: 'activate', tokenHash, passwordHash } as const
  if (!(await useLink(db, link, visit))) throw new AppError('bad_link')
}
