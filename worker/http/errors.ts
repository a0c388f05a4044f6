/** Errors: throw an `AppError` anywhere, `onError` serialises it. */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import {
  ERRORS,
  RESTORING_MESSAGE,
  type ErrorCode,
  type ErrorEnvelope,
  type FieldError,
} from '#contract/errors'
import type { SettingFault } from '#contract/installation/settings'
import { insertAudit } from '../db/audit.ts'
import { takeToken, wasAllowed } from '../db/rate-limits.ts'
import { Refusal } from '../db/refusal.ts'
import { countError } from '../db/vitals.ts'
import { safeError } from '../db/safe-error.ts'
import type { AppEnv } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import { inBackground } from './background.ts'
import { clientAgent, clientIp } from './client.ts'

/** Audit entries about one person's refusals at one route: repeated calls do not fill the log. */
const NOTED_REFUSALS = { burst: 1, intervalMs: 60_000 } as const

/** A refusal that the Worker's own code throws. */
export class AppError extends Refusal {
  readonly headers: Record<string, string>

  /** @param headers e.g. `Retry-After` */
  constructor(code: ErrorCode, data: unknown = null, headers: Record<string, string> = {}) {
    super(code, data)
    this.headers = headers
  }
}

/** A refusal of one field, for faults that no schema can see. */
export function fieldRefused(path: FieldError['path'], code: string, message: string): AppError {
  return new AppError('bad_body', [{ path, code, message }] satisfies FieldError[])
}

/** A refusal for want of settings. The message names the fixes, for people who read it in a log. */
export function notConfigured(faults: SettingFault[]): AppError {
  const error = new AppError('not_configured', faults)
  error.message = [error.message, ...faults.map(({ fix }) => fix)].join(' ')
  return error
}

/** How long a caller should wait before trying again during a restore. */
const RESTORING_SECONDS = 60

/** Sends the envelope of an error. */
function sendError(
  c: Context<AppEnv>,
  code: ErrorCode,
  data: unknown,
  message: string = ERRORS[code][1],
): Response {
  const [status] = ERRORS[code]
  return c.json({ status: 'err', code, message, data } satisfies ErrorEnvelope, status)
}

/** Refusals about a person's rights; they go into the audit log. */
const DENIALS = new Set<ErrorCode>(['forbidden', 'token_scope', 'teacher_is_student'])

/**
 * Records the refusal of a signed-in person, at most once a minute per route: the audit log is kept for ever, and repeated calls
 * must not fill it. A fault in recording must not change the answer.
 */
function recordDenial(c: Context<AppEnv>, code: ErrorCode): void {
  const user = c.get('user')
  if (user === undefined || !DENIALS.has(code)) return
  const entry = {
    action: 'access.refuse',
    subject: `${c.req.method} ${c.req.path}`.slice(0, 256),
    detail: { code, agent: clientAgent(c) },
  }
  const origin = { actor: user, ip: clientIp(c), now: nowSeconds() }
  const { db } = c.var
  const key = `denial:${user.id}:${code}:${c.req.method} ${routePath(c)}`
  inBackground(
    c,
    entry.action,
    db.batch([
      takeToken(db, key, NOTED_REFUSALS, Date.now()),
      insertAudit(db, origin, { ...entry, when: wasAllowed(key) }),
    ]),
  )
}

/** Turns any thrown error into the envelope. A fault in the Worker is logged; the answer holds only its request id. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof Refusal) {
    const headers = error instanceof AppError ? error.headers : {}
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    recordDenial(c, error.code)
    return sendError(c, error.code, error.data, error.message)
  }
  const text = safeError(error)
  if (text.includes(RESTORING_MESSAGE)) {
    c.header('Retry-After', String(RESTORING_SECONDS))
    return sendError(c, 'restoring', null)
  }
  const requestId = c.get('requestId')
  console.error(
    JSON.stringify({
      requestId,
      method: c.req.method,
      path: c.req.path,
      error: text,
    }),
  )
  inBackground(c, 'count', countError(c.get('db'), 'api_errors'))
  return sendError(c, 'internal', { requestId })
}

/** The answer for an unknown path. */
export function notFound(c: Context<AppEnv>): Response {
  return sendError(c, 'not_found', null)
}
