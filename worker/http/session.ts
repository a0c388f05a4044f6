/**
 * Who is calling: a browser with a session cookie, whose SHA-256 is stored, or a program with a personal API token, within its
 * scopes. Session and token are looked up at every call, so a revoked one stops working at once.
 */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { rateOf, scopeOf } from '#contract/calls'
import { SESSION_SECONDS } from '../db/lifetimes.ts'
import {
  deleteSession,
  findSessionUser,
  findTokenUser,
  touchSession,
  touchToken,
  type SessionUser,
} from '../db/sessions.ts'
import type { AppEnv } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import { sha256Hex } from '../lib/ids.ts'
import { demandGuestRate, demandRate } from './call-rate.ts'
import { bearerToken } from './client.ts'
import { AppError } from './errors.ts'
import { endPages } from './live.ts'
import { ok } from './respond.ts'

/** The fewest seconds between two updates of the last use of a session or token. */
const TOUCH_SECONDS = 300

/**
 * Environment of routes behind `requireUser`. `sessionHash` is null for a call with an API token.
 * `confirmedAt`: when the password was last typed in this session.
 */
export interface UserEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    user: SessionUser
    sessionHash: string | null
    confirmedAt: number | null
  }
}

/** The session cookie's value. A call with a bearer token never counts as the browser's. */
function sessionToken(c: Context): string | undefined {
  return bearerToken(c) === null ? getCookie(c, 'session', 'host') : undefined
}

/** The owner of an API token whose scopes cover this call. */
async function userOfToken(c: Context<UserEnv>, token: string, now: number): Promise<SessionUser> {
  const { db } = c.var
  const tokenHash = await sha256Hex(token)
  const found = await findTokenUser(db, tokenHash, now)
  if (!found) throw await unknown(c, 'bad_token')
  await countCall(c, found.user)
  const scope = scopeOf(c.var.call)
  if (scope === null || !found.scopes.includes(scope)) throw new AppError('token_scope', { scope })
  if (now - (found.lastUsedAt ?? 0) > TOUCH_SECONDS)
    c.executionCtx.waitUntil(touchToken(db, tokenHash, now))
  return found.user
}

/** A live session and its person. */
async function openSession(c: Context<UserEnv>, tokenHash: string, now: number) {
  const { db } = c.var
  const found = await findSessionUser(db, tokenHash, now)
  if (!found) throw await unknown(c, 'not_signed_in')
  await countCall(c, found.user)
  if (now - found.lastSeenAt > TOUCH_SECONDS)
    c.executionCtx.waitUntil(touchSession(db, tokenHash, now))
  return found
}

/** Counts a call of a person. */
function countCall(c: Context<UserEnv>, { id }: SessionUser): Promise<void> {
  return demandRate(c, rateOf(c.var.call), `user:${id}`)
}

/** The refusal of an unknown caller, after the call is counted as a guest's. */
async function unknown(c: Context<UserEnv>, code: 'bad_token' | 'not_signed_in') {
  await demandGuestRate(c)
  return new AppError(code)
}

/** Lets signed-in callers through, as `c.var.user`. Refuses everyone else with 401, and those who call too often with 429. */
export const requireUser = createMiddleware<UserEnv>(async (c, next) => {
  await identifyCaller(c)
  await next()
})

/** Whether somebody has not confirmed their e-mail in time, so that their account waits. */
export function isOverdue({ emailConfirmedAt, confirmDueAt }: SessionUser, now: number): boolean {
  return emailConfirmedAt === null && confirmDueAt !== null && confirmDueAt <= now
}

/** Puts the caller at `c.var.user`. */
async function identifyCaller(c: Context<UserEnv>): Promise<void> {
  const now = nowSeconds()
  const apiToken = bearerToken(c)
  const cookie = sessionToken(c)
  if (apiToken !== null) {
    c.set('user', await userOfToken(c, apiToken, now))
    c.set('sessionHash', null)
    c.set('confirmedAt', null)
  } else if (cookie !== undefined) {
    const tokenHash = await sha256Hex(cookie)
    const { user, confirmedAt } = await openSession(c, tokenHash, now)
    c.set('user', user)
    c.set('sessionHash', tokenHash)
    c.set('confirmedAt', confirmedAt)
  } else throw await unknown(c, 'not_signed_in')
  if (isOverdue(c.var.user, now) && !c.var.call.unconfirmed)
    throw new AppError('confirm_email_first')
}

/** The hash of the browser's session cookie, for calls that guests make, too; null without a cookie. */
export async function sessionHashOf(c: Context): Promise<string | null> {
  const token = sessionToken(c)
  return token === undefined ? null : sha256Hex(token)
}

/**
 * As `requireUser`, but with `Prefer: handling=lenient` (RFC 7240) the answer is `null` instead of a 401. Browsers log every
 * refused call as an error, but a page that asks whether anybody is signed in has made no error.
 */
export const requireUserOrTellNull = createMiddleware<UserEnv>(async (c, next) => {
  try {
    await identifyCaller(c)
  } catch (error) {
    const isGuest = error instanceof AppError && error.code === 'not_signed_in'
    if (!isGuest || c.req.header('Prefer') !== 'handling=lenient') throw error
    return ok(c, null)
  }
  await next()
})

/**
 * Refuses unless the password was typed in this session lately, and always for API tokens: a stranger at an open browser must not
 * make an API token, add a judge host, change an e-mail address, give a role or erase a person. For handlers that decide by the
 * body.
 */
export function demandFreshPassword<E extends UserEnv>(c: Context<E>): void {
  if (c.get('sessionHash') === null) throw new AppError('token_scope', { scope: null })
  const confirmedAt = c.get('confirmedAt') ?? 0
  if (nowSeconds() - confirmedAt > SESSION_SECONDS.confirmed)
    throw new AppError('password_required')
}

/** Sets the session cookie. @param isShared on a shared computer: the browser forgets the cookie when it is closed */
export function sendSessionCookie(c: Context, token: string, isShared: boolean): void {
  setCookie(c, 'session', token, {
    prefix: 'host',
    httpOnly: true,
    sameSite: 'Lax',
    ...(!isShared && { maxAge: SESSION_SECONDS.absolute }),
  })
}

/** Removes the session cookie, and what the browser has cached in that session. */
export function dropSessionCookie(c: Context): void {
  if (sessionToken(c) !== undefined) c.header('Clear-Site-Data', '"cache"')
  deleteCookie(c, 'session', { prefix: 'host', secure: true, path: '/' })
}

/** Ends the browser's session, in the database and in the browser. */
export async function endSession(c: Context<AppEnv>): Promise<void> {
  const token = sessionToken(c)
  if (token !== undefined) {
    const hash = await sha256Hex(token)
    const userId = await deleteSession(c.var.db, hash)
    if (userId !== undefined) endPages(c, userId, hash)
  }
  dropSessionCookie(c)
}
