/** POST /join/account: makes an account, joins a course by a code, and signs in. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { isAtDomain, type JoinAccount, type Joined } from '#contract/joining'
import { JOIN_LIMITS } from '#contract/limits'
import { NOTICE_KINDS } from '#contract/notices'
import type { AppEnv } from '../../../env.ts'
import { inBackground } from '../../../http/background.ts'
import { clientAgent, clientIp, siteOf } from '../../../http/client.ts'
import { sendDeviceKey } from '../../../http/device.ts'
import { AppError, fieldRefused, notConfigured } from '../../../http/errors.ts'
import { endPages, hintCourse } from '../../../http/live.ts'
import { linkMailFaults } from '../../../http/mail.ts'
import { demandCapacity, hashNewPassword } from '../../../http/new-password.ts'
import { demandTokens } from '../../../http/rate-limit.ts'
import { sendSessionCookie } from '../../../http/session.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { newSecret, sha256Hex } from '../../../lib/ids.ts'
import type { LoginAttempt } from '../queries.ts'
import { mailDueLinks } from './due-links.ts'
import { checkAccount, storeJoiner } from './join-account-queries.ts'
import { findOpenCode } from '../../joining/join-queries.ts'

const DAY_SECONDS = 86_400

/**
 * Refuses what would be refused anyway, before the password is hashed.
 * @returns the code, and whether the new account must confirm its address: not after an invitation, whose mail has proved it
 */
async function demandPlace(
  { env, var: { db } }: Context<AppEnv>,
  body: JoinAccount,
  { ip, now }: LoginAttempt,
) {
  const codeHash = await sha256Hex(body.code)
  const [code, { rates, isNameTaken, isConfirmed }] = await Promise.all([
    findOpenCode(db, codeHash, now),
    checkAccount(db, body, ip),
  ])
  demandTokens(rates)
  const { email, domains, fault } = code
  if (fault) throw new AppError(fault)
  if (email !== null && email !== body.email)
    throw fieldRefused(['email'], 'invalid', 'The invitation went to another address')
  if (!isAtDomain(body.email, domains)) throw new AppError('join_domain', { domains })
  if (isNameTaken) throw new AppError('username_exists')
  if (isConfirmed) throw new AppError('email_exists')
  const mailFaults = linkMailFaults(env)
  // Without mail nobody could prove to have an address at these domains.
  if (domains.length > 0 && mailFaults.length > 0) throw notConfigured(mailFaults)
  return { code, mustConfirm: email === null && mailFaults.length === 0 }
}

/** Makes an account by a code, and answers with its session. */
export async function joinWithAccount(c: Context<AppEnv>, body: JoinAccount): Promise<Joined> {
  const { db } = c.var
  const { username, email, displayedName = username, password, sharedComputer: shared } = body
  const attempt = { ip: clientIp(c), agent: clientAgent(c), now: nowSeconds() }
  const network = `site:${siteOf(attempt.ip)}`
  // In a rush most calls are refused here, before any look-up.
  await demandCapacity(network)
  const { code, mustConfirm } = await demandPlace(c, body, attempt)
  const about = [username, displayedName, email, code.course]
  const passwordHash = await hashNewPassword(password, 'password', { about, network })
  const [token, oldToken] = [newSecret(), getCookie(c, 'session', 'host')]
  const confirmDueAt = mustConfirm ? attempt.now + JOIN_LIMITS.confirmDays * DAY_SECONDS : null
  const account = { username, email, displayedName, passwordHash, confirmDueAt }
  const { id, joined, replaced } = await storeJoiner(db, account, code, attempt, {
    tokenHash: await sha256Hex(token),
    oldTokenHash: oldToken ? await sha256Hex(oldToken) : null,
    shared,
  })
  if (replaced) endPages(c, replaced.userId, replaced.tokenHash)
  sendSessionCookie(c, token, shared)
  sendDeviceKey(c, { id, passwordHash })
  if (mustConfirm) inBackground(c, 'welcome mail', mailDueLinks(c.env, db, attempt.now, [username]))
  if (joined.state === 'waiting') {
    const whom = { capability: NOTICE_KINDS.join_request.right, but: id }
    inBackground(c, 'live hints', hintCourse(c.env, db, code.courseId, { kind: 'notice' }, whom))
  }
  return joined
}
