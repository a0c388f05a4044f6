/** Changing and confirming passwords, and recovery by mail. */
import type { ChangePasswordBody, ConfirmPasswordBody } from '#contract/people/auth'
import type { LinkPurpose } from '../../../db/account-links.ts'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import { confirmSession } from '../../../db/sessions.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { hashNewPassword, verifyQueued } from '../../../http/new-password.ts'
import { demandTokens } from '../../../http/rate-limit.ts'
import { findDeviceKey, type KeyedAccount } from '../../../lib/device-keys.ts'
import { newSecret, sha256Hex } from '../../../lib/ids.ts'
import { activationLetter, claimsLetter, resetLetter } from '../../../lib/mail-letters.ts'
import type { Mail } from '../../../lib/mail.ts'
import {
  findOwnPassword,
  findRecovery,
  storeRecovery,
  updateOwnPassword,
  type Visit,
} from './account-queries.ts'

/** Refuses a signed-in caller who does not know their password, or has tried too often. @returns what other people know of the caller */
async function demandOwnPassword(db: Db, password: string, change: Change): Promise<string[]> {
  const { actor } = change
  const { rate, passwordHash, about } = await findOwnPassword(db, actor.id, Date.now())
  demandTokens([rate])
  if (await verifyQueued(`user:${actor.id}`, password, passwordHash)) return about
  const subject = String(actor.id)
  await insertAudit(db, change, { action: 'user.password_refuse', subject })
  throw new AppError('wrong_password')
}

/** POST /auth/confirm-password. @param sessionHash the hash of the asking session's token */
export async function confirmPassword(
  db: Db,
  body: ConfirmPasswordBody,
  sessionHash: string,
  change: Change,
): Promise<void> {
  await demandOwnPassword(db, body.password, change)
  await confirmSession(db, sessionHash, change.now)
}

/** POST /auth/change-password. @returns the account to make new device keys for */
export async function changePassword(
  db: Db,
  body: ChangePasswordBody,
  change: Change,
): Promise<KeyedAccount> {
  const { id } = change.actor
  const about = await demandOwnPassword(db, body.oldPassword, change)
  const owner = { about, network: `user:${id}` }
  const passwordHash = await hashNewPassword(body.newPassword, 'newPassword', owner)
  await updateOwnPassword(db, passwordHash, change)
  return { id, passwordHash }
}

/**
 * POST /auth/password-recovery: makes a new link, which replaces the older one, unless a mail was sent just before. An account
 * that was never activated gets its activation link; an account that an admin closed gets none. While nobody has confirmed the
 * address, the mail has a link for each account that claims it, and the reader picks one.
 * @param keys the browser's device keys
 * @returns the mail to send, if any
 */
export async function startRecovery(
  db: Db,
  email: string,
  origin: string,
  keys: string[],
  visit: Visit,
): Promise<Mail | null> {
  const { found, isMailed } = await findRecovery(db, email)
  if (found.length > 0 && isMailed) return null
  const isKnown = found.some(
    ({ id, passwordHash }) =>
      passwordHash !== null && findDeviceKey({ id, passwordHash }, keys) !== undefined,
  )
  const links = await Promise.all(
    found.map(async (user) => {
      const token = newSecret()
      const purpose: LinkPurpose = user.active ? 'reset' : 'activate'
      return { user, token, link: { userId: user.id, purpose, tokenHash: await sha256Hex(token) } }
    }),
  )
  const mailed = links.map(({ link }) => link)
  const { rates, isStored } = await storeRecovery(db, email, mailed, isKnown, visit)
  demandTokens(rates)
  const [first] = links
  if (!first) throw new AppError('unknown_email')
  if (!isStored) return null
  const { user, token } = first
  if (user.active && user.emailConfirmedAt !== null) return resetLetter(origin, email, token)
  if (!user.active && links.length === 1)
    return activationLetter(origin, email, user.username, token)
  const accounts = links.map((link) => ({ ...link.user, token: link.token }))
  return claimsLetter(origin, email, accounts)
}
