/** /auth: sign in, sign out, who am I, sign up many. */
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { batchSignupBody, loginBody, type Me } from '#contract/auth'
import { openDb } from '../../db/client.ts'
import type { AppEnv } from '../../env.ts'
import { clientAgent, clientIp } from '../../http/client.ts'
import { ok } from '../../http/respond.ts'
import { endSession, requireUser, sendSessionCookie, type UserEnv } from '../../http/session.ts'
import { jsonBody } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { account } from './account-routes.ts'
import { mayBatchSignup } from './batch-signup-guard.ts'
import { batchSignup } from './batch-signup.ts'
import { signIn } from './sign-in.ts'

const open = new Hono<AppEnv>()
  .post('/auth/session', jsonBody(loginBody), async (c) => {
    const origin = { ip: clientIp(c), agent: clientAgent(c), now: nowSeconds() }
    const token = await signIn(
      openDb(c.env.DB),
      c.req.valid('json'),
      origin,
      getCookie(c, 'session', 'host'),
    )
    sendSessionCookie(c, token)
    return ok(c, null, 'Login Success')
  })
  .on(['GET', 'DELETE'], '/auth/session', async (c) => {
    await endSession(c)
    return ok(c, null, 'Goodbye')
  })

const signedIn = new Hono<UserEnv>()
  .get('/auth/me', requireUser, (c) => {
    const { username, displayedName, bio, role, email } = c.var.user
    return ok(c, { username, displayedName, bio, role, email } satisfies Me)
  })
  .post('/auth/batch-signup', requireUser, mayBatchSignup, jsonBody(batchSignupBody), async (c) => {
    const result = await batchSignup(openDb(c.env.DB), c.var.user, c.req.valid('json'), {
      ip: clientIp(c),
      now: nowSeconds(),
    })
    return ok(c, result)
  })

export const auth = new Hono<AppEnv>().route('/', open).route('/', signedIn).route('/', account)
