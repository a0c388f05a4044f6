/** Queues submissions again, also those in packs. */
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import { newHexId } from '../../../lib/ids.ts'
import { sendTickets } from '../../../lib/queues.ts'
import { unpack } from '../../storage/unpack-queries.ts'

/** A submission, and its new judgement. */
export interface NewJudgement {
  submissionId: string
  judgementId: string
}

/**
 * Takes submissions out of their packs and queues them. Submissions that are packed between these two steps are taken out once more.
 * @param queue queues the submissions that are in no pack; returns the ids of the others
 * @returns how many cannot be judged because their pack is lost
 */
export async function queueAgain(
  env: Env,
  db: Db,
  submissionIds: readonly string[],
  queue: (pairs: NewJudgement[]) => Promise<string[]>,
): Promise<number> {
  // Ids of one millisecond have no order; they are sorted, so that the first submission is judged first.
  const newIds = submissionIds.map(() => newHexId(Date.now())).toSorted()
  const pairs = submissionIds.map((submissionId, index) => ({
    submissionId,
    judgementId: newIds[index] ?? newHexId(Date.now()),
  }))
  const lost = new Set<string>()
  for (let rest = pairs; rest.length > 0;) {
    const ids = rest.map(({ submissionId }) => submissionId)
    for (const id of await unpack(env.BUCKET, db, ids)) lost.add(id)
    const packed = new Set(await queue(rest))
    rest = rest.filter(({ submissionId: id }) => packed.has(id) && !lost.has(id))
  }
  const queued = pairs.filter(({ submissionId }) => !lost.has(submissionId))
  await sendTickets(
    env,
    queued.map(({ judgementId }) => judgementId),
  )
  return lost.size
}
