/**
 * Chooses the job that a host gets: live submissions first, then sample runs, then bulk rejudges; within each kind the student
 * with the fewest recent jobs, then the oldest job. A host leaves out jobs that it has just had.
 */
import { sql, type SQL } from 'drizzle-orm'
import type { ClaimRequest } from '#contract/judging'
import { JUDGING, RUNNERS } from '#contract/limits'
import { takesJobs } from '../../../db/queue-estimate.ts'
import { judgements, PRIORITY, runners, type Priority } from '../../../db/schema.ts'
import { inlineNumber } from '../../../db/statements.ts'
import { HAND_BACK, isAvoidedBy, isRun } from '../lease/hand-back-queries.ts'

/** The claiming host. `slots`: the jobs it may hold, see `slotsOf`. */
export interface Claimant extends Partial<ClaimRequest> {
  id: string
  slots: number
}

/** The jobs a host may hold: its reported slots within its limit; one before it has reported. */
export function slotsOf({ slots, slotLimit }: { slots: number; slotLimit: number }): number {
  return Math.max(1, Math.min(slots, slotLimit))
}

/** The condition that a judgement is free: in the queue, without a lease or pause. */
export const isReady = sql`${judgements.finishedAt} is null and ${judgements.leaseUntil} is null`

/** The first free job of a priority for a host. */
function firstOf(priority: Priority, { id: runnerId }: Claimant, now: number): SQL {
  const { id, attempt } = judgements
  return sql`(select c.id from (select ${id} from ${judgements} indexed by judgements_ready
      where ${isReady} and ${judgements.priority} = ${inlineNumber(priority)} and ${attempt} < ${JUDGING.maxAttempts}
      order by ${judgements.rank}, ${id} limit ${HAND_BACK.lookAhead}) c
    where not ${isAvoidedBy(sql`c.id`, runnerId, now)} limit 1)`
}

/** The number of jobs of a kind that a host holds. */
function heldCount({ id: runnerId }: Claimant, isOfKind: SQL): SQL {
  const { finishedAt, leaseUntil } = judgements
  return sql`(select count(*) from ${judgements} indexed by judgements_runner
    where ${judgements.runnerId} = ${runnerId} and ${finishedAt} is null
      and ${judgements.state} = 'leased' and ${leaseUntil} is not null and ${isOfKind})`
}

/** The condition that more submissions are free than live hosts have slots. Then a job that waits at a host leaves no slot idle. */
function isBacklog(now: number): SQL {
  const liveSlots = sql`(select coalesce(sum(max(1, min(${runners.slots}, ${runners.slotLimit}))), 0) from ${runners}
    where ${takesJobs(now)})`
  const priorities = sql`(${inlineNumber(PRIORITY.live)}, ${inlineNumber(PRIORITY.bulk)})`
  return sql`(select count(*) from (select 1 from ${judgements} indexed by judgements_ready
    where ${isReady} and ${judgements.priority} in ${priorities} limit ${liveSlots} + 1)) > ${liveSlots}`
}

/**
 * The best job for a host; null if there is none. A host may hold as many submissions as it has slots, because sample runs make
 * room for submissions. Sample runs leave one slot free for the next submission; a host with one slot gets a sample run only while
 * it is idle. A host without a free slot gets no bulk job while it holds a sample run or one waits.
 */
export function bestJob(claimant: Claimant, now: number): SQL {
  const { slots, ahead, takesRuns } = claimant
  const submissions = heldCount(claimant, sql`not (${isRun})`)
  const runs = heldCount(claimant, isRun)
  const [live, run, bulk] = [PRIORITY.live, PRIORITY.run, PRIORITY.bulk].map((priority) =>
    firstOf(priority, claimant, now),
  )
  const mostAhead = (1 + RUNNERS.aheadPerSlot) * slots
  const hasRoom = ahead
    ? sql`(${submissions} < ${slots} or ${submissions} < ${mostAhead} and ${isBacklog(now)})`
    : sql`${submissions} < ${slots}`
  const hasRoomForRun = sql`(${runs} < ${Math.max(1, slots - 1)} and ${runs} + ${submissions} < ${slots})`
  const mayHaveBulk = takesRuns ? sql`true` : sql`(${runs} = 0 and ${run} is null)`
  return sql`coalesce(iif(${hasRoom}, ${live}, null),
    ${takesRuns ? sql`iif(${hasRoomForRun}, ${run}, null)` : sql`null`},
    iif(${hasRoom} and ${mayHaveBulk}, ${bulk}, null))`
}
