/** /auth: the caller's own account, and recovery. */
import type { Context } from 'hono'
import type { CheckResult } from '#contract/people/auth'
import type { AppEnv } from '../../../env.ts'
import { changeOf } from '../../../http/change.ts'
import { clientIp } from '../../../http/client.ts'
import { deviceKeys, sendDeviceKey } from '../../../http/device.ts'
import { AppError } from '../../../http/errors.ts'
import { endPages } from '../../../http/live.ts'
import { sendLater, originForLinks } from '../../../http/mail.ts'
import { demandTokens } from '../../../http/rate-limit.ts'
import { ok } from '../../../http/respond.ts'
import { route } from '../../../http/route.ts'
import { demandFreshPassword, dropSessionCookie, sessionHashOf } from '../../../http/session.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { deleteOwnSession, checkAvailability, listSessions, type Visit } from './account-queries.ts'
import { changePassword, confirmPassword, startRecovery } from './account.ts'
import { askEmail, isMove } from './email.ts'
import { activateAccount, confirmEmail, moveEmail, resetPassword } from './mailed-links.ts'

/** The IP address and the time of an anonymous call. */
function visitOf<E extends AppEnv>(c: Context<E>): Visit {
  return { ip: clientIp(c), now: nowSeconds() }
}

/** Answers whether a username or an e-mail address is free. */
async function checkFree(
  c: Context<AppEnv>,
  what: { usernameKey: string } | { email: string },
): Promise<CheckResult> {
  const { rates, isTaken } = await checkAvailability(c.var.db, what, clientIp(c), Date.now())
  demandTokens(rates)
  return { valid: isTaken ? 0 : 1 }
}

export const account = [
  route('POST /auth/check/username', (c, { body }) =>
    checkFree(c, { usernameKey: body.username.toLowerCase() }),
  ),
  route('POST /auth/check/email', (c, { body }) => checkFree(c, { email: body.email })),
  route('POST /auth/password-recovery', async (c, { body }) => {
    const [db, origin] = [c.var.db, originForLinks(c.env)]
    const letter = await startRecovery(db, body.email, origin, deviceKeys(c), visitOf(c))
    if (letter) sendLater(c, letter)
    return ok(c, null, 'Email sent, please check your inbox.')
  }),
  route('POST /auth/password-reset', async (c, { body }) => {
    const account = await resetPassword(c.var.db, body, visitOf(c))
    sendDeviceKey(c, account)
    endPages(c, account.id)
    return ok(c, null, 'Password Changed')
  }),
  route('POST /auth/activate', async (c, { body }) => {
    sendDeviceKey(c, await activateAccount(c.var.db, body, visitOf(c)))
    return ok(c, null, 'Account Activated')
  }),
  route('POST /auth/email/confirm', async (c, { body }) => {
    const { id } = await confirmEmail(c.var.db, body, await sessionHashOf(c), visitOf(c))
    if (body.newPassword !== undefined) endPages(c, id)
  }),
  route('GET /auth/sessions', (c) => {
    const { db, user, sessionHash } = c.var
    return listSessions(db, user.id, sessionHash, nowSeconds())
  }),
  route('DELETE /auth/sessions/:id', async (c, { params: { id } }) => {
    const ended = await deleteOwnSession(c.var.db, id, changeOf(c))
    if (ended === undefined) throw new AppError('session_not_found')
    endPages(c, c.var.user.id, ended)
    if (c.var.sessionHash?.startsWith(id)) dropSessionCookie(c)
  }),
  route('POST /auth/confirm-password', (c, { body }) => {
    const { sessionHash } = c.var
    // API tokens never get here: no scope allows this call.
    if (sessionHash === null) throw new AppError('token_scope', { scope: null })
    return confirmPassword(c.var.db, body, sessionHash, changeOf(c))
  }),
  route('POST /auth/email', async (c, { body }) => {
    if (isMove(body, c.var.user.email)) demandFreshPassword(c)
    sendLater(c, await askEmail(c.var.db, body, originForLinks(c.env), changeOf(c)))
    return ok(c, null, 'Email sent, please check your inbox.')
  }),
  route('POST /auth/email/move', async (c, { body }) => {
    const letter = await moveEmail(c.var.db, body, c.var.sessionHash, visitOf(c))
    if (letter) sendLater(c, letter)
    endPages(c, c.var.user.id)
  }),
  route('POST /auth/change-password', async (c, { body }) => {
    const account = await changePassword(c.var.db, body, changeOf(c))
    dropSessionCookie(c)
    endPages(c, account.id)
    sendDeviceKey(c, account)
    return ok(c, null, 'Password Changed')
  }),
]
