/** Mails with a link that confirms the account's e-mail address or moves the account to another address. */
import { isAtDomain } from '#contract/joining'
import type { AskEmailBody } from '#contract/people/auth'
import type { Db } from '../../../db/client.ts'
import { takeTokens, type Bucket } from '../../../db/rate-limits.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { demandTokens } from '../../../http/rate-limit.ts'
import { newSecret, sha256Hex } from '../../../lib/ids.ts'
import { confirmLetter, moveLetter, welcomeLetter } from '../../../lib/mail-letters.ts'
import type { Mail } from '../../../lib/mail.ts'
import { selectConfirmed, selectDomains, storeLink } from './account-queries.ts'
import { ACCOUNT_LIMITS } from '../auth-limits.ts'

/** Whether a call asks to change the address rather than to confirm the present one. */
export function isMove({ email }: AskEmailBody, own: string): boolean {
  return email !== undefined && email !== own
}

/**
 * The limits on these mails. Mails that confirm an address and mails that move an account to it count separately, so strangers
 * who type an address cannot use up the mails with which its owner confirms it.
 */
async function bucketsOf(
  userId: number,
  purpose: 'confirm' | 'move',
  email: string,
): Promise<[Bucket, Bucket]> {
  const target = (await sha256Hex(email)).slice(0, 32)
  return [
    { key: `email:user:${userId}`, rule: ACCOUNT_LIMITS.confirmPerUser },
    { key: `email:${purpose}:${target}`, rule: ACCOUNT_LIMITS.confirmPerTarget },
  ]
}

/**
 * POST /auth/email: makes a link, which replaces an earlier link.
 * @returns the mail to send
 * @throws AppError `email_confirmed` when there is nothing to confirm; `email_exists` when another account has confirmed the
 * address; `join_domain` when the person has joined by an unconfirmed address of a domain and the new one is not there
 */
export async function askEmail(
  db: Db,
  body: AskEmailBody,
  origin: string,
  change: Change,
): Promise<Mail> {
  const { id, username, email: own, emailConfirmedAt, confirmDueAt } = change.actor
  const moves = isMove(body, own)
  if (!moves && emailConfirmedAt !== null) throw new AppError('email_confirmed')
  const email = body.email ?? own
  const [confirmed, codes, ...rates] = await db.batch([
    selectConfirmed(db, email),
    selectDomains(db, moves && emailConfirmedAt === null ? id : null),
    ...takeTokens(db, await bucketsOf(id, moves ? 'move' : 'confirm', email), Date.now())
      .statements,
  ])
  demandTokens(rates)
  if (confirmed.length > 0) throw new AppError('email_exists')
  const closed = codes.find(({ domains }) => !isAtDomain(email, domains))
  if (closed) throw new AppError('join_domain', { domains: closed.domains })
  const token = newSecret()
  const link = { userId: id, tokenHash: await sha256Hex(token) }
  await db.batch(
    storeLink(
      db,
      moves ? { ...link, purpose: 'move', newEmail: email } : { ...link, purpose: 'confirm' },
      id,
      change,
    ),
  )
  const firstLetter = confirmDueAt === null ? confirmLetter : welcomeLetter
  const letter = moves ? moveLetter : firstLetter
  return letter(origin, email, username, token)
}
