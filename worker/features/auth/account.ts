/** Passwords that change, and the mail by which people come in without one. */
import type { ChangePasswordBody, ConfirmPasswordBody } from '#contract/auth'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { confirmSession } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { hashNewPassword } from '../../http/new-password.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { activationLetter, claimsLetter, resetLetter } from '../../lib/mail-letters.ts'
import type { Mail } from '../../lib/mail.ts'
import { verifyPassword } from '../../lib/password.ts'
import {
  findOwnPassword,
  findRecovery,
  storeLink,
  updateOwnPassword,
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
 * An account that was never activated gets its activation link again; one that an admin closed gets none. While nobody
 * has confirmed the address, all accounts that claim it are named, each with its link: its owner picks.
 * @returns the mail to send
 */
export async function startRecovery(
  db: Db,
  email: string,
  origin: string,
  visit: Visit,
): Promise<Mail> {
  const { rates, found } = await findRecovery(db, email, visit.network, Date.now())
  demandTokens(rates)
  const [first] = found
  if (!first) throw new AppError('unknown_email')
  const links = await Promise.all(
    found.map(async (user) => {
      const token = newSecret()
      const purpose = user.active ? 'reset' : 'activate'
      const link = { userId: user.id, purpose, tokenHash: await sha256Hex(token) } as const
      return { user, token, statements: storeLink(db, link, null, visit) }
    }),
  )
  const [statement, ...statements] = links.flatMap((link) => link.statements)
  if (statement) await db.batch([statement, ...statements])
  const token = links[0]?.token ?? ''
  if (first.active && first.emailConfirmedAt !== null) return resetLetter(origin, email, token)
  if (!first.active && links.length === 1)
    return activationLetter(origin, email, first.username, token)
  const accounts = links.map((link) => ({ ...link.user, token: link.token }))
  return claimsLetter(origin, email, accounts)
}
