/**
 * Bulk rejudge: judges submissions again while their present results stay, then makes all new results count. It is one operation:
 * it queues submissions, waits until all are judged, waits for a person to apply it unless it applies itself, and applies the
 * results. Its judgements have the lower priority, so live submissions go first. Until the results are applied, nothing that
 * students see changes. So a cancelled rejudge is simply ended.
 */
import type { RejudgeResult } from '#contract/judging/rejudges'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { CHANNELS } from '../../../lib/channel-limits.ts'
import { newHexId, secondsOfId } from '../../../lib/ids.ts'
import { sendEnds } from '../../../lib/live.ts'
import { sendSteps } from '../../../lib/queues.ts'
import { finishOperation, insertOperation, pauseOperation } from '../../operations/queries.ts'
import {
  OperationFailed,
  type OperationStep,
  type StepContext,
  type StepProgress,
} from '../../operations/step.ts'
import {
  APPLY_SECONDS,
  CANCELLED,
  applyRejudge,
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
  /** The problem whose present rejudge this becomes. */
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

/** Starts the operation. @returns the body of the 202 answer */
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

/** POST /jobs/{jobId}/apply. */
export async function apply(env: Env, db: Db, id: string, change: Change): Promise<void> {
  await applyRejudge(db, id, change)
  await sendSteps(env, [id])
}

/** Sends the message for the next step of a rejudge after its last judgement has ended. */
export async function continueRejudge(env: Env, db: Db, id: string): Promise<void> {
  if (await isAllJudged(db, id)) await sendSteps(env, [id])
}

type Context = StepContext<RejudgePayload>
type Progress = StepProgress<RejudgePayload>

/** The next step of a rejudge, by its phase. */
export const rejudgeStep: OperationStep<RejudgePayload> = async (context) =>
  STEPS[context.operation.payload.phase](context)

const STEPS: Record<RejudgePayload['phase'], OperationStep<RejudgePayload>> = {
  queue: queueStep,
  judge: judgeStep,
  ready: readyStep,
  apply: applyStep,
}

/** Queues the next hundred submissions. */
async function queueStep({ env, db, operation, now }: Context): Promise<Progress> {
  const { payload } = operation
  const found = await listTargets(db, operation.id, payload, payload.after, CHUNK)
  const last = found.at(-1)
  if (!last) return { payload: { ...payload, phase: 'judge' } }
  const ids = found.map(({ submissionId }) => submissionId)
  const lost = await queueAgain(env, db, ids, (pairs) => queueTargets(db, pairs, operation, now))
  const done = operation.done + found.length - lost
  return {
    done,
    total: Math.max(operation.total - lost, done),
    payload: {
      ...payload,
      after: { problemId: last.problemId, judgementId: last.judgementId },
      lostCount: payload.lostCount + lost,
    },
  }
}

/** Waits until all submissions are judged. The last result sends the next message; the sweeper sends one each minute, too. */
async function judgeStep({ db, operation }: Context): Promise<Progress | null> {
  const { id, payload, done, total } = operation
  const { openCount, isLive } = await getJudging(db, id)
  if (!isLive && total > 0) throw new OperationFailed(CHANGED)
  if (openCount > 0) {
    await pauseOperation(db, operation, 0)
    return null
  }
  // If some submissions were judged meanwhile, this is less than the number that was counted at first.
  const rest = { total: done, ...(payload.apply && { done: 0 }) }
  return { ...rest, payload: { ...payload, phase: payload.apply ? 'apply' : 'ready' } }
}

/** Waits for a person to apply it; ends the rejudge when the time for that is over. */
async function readyStep({ db, operation, now }: Context): Promise<null> {
  const until = secondsOfId(operation.id) + APPLY_SECONDS
  if (now > until) await finishOperation(db, operation, CANCELLED, now)
  else await pauseOperation(db, operation, until)
  return null
}

/** Applies the next hundred judgements and tells the people whose results change. The last step fails if a problem has changed. */
async function applyStep({ env, db, operation, now }: Context): Promise<Progress | null> {
  const { payload, done, total } = operation
  const judged = await listJudged(db, operation.id)
  const { changedCount, keptCount, outdatedCount, lostCount } = payload
  if (judged.length === 0) {
    if (outdatedCount > 0) throw new OperationFailed(CHANGED)
    const result: RejudgeResult = { count: total, changedCount, keptCount, lostCount }
    await finishOperation(db, operation, result, now)
    return null
  }
  await applyJudged(
    db,
    judged.map(({ id }) => id),
    operation,
  )
  const applied = judged.filter(({ isOutdated }) => isOutdated === 0)
  const changed = applied.filter(({ isChange }) => isChange === 1)
  // One run of the consumer may do all steps, so all steps together tell no more people than one call may.
  const told = Math.max(0, CHANNELS.recipients - done)
  await sendEnds(
    env,
    changed.slice(0, told).map(({ submissionId: id, userId }) => ({ id, userId })),
  )
  return {
    done: Math.min(total, done + applied.length),
    payload: {
      ...payload,
      changedCount: changedCount + changed.length,
      keptCount: keptCount + applied.filter(({ isKept }) => isKept === 1).length,
      outdatedCount: outdatedCount + judged.length - applied.length,
    },
  }
}
