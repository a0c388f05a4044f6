/**
 * Limits claims that find nothing. A judge host makes few of them beyond one per job. One that asks in a
 * loop is told to wait, at the cost of reading its row.
 */
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { returnToken, takeToken, waitMsOf } from '../../../db/rate-limits.ts'
import { rateLimits, runners } from '../../../db/schema.ts'

/**
 * Claims of one host that found nothing. Each job that it gets gives one back. An idle host makes one a
 * second at most, and one for each ticket that another host was faster with.
 */
export const EMPTY_CLAIMS = { burst: 60, intervalMs: 200 } as const

const KEY = 'claim:vain:'

/** For a select from `runners`: the host's bucket of empty claims, for `claimWaitMs`. */
export const emptyClaimsUntilMs = sql<
  number | null
>`(select ${rateLimits.fullAtMs} from ${rateLimits}
  where ${rateLimits.key} = ${KEY} || ${runners.id})`.as('emptyClaimsUntilMs')

/**
 * Time until a host may claim again.
 * @param fullAtMs from `emptyClaimsUntilMs`
 */
export function claimWaitMs(fullAtMs: number | null): number {
  return waitMsOf(fullAtMs, EMPTY_CLAIMS, Date.now())
}

/**
 * The statements that count a claim, in its batch: one that found nothing takes a token, a job returns one.
 * @param hasFound the condition that it found a job
 */
export function countClaim(db: Db, runnerId: string, hasFound: SQL) {
  const key = `${KEY}${runnerId}`
  const nowMs = Date.now()
  return [
    takeToken(db, key, EMPTY_CLAIMS, nowMs, sql`not ${hasFound}`),
    // A full bucket is left alone: most claims find a job and write nothing here.
    returnToken(
      db,
      { key, rule: EMPTY_CLAIMS },
      sql`${hasFound} and ${rateLimits.fullAtMs} > ${nowMs}`,
    ),
  ] as const
}
