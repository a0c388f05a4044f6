/** Bulk rejudges: submissions are judged again, and the new results count only once they are applied. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, listOf, problemId, userInfo } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { verdict } from '#contract/verdicts'

/**
 * POST /problem/{id}/rejudge and POST /homework/{id}/rejudge. Answers `operationStarted`.
 * - `status`: submissions with these verdicts; absent: with any
 * - `earlierOnly`: only those whose result is of earlier test data, limits, scores or comparison
 * - `apply`: whether the results are applied by themselves once all are judged; else POST /jobs/{jobId}/apply does it
 */
export const bulkRejudge = z.object({
  status: listOf(verdict, 8, 1).optional(),
  earlierOnly: z.boolean().default(false),
  apply: z.boolean().default(true),
})
export type BulkRejudge = z.input<typeof bulkRejudge>

/** POST /runners/requeue: rejudges every Judge Error of one problem, or of all courses where the caller is staff. */
export const requeue = z.object({ status: z.literal(6), problemId: problemId.optional() })

/**
 * GET /problem/{id}/rejudge.
 * - `jobId`: the problem's last rejudge, if it is not over
 * - `earlierCount`: submissions whose result is of earlier test data, limits, scores or comparison, counted up to
 *   `REJUDGE.mostCounted`; null while there is a rejudge
 */
export const problemRejudge = z.object({
  jobId: hexId.nullable(),
  earlierCount: z.int().nullable(),
})
export type ProblemRejudge = z.infer<typeof problemRejudge>

/**
 * How far a bulk rejudge has come, in GET /jobs/{jobId} until it is over. There, `done` of `total` counts judged submissions;
 * while the rejudge is `applying`, it counts applied ones.
 * - `phase`: a rejudge can be applied only while `ready`, and cannot be cancelled while `applying`. `outdated`: all its problems have
 *   changed or are deleted
 * - `expiresAt`: when it is cancelled if nobody has applied it; null when it is applied by itself
 * - `changedCount` submissions will get another verdict or score; `keptCount` ended in a Judge Error and keep their result. Null unless
 *   `ready`
 * - `lostCount` submissions cannot be judged again, because the bucket has lost their code (`object_lost`); `total` leaves them out
 */
export const rejudgeProgress = z.object({
  phase: z.enum(['judging', 'ready', 'applying', 'outdated']),
  expiresAt: epochSeconds.nullable(),
  changedCount: z.int().nullable(),
  keptCount: z.int().nullable(),
  lostCount: z.int(),
})
export type RejudgeProgress = z.infer<typeof rejudgeProgress>

/** The `result` of a bulk rejudge that is over. `count` submissions were judged again; the other counts are as in `rejudgeProgress`. */
export const rejudgeResult = z.union([
  z.object({
    count: z.int(),
    changedCount: z.int(),
    keptCount: z.int(),
    lostCount: z.int(),
  }),
  z.object({ cancelled: z.literal(true) }),
])
export type RejudgeResult = z.infer<typeof rejudgeResult>

const outcome = z.object({ status: verdict, score: z.int() })

/** A submission that a rejudge would change, or that ended in a Judge Error and keeps its result. */
const rejudgedChange = z.object({
  submissionId: hexId,
  problemId,
  user: userInfo,
  from: outcome,
  to: outcome,
})
export type RejudgedChange = z.infer<typeof rejudgedChange>

/** Query of GET /jobs/{jobId}/changes. */
export const rejudgedChangesParams = z.object({
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<string>().pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
})

/** Answer of GET /jobs/{jobId}/changes, the first judged first. */
export const rejudgedChangesPage = z.object({
  items: z.array(rejudgedChange),
  next: z.string().nullable(),
})
