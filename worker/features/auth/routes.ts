/** /auth: sign in, sign out, who am I, sign up many. */
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import * as z from 'zod'
import { batchSignupBody, loginBody, type Me } from '#contract/people/auth'
import { hexId } from '#contract/fields'
import type { AppEnv } from '../../env.ts'
import { changeOf } from '../../http/change.ts'
import { clientAgent, clientIp } from '../../http/client.ts'
import { deviceKeys, sendDeviceKey } from '../../http/device.ts'
import { AppError } from '../../http/errors.ts'
import { inBackground } from '../../http/background.ts'
import { endPages } from '../../http/live.ts'
import { ok } from '../../http/respond.ts'
import {
  areWritesLimited,
  demandFreshPassword,
  endSession,
  requireUser,
  requireUserOrTellNull,
  sendSessionCookie,
  type UserEnv,
} from '../../http/session.ts'
import { jsonBody, params } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { endSocketsOf, liveChannels } from '../../lib/live.ts'
import { getOwnOperation } from '../operations/queries.ts'
import { account } from './accounts/account-routes.ts'
import { mayBatchSignup } from './sign-up/batch-signup-guard.ts'
import { batchSignup } from './sign-up/batch-signup.ts'
import { signIn } from './sign-in.ts'

const open = new Hono<AppEnv>()
  .post('/auth/session', jsonBody(loginBody), async (c) => {
    const attempt = {
      ip: clientIp(c),
      agent: clientAgent(c),
      isLimited: areWritesLimited(c),
      now: nowSeconds(),
    }
    const browser = { oldToken: getCookie(c, 'session', 'host'), deviceKeys: deviceKeys(c) }
    const { db } = c.var
    const body = c.req.valid('json')
    const { token, account, replaced } = await signIn(db, body, attempt, browser)
    if (replaced) endPages(c, replaced.userId, replaced.tokenHash)
    sendSessionCookie(c, token, body.sharedComputer)
    sendDeviceKey(c, account)
    return ok(c, null, 'Login Success')
  })
  .on(['GET', 'DELETE'], '/auth/session', async (c) => {
    await endSession(c)
    return ok(c, null, 'Goodbye')
  })

const signedIn = new Hono<UserEnv>()
  .get('/auth/me', requireUserOrTellNull, (c) => {
    const { username, displayedName, bio, role, email, emailConfirmedAt } = c.var.user
    const emailConfirmed = emailConfirmedAt !== null
    const live = liveChannels(c.env) !== undefined
    return ok(c, { username, displayedName, bio, role, email, emailConfirmed, live } satisfies Me)
  })
  .post('/auth/batch-signup', requireUser, mayBatchSignup, jsonBody(batchSignupBody), async (c) => {
    const { courseId } = c.var
    const outcome = await batchSignup(c.env, c.req.valid('json'), courseId, changeOf(c), () =>
      demandFreshPassword(c),
    )
    if ('operation' in outcome) return ok(c, outcome.operation, 'Accepted', 202)
    inBackground(c, 'end of sockets', endSocketsOf(c.env, outcome.endedIds))
    return ok(c, outcome.result)
  })
  .get('/auth/batch-signup/:jobId', requireUser, params(z.object({ jobId: hexId })), async (c) => {
    const { jobId } = c.req.valid('param')
    const operation = await getOwnOperation(c.var.db, jobId, c.var.user.id)
    if (operation?.kind !== 'batch_signup') throw new AppError('job_not_found')
    if (operation.state === 'failed')
      throw new AppError('signup_failed', { error: operation.error })
    if (operation.state === 'done') return ok(c, operation.result)
    return ok(c, { jobId, done: operation.done, total: operation.total }, 'Accepted', 202)
  })

export const auth = new Hono<AppEnv>().route('/', open).route('/', signedIn).route('/', account)
