/** Guards of the judge hosts' calls: a runner's token, or the registration token for the first call. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { settingFaults } from '#contract/installation/settings'
import type { AppEnv } from '../../../env.ts'
import { bearerToken } from '../../../http/client.ts'
import { AppError, notConfigured } from '../../../http/errors.ts'
import { limitCallerConcurrency } from '../../../http/caller-concurrency.ts'
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

/** Puts the runner at `c.var.runner`. */
function identify<E extends RunnerEnv>(c: Context<E>, runner: RunnerRow | undefined): void {
  if (!runner) throw new AppError('bad_token')
  c.set('runner', runner)
}

/** The hash of the token that a caller sends. */
async function tokenHashOf(c: Context): Promise<string> {
  const token = bearerToken(c)
  if (token === null) throw new AppError('bad_token')
  return sha256Hex(token)
}

/**
 * Lets registered runners through and puts the runner at `c.var.runner`. A host's calls wait while too many of it are at work, so
 * that one which asks in a loop delays others by a few calls.
 */
export const requireRunner = createMiddleware<RunnerEnv>(async (c, next) => {
  const tokenHash = await tokenHashOf(c)
  await limitCallerConcurrency(c, `calls:${tokenHash}`, async () => {
    identify(c, await selectRunner(c.var.db, tokenHash).get())
    await next()
  })
})

/** Makes a guard as `requireRunner` whose round trip looks the lease of the judgement in the path up, too. @param group of calls that wait for each other */
function lookUpLease(group: 'calls' | 'results', check: (c: Context<LeaseEnv>) => Promise<void>) {
  return createMiddleware<LeaseEnv>(async (c, next) => {
    const { db } = c.var
    const tokenHash = await tokenHashOf(c)
    await limitCallerConcurrency(c, `${group}:${tokenHash}`, async () => {
      const [[runner], [leaseRow]] = await db.batch([
        selectRunner(db, tokenHash),
        selectLease(db, c.req.param('id') ?? ''),
      ])
      identify(c, runner)
      c.set('leaseRow', leaseRow)
      await check(c)
      await next()
    })
  })
}

/** Lets registered runners through and puts the lease of the judgement in the path at `c.var.leaseRow`. */
export const requireRunnerWithLease = lookUpLease('calls', async () => {})

/**
 * As `requireRunnerWithLease`, for hosts that had the job in the path last, before its result is read. Results have a queue of their
 * own: no heartbeat waits for one on a slow connection.
 */
export const requireLastRunner = lookUpLease('results', async (c) => {
  const { db, leaseRow, runner } = c.var
  const lastRunnerId = leaseRow
    ? leaseRow.runnerId
    : await lastRunnerOfRun(db, c.req.param('id') ?? '')
  if (lastRunnerId !== runner.id) throw new AppError('stale_lease')
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
