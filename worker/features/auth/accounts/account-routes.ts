/** /auth: the caller's own account, and recovery. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import {
  activateBody,
  askEmailBody,
  changePasswordBody,
  checkEmailBody,
  checkUsernameBody,
  confirmEmailBody,
  confirmPasswordBody,
  moveEmailBody,
  recoveryBody,
  resetBody,
  type CheckResult,
} from '#contract/people/auth'
import { hexId } from '#contract/fields'
import type { AppEnv } from '../../../env.ts'
import { changeOf } from '../../../http/change.ts'
import { clientIp } from '../../../http/client.ts'
import { deviceKeys, sendDeviceKey } from '../../../http/device.ts'
import { AppError } from '../../../http/errors.ts'
import { endPages } from '../../../http/live.ts'
import { sendLater, originForLinks } from '../../../http/mail.ts'
import { demandTokens } from '../../../http/rate-limit.ts'
import { ok } from '../../../http/respond.ts'
import {
  demandFreshPassword,
  dropSessionCookie,
  requireUser,
  type UserEnv,
} from '../../../http/session.ts'
import { jsonBody, params } from '../../../http/validate.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { deleteOwnSession, checkAvailability, listSessions, type Visit } from './account-queries.ts'
import { changePassword, confirmPassword, startRecovery } from './account.ts'
import { askEmail, isMove } from './email.ts'
import { activateAccount, confirmEmail, moveEmail, resetPassword } from './mailed-links.ts'

/** Where an anonymous call comes from. */
function visitOf<E extends AppEnv>(c: Context<E>): Visit {
  return { ip: clientIp(c), now: nowSeconds() }
}

/** Answers whether something is free. */
async function sendCheck(c: Context<AppEnv>, what: { usernameKey: string } | { email: string }) {
  const { rates, isTaken } = await checkAvailability(c.var.db, what, clientIp(c), Date.now())
  demandTokens(rates)
  return ok(c, { valid: isTaken ? 0 : 1 } satisfies CheckResult)
}

const open = new Hono<AppEnv>()
  .post('/auth/check/username', jsonBody(checkUsernameBody), (c) =>
    sendCheck(c, { usernameKey: c.req.valid('json').username.toLowerCase() }),
  )
  .post('/auth/check/email', jsonBody(checkEmailBody), (c) =>
    sendCheck(c, { email: c.req.valid('json').email }),
  )
  .post('/auth/password-recovery', jsonBody(recoveryBody), async (c) => {
    const { email } = c.req.valid('json')
    const [db, origin] = [c.var.db, originForLinks(c.env)]
    const letter = await startRecovery(db, email, origin, deviceKeys(c), visitOf(c))
    if (letter) sendLater(c, letter)
    return ok(c, null, 'Email sent, please check your inbox.')
  })
  .post('/auth/password-reset', jsonBody(resetBody), async (c) => {
    const account = await resetPassword(c.var.db, c.req.valid('json'), visitOf(c))
    sendDeviceKey(c, account)
    endPages(c, account.id)
    return ok(c, null, 'Password Changed')
  })
  .post('/auth/activate', jsonBody(activateBody), async (c) => {
    sendDeviceKey(c, await activateAccount(c.var.db, c.req.valid('json'), visitOf(c)))
    return ok(c, null, 'Account Activated')
  })
  .post('/auth/email/confirm', jsonBody(confirmEmailBody), async (c) => {
    const { id } = await confirmEmail(c.var.db, c.req.valid('json'), visitOf(c))
    endPages(c, id)
    return ok(c, null)
  })

const own = new Hono<UserEnv>()
  .get('/auth/sessions', requireUser, async (c) => {
    const { user, sessionHash } = c.var
    return ok(c, await listSessions(c.var.db, user.id, sessionHash, nowSeconds()))
  })
  .delete('/auth/sessions/:id', requireUser, params(z.object({ id: hexId })), async (c) => {
    const { id } = c.req.valid('param')
    const ended = await deleteOwnSession(c.var.db, id, changeOf(c))
    if (ended === undefined) throw new AppError('session_not_found')
    endPages(c, c.var.user.id, ended)
    if (c.var.sessionHash?.startsWith(id)) dropSessionCookie(c)
    return ok(c, null)
  })
  .post('/auth/confirm-password', requireUser, jsonBody(confirmPasswordBody), async (c) => {
    const { sessionHash } = c.var
    // API tokens do not come this far: no scope allows it.
    if (sessionHash === null) throw new AppError('token_scope', { scope: null })
    await confirmPassword(c.var.db, c.req.valid('json'), sessionHash, changeOf(c))
    return ok(c, null)
  })
  .post('/auth/email', requireUser, jsonBody(askEmailBody), async (c) => {
    const body = c.req.valid('json')
    if (isMove(body, c.var.user.email)) demandFreshPassword(c)
    const letter = await askEmail(c.var.db, body, originForLinks(c.env), changeOf(c))
    sendLater(c, letter)
    return ok(c, null, 'Email sent, please check your inbox.')
  })
  .post('/auth/email/move', requireUser, jsonBody(moveEmailBody), async (c) => {
    const { db } = c.var
    const letter = await moveEmail(db, c.req.valid('json'), c.var.user.id, visitOf(c))
    if (letter) sendLater(c, letter)
    endPages(c, c.var.user.id)
    return ok(c, null)
  })
  .post('/auth/change-password', requireUser, jsonBody(changePasswordBody), async (c) => {
    const account = await changePassword(c.var.db, c.req.valid('json'), changeOf(c))
    dropSessionCookie(c)
    endPages(c, account.id)
    sendDeviceKey(c, account)
    return ok(c, null, 'Password Changed')
  })

export const account = new Hono<AppEnv>().route('/', open).route('/', own)
