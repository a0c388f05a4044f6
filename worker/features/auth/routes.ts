/** /auth: sign in, sign out, who am I, sign up many; and new accounts by a course’s code. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { AppEnv } from '../../env.ts'
import { inBackground } from '../../http/background.ts'
import { demandRate } from '../../http/call-rate.ts'
import { changeOf } from '../../http/change.ts'
import { clientAgent, clientIp } from '../../http/client.ts'
import { deviceKeys, sendDeviceKey } from '../../http/device.ts'
import { endPages } from '../../http/live.ts'
import { ok } from '../../http/respond.ts'
import { route } from '../../http/route.ts'
import {
  demandFreshPassword,
  endSession,
  isOverdue,
  sendSessionCookie,
} from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { endSocketsOf, liveChannels } from '../../lib/live.ts'
import { account } from './accounts/account-routes.ts'
import { guardSignup } from './sign-up/batch-signup-guard.ts'
import { batchSignup } from './sign-up/batch-signup.ts'
import { joinWithAccount } from './sign-up/join-account.ts'
import { signIn } from './sign-in.ts'

/** Ends the session. */
async function signOut(c: Context<AppEnv>): Promise<Response> {
  await endSession(c)
  return ok(c, null, 'Goodbye')
}

export const auth = [
  route('POST /auth/session', async (c, { body }) => {
    const attempt = { ip: clientIp(c), agent: clientAgent(c), now: nowSeconds() }
    const browser = { oldToken: getCookie(c, 'session', 'host'), deviceKeys: deviceKeys(c) }
    const { token, account, replaced } = await signIn(c.var.db, body, attempt, browser, (userId) =>
      demandRate(c, 'write', `user:${userId}`),
    )
    if (replaced) endPages(c, replaced.userId, replaced.tokenHash)
    sendSessionCookie(c, token, body.sharedComputer)
    sendDeviceKey(c, account)
    return ok(c, null, 'Login Success')
  }),
  route('GET /auth/session', signOut),
  route('DELETE /auth/session', signOut),
  route('GET /auth/me', (c) => {
    const { username, displayedName, bio, role, email, emailConfirmedAt, confirmDueAt } = c.var.user
    const emailConfirmed = emailConfirmedAt !== null
    const confirmBy = emailConfirmed ? undefined : (confirmDueAt ?? undefined)
    // A page must not ask for hints that it is refused: browsers log every refusal.
    const live = liveChannels(c.env) !== undefined && !isOverdue(c.var.user, nowSeconds())
    return { username, displayedName, bio, role, email, emailConfirmed, confirmBy, live }
  }),
  route('POST /auth/batch-signup', guardSignup, async (c, { body }) => {
    const demandFresh = () => demandFreshPassword(c)
    const { result, endedIds } = await batchSignup(c.env, body, changeOf(c), demandFresh)
    inBackground(c, 'end of sockets', endSocketsOf(c.env, endedIds))
    return result
  }),
  route('POST /join/account', (c, { body }) => joinWithAccount(c, body)),
  ...account,
]
