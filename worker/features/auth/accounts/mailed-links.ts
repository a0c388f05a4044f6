/** Mailed links. A person who follows a link reads the mails of its address, so the link confirms the address. */
import type {
  ActivateBody,
  ConfirmEmailBody,
  MoveEmailBody,
  ResetBody,
} from '#contract/people/auth'
import { findLink, type LinkPurpose } from '../../../db/account-links.ts'
import type { Db } from '../../../db/client.ts'
import { AppError, fieldRefused } from '../../../http/errors.ts'
import { hashNewPassword } from '../../../http/new-password.ts'
import type { KeyedAccount } from '../../../lib/device-keys.ts'
import { sha256Hex } from '../../../lib/ids.ts'
import { movedLetter } from '../../../lib/mail-letters.ts'
import type { Mail } from '../../../lib/mail.ts'
import { useLink, type Visit } from './account-queries.ts'

/** A link that a person follows. `field`: the body's field with the new password. */
interface Following {
  purpose: LinkPurpose
  token: string
  newPassword: string | undefined
  field: string
}

/**
 * Follows a link. An account whose address was not confirmed gets a new password, because the person who made the account may know the old one.
 * Only where its owner made it and follows the link in the browser that is signed in to it, the password may stay.
 * @param sessionHash the browser's session; null: none
 * @returns the account before the change, and the account with the password hash after it
 */
async function followLink(
  db: Db,
  { purpose, token, newPassword, field }: Following,
  sessionHash: string | null,
  visit: Visit,
) {
  const tokenHash = await sha256Hex(token)
  const found = await findLink(db, { purpose, tokenHash }, sessionHash, visit.now)
  if (!found || (purpose === 'move' && !found.isOwn)) throw new AppError('bad_link')
  const { userId, email, newEmail, emailConfirmedAt, confirmDueAt, isOwn } = found
  const owner = { about: found.about, network: `user:${userId}` }
  const newHash =
    newPassword === undefined ? null : await hashNewPassword(newPassword, field, owner)
  const mayStay = emailConfirmedAt !== null || (confirmDueAt !== null && isOwn === 1)
  const passwordHash = newHash ?? (mayStay ? found.passwordHash : null)
  if (passwordHash === null) throw fieldRefused([field], 'required', 'Value is required')
  const link = { userId, email, purpose, tokenHash, passwordHash: newHash, newEmail }
  await useLink(db, link, visit)
  return { before: found, account: { id: userId, passwordHash } }
}

/** POST /auth/password-reset. @returns the account with its password hash, which signs its device keys */
export async function resetPassword(db: Db, body: ResetBody, visit: Visit): Promise<KeyedAccount> {
  return (await followLink(db, { purpose: 'reset', field: 'newPassword', ...body }, null, visit))
    .account
}

/** POST /auth/activate. @returns the account with its password hash, which signs its device keys */
export async function activateAccount(
  db: Db,
  body: ActivateBody,
  visit: Visit,
): Promise<KeyedAccount> {
  const { token, password } = body
  const link = { purpose: 'activate', token, newPassword: password, field: 'password' } as const
  return (await followLink(db, link, null, visit)).account
}

/** POST /auth/email/confirm. @returns the account with its password hash, which signs its device keys */
export async function confirmEmail(
  db: Db,
  { token, newPassword }: ConfirmEmailBody,
  sessionHash: string | null,
  visit: Visit,
): Promise<KeyedAccount> {
  const link = { purpose: 'confirm', field: 'newPassword', token, newPassword } as const
  return (await followLink(db, link, sessionHash, visit)).account
}

/**
 * POST /auth/email/move. Only for the signed-in owner: the link alone proves who reads the mails of the new address,
 * not who owns the account.
 * @returns the mail that tells the old address, if it was confirmed
 */
export async function moveEmail(
  db: Db,
  { token, newPassword }: MoveEmailBody,
  sessionHash: string | null,
  visit: Visit,
): Promise<Mail | null> {
  const link = { purpose: 'move', field: 'newPassword', token, newPassword } as const
  const { before } = await followLink(db, link, sessionHash, visit)
  return before.emailConfirmedAt === null ? null : movedLetter(before.email, before.username)
}
