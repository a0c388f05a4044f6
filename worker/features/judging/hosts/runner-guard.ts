/** Guards of the judge hosts' calls: a runner's token, or the registration token for the first call. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { settingFaults } from '#contract/installation/settings'
import type { AppEnv } from '../../../env.ts'
import { demandGuestRate, demandRate } from '../../../http/call-rate.ts'
import { bearerToken } from '../../../http/client.ts'
import { AppError, notConfigured } from '../../../http/errors.ts'
import { isSecret, sha256Hex } from '../../../lib/ids.ts'
import { selectLease, type LeaseRow } from '../lease/lease-queries.ts'
import { lastRunnerOfRun } from '../result/run-result-queries.ts'
import { selectRunner, type RunnerRow } from './runner-queries.ts'

/** Environment of routes behind `requireRunner`. */
export interface RunnerEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { runner: RunnerRow }
}

/** Environment of routes behind `requireRunnerWithLease`. `leaseRow`: of the judgement in the path, if there is one. */
export interface LeaseEnv extends RunnerEnv {
  Variables: RunnerEnv['Variables'] & { leaseRow: LeaseRow | undefined }
}

/** Puts the runner at `c.var.runner` and counts its call, or that of somebody unknown. */
async function identify<E extends RunnerEnv>(c: Context<E>, runner?: RunnerRow): Promise<void> {
  if (!runner) {
    await demandGuestRate(c)
    throw new AppError('bad_token')
  }
  await demandRate(c, 'host', `host:${runner.id}`)
  c.set('runner', runner)
}

/** The hash of the token that a caller sends. */
async function tokenHashOf(c: Context): Promise<string> {
  const token = bearerToken(c)
  if (token === null) throw new AppError('bad_token')
  return sha256Hex(token)
}

/** Lets registered runners through and puts the runner at `c.var.runner`. */
export const requireRunner = createMiddleware<RunnerEnv>(async (c, next) => {
  await identify(c, await selectRunner(c.var.db, await tokenHashOf(c)).get())
  await next()
})

/** As `requireRunner`, and puts the lease of the judgement in the path at `c.var.leaseRow` in the same round trip. */
export const requireRunnerWithLease = createMiddleware<LeaseEnv>(async (c, next) => {
  await lookUpLease(c)
  await next()
})

/** As `requireRunnerWithLease`, for hosts that had the job in the path last, before its result is read. */
export const requireLastRunner = createMiddleware<LeaseEnv>(async (c, next) => {
  await lookUpLease(c)
  const { db, leaseRow, runner } = c.var
  const lastRunnerId = leaseRow
    ? leaseRow.runnerId
    : await lastRunnerOfRun(db, c.req.param('id') ?? '')
  if (lastRunnerId !== runner.id) throw new AppError('stale_lease')
  await next()
})

/** Puts the runner and the lease of the judgement in the path at `c.var`. */
async function lookUpLease(c: Context<LeaseEnv>): Promise<void> {
  const { db } = c.var
  const [[runner], [leaseRow]] = await db.batch([
    selectRunner(db, await tokenHashOf(c)),
    selectLease(db, c.req.param('id') ?? ''),
  ])
  await identify(c, runner)
  c.set('leaseRow', leaseRow)
}

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
