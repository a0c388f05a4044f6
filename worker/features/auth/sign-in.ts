/** Signing in: limits, the account, the password, the session. */
import type { LoginBody } from '#contract/people/auth'
import { nameKey } from '#contract/names'
import type { Db } from '../../db/client.ts'
import type { DebitedBucket } from '../../db/rate-limits.ts'
import { AppError } from '../../http/errors.ts'
import { siteOf } from '../../http/client.ts'
import { demandCapacity, renewHash, verifyQueued } from '../../http/new-password.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { findDeviceKey, type KeyedAccount } from '../../lib/device-keys.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import {
  findLoginAccount,
  insertSession,
  loginBuckets,
  refuseLogin,
  returnLoginTokens,
  takeLoginTokens,
  type EndedSession,
  type LoginAttempt,
} from './queries.ts'

/** The browser's cookies: the old session, which ends, and the device keys. */
interface Browser {
  oldToken: string | undefined
  deviceKeys: string[]
}

/**
 * Checks a login and begins a session.
 * @param demandRate counts a right password as one of the person's writing calls, because it stores a session, a record and an
 * audit entry
 * @returns the session's token for the cookie, the account to make a device key for, and the browser's earlier session, now ended
 */
export async function signIn(
  db: Db,
  body: LoginBody,
  attempt: LoginAttempt,
  { oldToken, deviceKeys }: Browser,
  demandRate: (userId: number) => Promise<void>,
): Promise<{ token: string; account: KeyedAccount; replaced: EndedSession | undefined }> {
  const name = nameKey(body.username.trim())
  const site = `site:${siteOf(attempt.ip)}`
  // In a rush most calls are refused here, before any look-up. A call without a device key takes its turn with all calls of its site.
  if (deviceKeys.length === 0) await demandCapacity(site)
  const user = await findLoginAccount(db, name)
  const phc = user?.passwordHash ?? null
  const deviceKey =
    user && phc !== null ? findDeviceKey({ id: user.id, passwordHash: phc }, deviceKeys) : undefined
  const buckets = loginBuckets(name, attempt.ip, deviceKey)
  // All known browsers of an account share one turn, because a person can have any number of browsers.
  const network = user && deviceKey !== undefined ? `user:${user.id}` : site
  let debited: DebitedBucket[] = []
  const isRight = await verifyQueued(network, body.password, phc, async () => {
    const limits = await takeLoginTokens(db, buckets)
    demandTokens(limits.answers, 'too_many_logins')
    debited = limits.debited
  })
  if (!user || phc === null || !isRight) {
    await refuseLogin(db, attempt, user?.id ?? null, null)
    throw new AppError('login_failed')
  }
  // Counted only after the right password, so that strangers use up no person's limit.
  await demandRate(user.id).catch(async (refusal: unknown) => {
    await returnLoginTokens(db, debited)
    throw refusal
  })
  if (!user.active) {
    await refuseLogin(db, attempt, user.id, debited)
    throw new AppError('invalid_user', { host: user.email.slice(user.email.indexOf('@') + 1) })
  }
  const token = newSecret()
  const newHash = await renewHash(network, body.password, phc)
  const begun = await insertSession(db, attempt, debited, {
    userId: user.id,
    tokenHash: await sha256Hex(token),
    oldTokenHash: oldToken ? await sha256Hex(oldToken) : null,
    verifiedHash: phc,
    newHash,
    shared: body.sharedComputer,
  })
  if (!begun) {
    await refuseLogin(db, attempt, user.id, null)
    throw new AppError('login_failed')
  }
  const account = { id: user.id, passwordHash: newHash ?? phc }
  return { token, account, replaced: begun.replaced }
}
