/** Guards of the judge hosts' calls: a runner's token, or the registration token for the first call. */
import { createMiddleware } from 'hono/factory'
import { settingFaults } from '#contract/settings'
import type { AppEnv } from '../../env.ts'
import { bearerToken } from '../../http/client.ts'
import { AppError, notConfigured } from '../../http/errors.ts'
import { isSecret, sha256Hex } from '../../lib/ids.ts'
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

/** Lets callers with the registration token through, or with the one before, so that it can be rotated. */
export const requireRegistrationToken = createMiddleware<AppEnv>(async (c, next) => {
  const { RUNNER_REGISTRATION_TOKEN: present, RUNNER_REGISTRATION_TOKEN_PREVIOUS: previous } = c.env
  if (!present)
    throw notConfigured(
      settingFaults(c.env, ['RUNNER_REGISTRATION_TOKEN'], ['RUNNER_REGISTRATION_TOKEN']),
    )
  if (!(await isSecret(bearerToken(c), present, previous))) throw new AppError('bad_token')
  await next()
})
