/**
 * Who is calling: a browser with a session cookie, whose SHA-256 is a row, or a program with a personal API
 * token, within its scopes. Both are looked up at every call, so a revoked one ends at once.
 */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { countsAsWrite, isOneOfFew, isWrite, scopeOf } from '#contract/calls'
import type { Db } from '../db/client.ts'
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
import { CONCURRENCY, limitConcurrency } from '../lib/concurrency.ts'
import { sha256Hex } from '../lib/ids.ts'
import { bearerToken } from './client.ts'
import { AppError } from './errors.ts'
import { limitCallerConcurrency } from './caller-concurrency.ts'
import { endPages } from './live.ts'
import { demandTokens, orRetryLater } from './rate-limit.ts'
import { ok } from './respond.ts'

/** Least seconds between two updates of a session's or token's last use. */
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

/** Whether writes are counted per person. Benchmarks turn it off; how many are at work at once stays limited. */
export function areWritesLimited(c: Context): boolean {
  return c.env.SUBMIT_LIMIT_PER_MINUTE !== '0'
}

/** Whether a call counts against its person's limit for writes. */
function isWriting<E extends AppEnv>(c: Context<E>): boolean {
  return countsAsWrite(c.get('call')) && areWritesLimited(c)
}

/** The owner of an API token whose scopes cover this call. */
async function userOfToken(
  c: Context<UserEnv>,
  db: Db,
  token: string,
  now: number,
  counts: boolean,
): Promise<SessionUser> {
  const tokenHash = await sha256Hex(token)
  const found = await findTokenUser(db, tokenHash, now, counts)
  if (!found) throw new AppError('bad_token')
  demandTokens(found.rates)
  const scope = scopeOf(c.var.call)
  if (scope === null || !found.scopes.includes(scope)) throw new AppError('token_scope', { scope })
  if (now - (found.lastUsedAt ?? 0) > TOUCH_SECONDS)
    c.executionCtx.waitUntil(touchToken(db, tokenHash, now))
  return found.user
}

/** A live session and its person. */
async function openSession(c: Context, db: Db, tokenHash: string, now: number, counts: boolean) {
  const found = await findSessionUser(db, tokenHash, now, counts)
  if (!found) throw new AppError('not_signed_in')
  demandTokens(found.rates)
  if (now - found.lastSeenAt > TOUCH_SECONDS)
    c.executionCtx.waitUntil(touchSession(db, tokenHash, now))
  return found
}

/** Puts the caller at `c.var.user`. @param counts whether the call counts against the person's limit for writes */
async function identifyCaller(c: Context<UserEnv>, counts = isWriting(c)): Promise<void> {
  const { db } = c.var
  const now = nowSeconds()
  const apiToken = bearerToken(c)
  const cookie = sessionToken(c)
  if (apiToken !== null) {
    c.set('user', await userOfToken(c, db, apiToken, now, counts))
    c.set('sessionHash', null)
    c.set('confirmedAt', null)
  } else if (cookie !== undefined) {
    const tokenHash = await sha256Hex(cookie)
    const { user, confirmedAt } = await openSession(c, db, tokenHash, now, counts)
    c.set('user', user)
    c.set('sessionHash', tokenHash)
    c.set('confirmedAt', confirmedAt)
  } else throw new AppError('not_signed_in')
}

/**
 * Does the rest of the call once few enough of the person's calls are before it: of those that write, or of the reads that look
 * through much. Who had to wait is looked up again.
 */
async function limitPersonConcurrency(
  c: Context<UserEnv>,
  next: () => Promise<void>,
): Promise<void> {
  const arrivedMs = Date.now()
  const work = async () => {
    if (Date.now() - arrivedMs >= CONCURRENCY.pollMs) await identifyCaller(c, false)
    await next()
  }
  const { id } = c.var.user
  if (isWrite(c.var.call)) return limitCallerConcurrency(c, `user:${id}`, work)
  const toItsEnd = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Who leaves a page hangs up. A read that the platform cut off then would keep its place.
    c.executionCtx.waitUntil(promise)
    return work().finally(resolve)
  }
  await orRetryLater(() => limitConcurrency(`reads:${id}`, toItsEnd, CONCURRENCY.readsPerPerson))
}

/**
 * Lets signed-in callers through and puts them at `c.var.user`. Refuses everyone else with 401. What writes or looks through much
 * waits while too much of its caller is at work: for the look-up by the credential, then by the person.
 */
export const requireUser = createMiddleware<UserEnv>(async (c, next) => {
  const secret = bearerToken(c) ?? sessionToken(c)
  if (secret === undefined || !isOneOfFew(c.var.call)) {
    await identifyCaller(c)
    return next()
  }
  const caller = await sha256Hex(secret)
  await orRetryLater(() => limitConcurrency(caller, () => identifyCaller(c)))
  await limitPersonConcurrency(c, next)
})

/**
 * As `requireUser`, but with `Prefer: handling=lenient` (RFC 7240) the answer is `null` instead of a 401.
 * Browsers log every refused call as an error, and a page that asks whether anybody is signed in has made
 * none.
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
 * Refuses unless the password was typed in this session lately, and always for API tokens. It protects what
 * a stranger at an open browser must not do: make an API token, add a judge host, change an e-mail address, give a role, erase a
 * person. For handlers that decide by the body.
 */
export function demandFreshPassword<E extends UserEnv>(c: Context<E>): void {
  if (c.get('sessionHash') === null) throw new AppError('token_scope', { scope: null })
  const confirmedAt = c.get('confirmedAt') ?? 0
  if (nowSeconds() - confirmedAt > SESSION_SECONDS.confirmed)
    throw new AppError('password_required')
}

/** Sets the session cookie. @param isShared on a shared computer: the browser forgets it when it is closed */
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
