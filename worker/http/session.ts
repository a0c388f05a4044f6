/** Sessions: a random cookie whose SHA-256 is a row (contract §1). */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { SESSION_SECONDS } from '#contract/limits'
import { openDb } from '../db/client.ts'
import { deleteSession, findSessionUser, touchSession, type SessionUser } from '../db/sessions.ts'
import type { AppEnv } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import { sha256Hex } from '../lib/ids.ts'
import { bearerToken } from './client.ts'
import { AppError } from './errors.ts'

/** A session's last call is noted at most this often, in seconds. */
const TOUCH_SECONDS = 300

/** Environment of routes behind `requireUser`. */
export interface UserEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { user: SessionUser }
}

/** The cookie's value; a call with a bearer token never counts as the browser's session. */
function sessionToken(c: Context): string | undefined {
  return bearerToken(c) === null ? getCookie(c, 'session', 'host') : undefined
}

/** Lets signed-in people through and puts them at `c.var.user`; 401 for everyone else. */
export const requireUser = createMiddleware<UserEnv>(async (c, next) => {
  const token = sessionToken(c)
  if (token === undefined) throw new AppError('not_signed_in')
  const db = openDb(c.env.DB)
  const now = nowSeconds()
  const tokenHash = await sha256Hex(token)
  const found = await findSessionUser(db, tokenHash, now)
  if (!found) throw new AppError('not_signed_in')
  if (now - found.lastSeenAt > TOUCH_SECONDS)
    c.executionCtx.waitUntil(touchSession(db, tokenHash, now))
  c.set('user', found.user)
  await next()
})

/** Gives the browser its session cookie. */
export function sendSessionCookie(c: Context, token: string): void {
  setCookie(c, 'session', token, {
    prefix: 'host',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: SESSION_SECONDS.absolute,
  })
}

/** Ends the browser's session, in the database and in the browser. */
export async function endSession(c: Context<AppEnv>): Promise<void> {
  const token = sessionToken(c)
  if (token !== undefined) await deleteSession(openDb(c.env.DB), await sha256Hex(token))
  deleteCookie(c, 'session', { prefix: 'host', secure: true, path: '/' })
}
