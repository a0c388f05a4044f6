/** Guards of the judge hosts' calls: a runner's token, or the registration token for the first call. */
import type { Context } from 'hono'
import { settingFaults } from '#contract/installation/settings'
import type { AppEnv } from '../../../env.ts'
import { demandGuestRate, demandRate } from '../../../http/call-rate.ts'
import { bearerToken } from '../../../http/client.ts'
import { AppError, notConfigured } from '../../../http/errors.ts'
import { guard } from '../../../http/guard.ts'
import { isSecret, sha256Hex } from '../../../lib/ids.ts'
import { selectLease, type LeaseRow } from '../lease/lease-queries.ts'
import { selectRunner, type RunnerRow } from './runner-queries.ts'

/** The hash of the token that a caller sends. */
async function tokenHashOf(c: Context): Promise<string> {
  const token = bearerToken(c)
  if (token === null) throw new AppError('bad_token')
  return sha256Hex(token)
}

/** The host, once its call is counted; a call with an unknown token counts for its network. */
async function countCall(c: Context<AppEnv>, runner?: RunnerRow): Promise<RunnerRow> {
  if (!runner) {
    await demandGuestRate(c)
    throw new AppError('bad_token')
  }
  await demandRate(c, 'host', `host:${runner.id}`)
  return runner
}

/** The host that has the caller's token. */
export const runnerOfToken = guard('runner', async (c) =>
  countCall(c, await selectRunner(c.var.db, await tokenHashOf(c)).get()),
)

/** A host, and the lease of the judgement in the path, if there is one. */
type Leasing = RunnerRow & { leaseRow: LeaseRow | undefined }

/** Reads the host and the lease of the judgement in the path in one round trip. */
async function findLeasing(c: Context<AppEnv>): Promise<Leasing> {
  const { db } = c.var
  const [[runner], [leaseRow]] = await db.batch([
    selectRunner(db, await tokenHashOf(c)),
    selectLease(db, c.req.param('id') ?? ''),
  ])
  return { ...(await countCall(c, runner)), leaseRow }
}

/** The host with the lease of the judgement in the path. */
export const runnerWithLease = guard('runner', findLeasing)

/**
 * The host with the lease of the judgement in the path, if it was the last host to have that job. The guard runs before the
 * body with the result is read.
 */
export const lastRunner = guard('runner', async (c) => {
  const runner = await findLeasing(c)
  if (runner.leaseRow?.runnerId !== runner.id) throw new AppError('stale_lease')
  return runner
})

/** Lets callers through with the registration token or the previous one, so that the token can be rotated. */
export const registrationToken = guard('registration', async (c) => {
  const { RUNNER_REGISTRATION_TOKEN: present, RUNNER_REGISTRATION_TOKEN_PREVIOUS: previous } = c.env
  if (!present)
    throw notConfigured(
      settingFaults(c.env, ['RUNNER_REGISTRATION_TOKEN'], ['RUNNER_REGISTRATION_TOKEN']),
    )
  if (!(await isSecret(bearerToken(c), present, previous))) throw new AppError('bad_token')
})
