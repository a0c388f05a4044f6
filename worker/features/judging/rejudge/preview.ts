/**
 * Previews of a rejudge: judges submissions with results of earlier test data again and shows what would
 * change; then the results are applied or dropped. Both are operations. The judgements wait behind live
 * ones and those of bulk rejudges.
 */
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { problemId } from '#contract/fields'
import type { RejudgePreview } from '#contract/judging/rejudge-previews'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { newHexId, secondsOfId } from '../../../lib/ids.ts'
import { sendSteps } from '../../../lib/queues.ts'
import { finishOperation, insertOperation } from '../../operations/queries.ts'
import { OperationFailed, type OperationStep } from '../../operations/step.ts'
import {
  applyJudgements,
  endPreview,
  isPreviewLive,
  listApplicable,
} from './apply-preview-queries.ts'
import { queueAgain } from './queue-again.ts'
import {
  PREVIEW_SECONDS,
  countEarlier,
  deletePreviewed,
  getPreview,
  hasPreview,
  isNotApplying,
  isReady,
  listEarlier,
  previewIdOf,
  previewTotal,
  queuePreviewed,
  readApplying,
  setPreview,
} from './preview-queries.ts'

/**
 * The payload of `rejudge_preview`. `after`: the last judgement whose submission was queued again. `lostCount`: submissions whose
 * pack is lost.
 */
const previewPayload = z.object({ problemId, after: z.string(), lostCount: z.int() })

/** The payload of `apply_preview`. */
const applyPayload = z.object({ previewId: z.string() })

/** How many results are of earlier test data, or the preview of judging them again. */
export async function readPreview(db: Db, id: number): Promise<RejudgePreview> {
  const { earlierCount, preview, counts } = await getPreview(db, id)
  if (!preview) return { earlierCount, preview: null }
  const isApplying = preview.applied !== null
  const isJudging = preview.state === 'running' || preview.open > 0
  const canGoOn = preview.isUpToDate && preview.state !== 'failed'
  const hasCounts = !isJudging && !isApplying
  const startedAt = secondsOfId(preview.id)
  return {
    earlierCount: null,
    preview: {
      startedAt,
      expiresAt: startedAt + PREVIEW_SECONDS,
      state: isApplying ? 'applying' : canGoOn ? (isJudging ? 'judging' : 'ready') : 'outdated',
      total: preview.total,
      ...(preview.lostCount > 0 && { lostCount: preview.lostCount }),
      done: preview.applied ?? Math.max(0, preview.queued - preview.open),
      changedCount: hasCounts ? (counts?.changed ?? 0) : null,
      keptCount: hasCounts ? (counts?.kept ?? 0) : null,
    },
  }
}

/** Starts a preview, drops the one before unless it is being applied, and gives what the 202 answers. */
export async function startPreview(env: Env, db: Db, id: number, change: Change) {
  const { actor, now } = change
  const previewId = newHexId(Date.now())
  const when = isNotApplying(id)
  const [started] = await db.batch([
    insertOperation(
      db,
      {
        id: previewId,
        kind: 'rejudge_preview',
        ownerId: actor.id,
        total: countEarlier(id),
        payload: { problemId: id, after: '', lostCount: 0 } satisfies z.infer<
          typeof previewPayload
        >,
        now,
      },
      when,
    ),
    deletePreviewed(db, id),
    setPreview(db, id, previewId),
    insertAudit(db, change, { action: 'problem.preview_rejudge', subject: String(id), when }),
  ])
  if (started.length === 0) throw new AppError('preview_applying')
  await sendSteps(env, [previewId])
  return { jobId: previewId, count: started[0]?.total ?? 0 }
}

/** Drops a problem's preview, unless it is being applied. */
export async function dropPreview(db: Db, id: number, change: Change): Promise<void> {
  const [[dropped]] = await db.batch([
    readApplying(db, id),
    insertAudit(db, change, {
      action: 'problem.drop_preview',
      subject: String(id),
      when: sql`${hasPreview(id)} and ${isNotApplying(id)}`,
    }),
    deletePreviewed(db, id),
    setPreview(db, id, null),
  ])
  if (!dropped) throw new AppError('preview_not_found')
  if (dropped.isApplying) throw new AppError('preview_applying')
}

/** Starts to apply a problem's preview and gives what the 202 answers. */
export async function startApplying(env: Env, db: Db, id: number, change: Change) {
  const { actor, now } = change
  const operationId = newHexId(Date.now())
  const when = isReady(id)
  const [[found], , started] = await db.batch([
    readApplying(db, id),
    // First, as the operation ends the condition.
    insertAudit(db, change, {
      action: 'problem.apply_preview',
      subject: String(id),
      detail: { jobId: operationId },
      when,
    }),
    insertOperation(
      db,
      {
        id: operationId,
        kind: 'apply_preview',
        ownerId: actor.id,
        total: previewTotal(id),
        // The shape of `applyPayload`.
        payload: sql`json_object('previewId', ${previewIdOf(id)})`,
        now,
      },
      when,
    ),
  ])
  if (!found) throw new AppError('preview_not_found')
  if (found.isApplying) throw new AppError('preview_applying')
  if (started.length === 0) throw new AppError('preview_not_ready')
  await sendSteps(env, [operationId])
  return { jobId: operationId, count: started[0]?.total ?? 0 }
}

/** Queues the next hundred submissions. */
export const previewStep: OperationStep = async ({ env, db, operation, now }) => {
  const { problemId: id, after, lostCount } = previewPayload.parse(operation.payload)
  const found = await listEarlier(db, id, operation.id, after)
  const last = found.at(-1)
  if (!last) return { outcome: 'done', result: { lostCount } }
  const ids = found.map(({ submissionId }) => submissionId)
  const lost = await queueAgain(env, db, ids, (pairs) =>
    queuePreviewed(db, pairs, operation.id, now),
  )
  const done = operation.done + found.length - lost
  return {
    outcome: 'more',
    done,
    total: Math.max(operation.total - lost, done),
    payload: { problemId: id, after: last.judgementId, lostCount: lostCount + lost },
  }
}

/** Applies the next hundred judgements; ends the preview after the last. Fails once the problem has changed. */
export const applyStep: OperationStep = async ({ db, operation, now }) => {
  const payload = applyPayload.parse(operation.payload)
  const { previewId } = payload
  const ids = await listApplicable(db, previewId)
  if (ids.length === 0) {
    if (!(await isPreviewLive(db, previewId)))
      throw new OperationFailed(
        'The problem has changed meanwhile. What was applied before remains; judge the rest again.',
      )
    await db.batch([
      endPreview(db, previewId, operation),
      finishOperation(db, operation, { count: operation.done }, now),
    ])
    return { outcome: 'ended' }
  }
  await applyJudgements(db, ids, previewId)
  const done = operation.done + ids.length
  return { outcome: 'more', done, total: Math.max(operation.total, done), payload }
}
