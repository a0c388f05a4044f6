/** Guards of the judge hosts' calls: a runner's token, or the registration token for the first call. */
import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../env.ts'
import { bearerToken } from '../../http/client.ts'
import { AppError } from '../../http/errors.ts'
import { sha256Hex } from '../../lib/ids.ts'
import { findRunner, type RunnerRow } from './runner-queries.ts'

/** Environment of routes behind `requireRunner`. */
export interface RunnerEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { runner: RunnerRow }
}

/** Lets registered runners through and puts the runner at `c.var.runner`. */
export const requireRunner = createMiddleware<RunnerEnv>(async (c, next) => {
  const token = bearerToken(c)
  const runner = token === null ? undefined : await findRunner(c.var.db, await sha256Hex(token))
  if (!runner) throw new AppError('bad_token')
  c.set('runner', runner)
  await next()
})

/** Lets callers with the registration token through; nobody when none is set. Compares in constant time. */
export const requireRegistrationToken = createMiddleware<AppEnv>(async (c, next) => {
  const expected = c.env.RUNNER_REGISTRATION_TOKEN
  const given = bearerToken(c)
  if (!expected || given === null) throw new AppError('bad_token')
  const [left, right] = await Promise.all([sha256Hex(expected), sha256Hex(given)])
  if (!timingSafeEqual(Buffer.from(left), Buffer.from(right))) throw new AppError('bad_token')
  await next()
})
