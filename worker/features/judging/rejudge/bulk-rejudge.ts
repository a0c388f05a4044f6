/**
 * Bulk rejudge: judges submissions again beside what stands, and then makes the new results those that count, all together. It is one
 * operation: it queues, waits until all are judged, waits for who applies it unless it applies itself, and applies. Its judgements have
 * the lower priority, so live submissions go first. Until it applies nothing that students see has changed, so cancelling it is
 * ending it.
 */
import type { RejudgeResult } from '#contract/judging/rejudges'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { CHANNELS } from '../../../lib/channel-limits.ts'
import { newHexId, secondsOfId } from '../../../lib/ids.ts'
import { sendEnds } from '../../../lib/live.ts'
import { sendSteps } from '../../../lib/queues.ts'
import {
  insertOperation,
  type LeasedOperation,
  type OperationRow,
} from '../../operations/queries.ts'
import {
  OperationFailed,
  type OperationStep,
  type StepContext,
  type StepOutcome,
} from '../../operations/step.ts'
import {
  APPLY_SECONDS,
  applyRejudge,
  cancelRejudge,
  rejudgePayload,
  takePlace,
  type RejudgePayload,
} from './operation-queries.ts'
import { applyJudged, getJudging, isAllJudged, listJudged } from './outcome-queries.ts'
import { queueAgain } from './queue-again.ts'
import { countTargets, listTargets, queueTargets, type Targets } from './target-queries.ts'

/** Submissions queued in one step; also the most messages of one send. */
const CHUNK = 100

const CHANGED =
  'The problem has changed meanwhile. What was applied before remains; judge the rest again.'

/** Which submissions to rejudge, and what becomes of the results. `since` in epoch seconds. */
export interface RejudgeRequest extends Pick<RejudgePayload, 'courseId' | 'problemIds'> {
  statuses?: RejudgePayload['statuses'] | undefined
  since?: number
  earlierOnly?: boolean
  apply?: boolean
  /** The subject of the audit entry, e.g. `problem 4`. */
  subject: string
  /** The problem whose rejudge it is from now on. */
  ofProblem?: number
}

/** The payload of a new rejudge. */
export function firstPayload({
  courseId,
  problemIds,
  statuses = null,
  since = 0,
  earlierOnly = false,
  apply = true,
}: Omit<RejudgeRequest, 'subject'>): RejudgePayload {
  const counts = { lostCount: 0, changedCount: 0, keptCount: 0, outdatedCount: 0 }
  const targets: Targets = { problemIds, statuses, since, earlierOnly }
  return { ...targets, courseId, apply, phase: 'queue', after: null, ...counts }
}

/** Starts the operation and gives what the 202 answers. */
export async function startRejudge(
  env: Env,
  db: Db,
  request: RejudgeRequest,
  change: Change,
): Promise<{ jobId: string; count: number }> {
  const { actor, now } = change
  const { subject, ofProblem } = request
  const first = firstPayload(request)
  const { statuses, earlierOnly, apply } = first
  const id = newHexId(Date.now())
  const [started] = await db.batch([
    insertOperation(db, {
      id,
      kind: 'rejudge',
      ownerId: actor.id,
      total: countTargets(id, first),
      payload: first,
      now,
    }),
    insertAudit(db, change, {
      action: 'submission.bulk_rejudge',
      subject,
      detail: {
        jobId: id,
        ...(statuses && { statuses }),
        ...(earlierOnly && { earlierOnly }),
        ...(!apply && { apply }),
      },
    }),
    ...(ofProblem === undefined ? [] : takePlace(db, ofProblem, id, now)),
  ])
  await sendSteps(env, [id])
  return { jobId: id, count: started[0]?.total ?? 0 }
}

/** POST /jobs/{jobId}/cancel. One that is over stays as it is. */
export async function cancel(db: Db, rejudge: OperationRow, change: Change): Promise<void> {
  if (!(await cancelRejudge(db, rejudge.id, change))) throw new AppError('rejudge_applying')
}

/** POST /jobs/{jobId}/apply. */
export async function apply(env: Env, db: Db, rejudge: OperationRow, change: Change) {
  const { data } = rejudgePayload.safeParse(rejudge.payload)
  if (data?.phase === 'apply') throw new AppError('rejudge_applying')
  if (!data || !(await applyRejudge(db, rejudge.id, data.problemIds, change)))
    throw new AppError('rejudge_not_ready')
  await sendSteps(env, [rejudge.id])
}

/** Sends the message for a rejudge whose last judgement has ended. */
export async function continueRejudge(env: Env, db: Db, id: string): Promise<void> {
  if (await isAllJudged(db, id)) await sendSteps(env, [id])
}

/** The next step of what a rejudge is at. */
export const rejudgeStep: OperationStep = async (context) => {
  const carried = rejudgePayload.parse(context.operation.payload)
  if (carried.phase === 'queue') return queueStep(context, carried)
  if (carried.phase === 'judge') return judgeStep(context, carried)
  if (carried.phase === 'ready') return readyStep(context, carried)
  return applyStep(context, carried)
}

/** What a step stores; what it does not name stays. */
function progress(
  { done, total }: LeasedOperation,
  carried: RejudgePayload,
  change: Partial<RejudgePayload & { done: number; total: number }>,
) {
  const { done: nextDone = done, total: nextTotal = total, ...rest } = change
  return {
    done: nextDone,
    total: nextTotal,
    payload: { ...carried, ...rest } satisfies RejudgePayload,
  }
}

/** Queues the next hundred submissions. */
async function queueStep(
  { env, db, operation, now }: StepContext,
  carried: RejudgePayload,
): Promise<StepOutcome> {
  const found = await listTargets(db, operation.id, carried, carried.after, CHUNK)
  const last = found.at(-1)
  if (!last) return { outcome: 'more', ...progress(operation, carried, { phase: 'judge' }) }
  const ids = found.map(({ submissionId }) => submissionId)
  const lost = await queueAgain(env, db, ids, (pairs) => queueTargets(db, pairs, operation, now))
  const done = operation.done + found.length - lost
  return {
    outcome: 'more',
    ...progress(operation, carried, {
      done,
      total: Math.max(operation.total - lost, done),
      after: { problemId: last.problemId, judgementId: last.judgementId },
      lostCount: carried.lostCount + lost,
    }),
  }
}

/** Waits until all are judged. The last result sends a message, and the sweeper one a minute. */
async function judgeStep(
  { db, operation }: StepContext,
  carried: RejudgePayload,
): Promise<StepOutcome> {
  const { openCount, isLive } = await getJudging(db, operation.id, carried.problemIds)
  if (!isLive && operation.total > 0) throw new OperationFailed(CHANGED)
  if (openCount > 0) return { outcome: 'wait', until: 0, ...progress(operation, carried, {}) }
  // Less than was counted, if some were judged since.
  const total = operation.done
  const next = carried.apply
    ? progress(operation, carried, { phase: 'apply', done: 0, total })
    : progress(operation, carried, { phase: 'ready', total })
  return { outcome: 'more', ...next }
}

/** Waits for who applies it, and ends without it when it is too late. */
async function readyStep(
  { operation, now }: StepContext,
  carried: RejudgePayload,
): Promise<StepOutcome> {
  const until = secondsOfId(operation.id) + APPLY_SECONDS
  if (now > until) return { outcome: 'done', result: { cancelled: true } satisfies RejudgeResult }
  return { outcome: 'wait', until, ...progress(operation, carried, {}) }
}

/** Applies the next hundred judgements and tells people whose result it changes. Fails at its end if a problem has changed. */
async function applyStep(
  { env, db, operation }: StepContext,
  carried: RejudgePayload,
): Promise<StepOutcome> {
  const judged = await listJudged(db, operation.id)
  const { changedCount, keptCount, outdatedCount, lostCount } = carried
  if (judged.length === 0) {
    if (outdatedCount > 0) throw new OperationFailed(CHANGED)
    const count = operation.total
    const result: RejudgeResult = { count, changedCount, keptCount, lostCount }
    return { outcome: 'done', result }
  }
  await applyJudged(
    db,
    judged.map(({ id }) => id),
    operation,
  )
  const applied = judged.filter(({ isOutdated }) => isOutdated === 0)
  const changed = applied.filter(({ isChange }) => isChange === 1)
  // One run of a consumer talks to no more people than one call.
  const told = Math.max(0, CHANNELS.recipients - operation.done)
  await sendEnds(
    env,
    changed.slice(0, told).map(({ submissionId: id, userId }) => ({ id, userId })),
  )
  return {
    outcome: 'more',
    ...progress(operation, carried, {
      done: Math.min(operation.total, operation.done + applied.length),
      changedCount: changedCount + changed.length,
      keptCount: keptCount + applied.filter(({ isKept }) => isKept === 1).length,
      outdatedCount: outdatedCount + judged.length - applied.length,
    }),
  }
}
