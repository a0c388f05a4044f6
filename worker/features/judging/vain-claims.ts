/**
 * Claims that find nothing. A judge host makes few of them beyond one for each job it gets; one that asks in a loop is
 * told to wait, at the price of a look at its row.
 */
import { sql, type SQL } from 'drizzle-orm'
import { RUNNERS } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import { returnToken, takeToken, waitMsOf } from '../../db/rate-limits.ts'
import { rateLimits, runners } from '../../db/schema.ts'

const KEY = 'claim:vain:'
const rule = RUNNERS.vainClaims

/** What a select from `runners` finds of a host's vain claims, for `claimWaitMs`. */
export const vainUntilMs = sql<number | null>`(select ${rateLimits.fullAtMs} from ${rateLimits}
  where ${rateLimits.key} = ${KEY} || ${runners.id})`.as('vainUntilMs')

/** How long a host has to wait before it may claim. @param fullAtMs from `vainUntilMs` */
export function claimWaitMs(fullAtMs: number | null): number {
  return waitMsOf(fullAtMs, rule, Date.now())
}

/**
 * The statements that count a claim, in its batch: one that found nothing takes a token, a job gives one back.
 * @param hasFound the condition that it found a job
 */
export function countClaim(db: Db, runnerId: string, hasFound: SQL) {
  const key = `${KEY}${runnerId}`
  const nowMs = Date.now()
  return [
    takeToken(db, key, rule, nowMs, sql`not ${hasFound}`),
    // A full bucket is left alone: most claims find a job, and write nothing for this.
    returnToken(db, { key, rule }, sql`${hasFound} and ${rateLimits.fullAtMs} > ${nowMs}`),
  ] as const
}
