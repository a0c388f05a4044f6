/** Throw once, serialise once: `AppError` anywhere, one `onError` here. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { ERRORS, type ErrorCode, type ErrorEnvelope, type FieldError } from '#contract/errors'
import { RATE_LIMITS } from '#contract/limits'
import { insertAudit } from '../db/audit.ts'
import { openDb } from '../db/client.ts'
import { takeToken, wasAllowed } from '../db/rate-limits.ts'
import { safeError } from '../db/safe-error.ts'
import type { AppEnv } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import { inBackground } from './background.ts'
import { clientAgent, clientIp } from './client.ts'

/** A refusal the contract knows. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly data: unknown
  readonly headers: Record<string, string>

  /**
   * @param code key of `ERRORS`; gives status and message
   * @param data for the envelope: `FieldError[]` for refused fields, else what the code documents
   * @param headers e.g. `Retry-After`
   */
  constructor(code: ErrorCode, data: unknown = null, headers: Record<string, string> = {}) {
    super(ERRORS[code][1])
    this.name = 'AppError'
    this.code = code
    this.data = data
    this.headers = headers
  }
}

/** A refused body or query whose fault no schema can see. */
export function fieldRefused(path: FieldError['path'], code: string, message: string): AppError {
  return new AppError('bad_body', [{ path, code, message }] satisfies FieldError[])
}

/** Sends the envelope of an error. */
function sendError(c: Context<AppEnv>, code: ErrorCode, data: unknown): Response {
  const [status, message] = ERRORS[code]
  return c.json({ status: 'err', code, message, data } satisfies ErrorEnvelope, status)
}

/** Refusals that are about a person's rights; the audit log keeps them. */
const DENIALS = new Set<ErrorCode>(['forbidden', 'token_scope', 'teacher_is_student'])

/**
 * Notes that somebody signed in was refused, once a minute at one route: the log is kept for ever, and nobody shall
 * fill it by knocking. A fault in that must not change the answer.
 */
function recordDenial(c: Context<AppEnv>, code: ErrorCode): void {
  const user = c.get('user')
  if (user === undefined || !DENIALS.has(code)) return
  const entry = {
    actorId: user.id,
    action: 'access.refuse',
    subject: `${c.req.method} ${c.req.path}`.slice(0, 256),
    detail: { code, agent: clientAgent(c) },
    ip: clientIp(c),
    now: nowSeconds(),
  }
  const db = openDb(c.env.DB)
  const key = `denial:${user.id}:${code}:${c.req.method} ${routePath(c)}`
  inBackground(
    c,
    entry.action,
    db.batch([
      takeToken(db, key, RATE_LIMITS.denialPerUserAndRoute, Date.now()),
      insertAudit(db, entry, wasAllowed(key)),
    ]),
  )
}

/** Turns whatever was thrown into the envelope; a fault of ours is logged and answers an id, no internals. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof AppError) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    recordDenial(c, error.code)
    return sendError(c, error.code, error.data)
  }
  // Hono's own validators throw this for a body that is no JSON or no form.
  if (error instanceof HTTPException && error.status === 400) return sendError(c, 'bad_json', null)
  const requestId = c.get('requestId')
  console.error(
    JSON.stringify({
      requestId,
      method: c.req.method,
      path: c.req.path,
      error: safeError(error),
    }),
  )
  return sendError(c, 'internal', { requestId })
}

/** The answer for a path nobody serves. */
export function notFound(c: Context<AppEnv>): Response {
  return sendError(c, 'not_found', null)
}
