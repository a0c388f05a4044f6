/** Which results are from earlier test data, limits, scores or comparison. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { problems } from './schema.ts'

/** The lower bound of the ids made from `ms` on, which is SQL because a row holds the time. */
export function idSince(ms: SQL): SQL {
  return sql`printf('%012x', ${ms})`
}

/** The lower bound of the ids made since what judging a problem depends on last changed, from the row of `problems`. */
export const idSinceChange = idSince(sql`${problems.judgingChangedAtMs}`)

/**
 * The condition that a judgement was queued and claimed before what judging its problem depends on last changed; from the row of `problems`.
 * @param claimedAt null where only a pack has it
 */
export function isOfEarlier(judgementId: SQLWrapper, claimedAt: SQLWrapper): SQL {
  return sql`(${judgementId} < ${idSinceChange} and coalesce(${claimedAt}, 0) * 1000 <= ${problems.judgingChangedAtMs})`
}
