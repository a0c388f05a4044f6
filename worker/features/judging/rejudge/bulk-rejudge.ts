/**
 * Bulk rejudge: judges all submissions of a problem, a homework or a course with certain verdicts again.
 * Each is rejudged once per operation however often a step is repeated, because its new judgement is
 * younger than the operation. Bulk judgements have the lower priority, so live submissions go first.
 */
import * as z from 'zod'
import { hexId, problemId } from '#contract/fields'
import { languageCode, LANGUAGES } from '#contract/languages'
import { verdict } from '#contract/verdicts'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { newHexId } from '../../../lib/ids.ts'
import { insertOperation } from '../../operations/queries.ts'
import type { OperationStep } from '../../operations/step.ts'
import { takeBackStep, takingBack } from './cancel-rejudge.ts'
import { countEmptyTargets, countTargets, listTargets, rejudgeAll } from './bulk-rejudge-queries.ts'
import { sendSteps } from '../../../lib/queues.ts'
import { queueAgain } from './queue-again.ts'

/** Submissions rejudged in one step; also the most messages of one send. */
const CHUNK = 100

/** A target: one problem or course, one verdict, one language, and nothing handed in before `since` (epoch seconds). */
const target = z.object({
  problemId: problemId.optional(),
  courseId: z.int().optional(),
  status: verdict,
  languageType: languageCode,
  since: z.int(),
})
export type RejudgeTarget = z.infer<typeof target>

/**
 * The operation's payload: the targets left, the last submission done of the first one, and how many could not be judged again
 * because their pack is lost.
 */
const queueing = z.object({
  targets: z.array(target),
  after: hexId.nullable(),
  lostCount: z.int(),
})
const payload = z.union([queueing, takingBack])

/** Which submissions to rejudge. Without `statuses`: all with a verdict. `since` in epoch seconds. */
interface BulkRejudge {
  problemIds?: number[]
  courseIds?: number[]
  statuses?: z.infer<typeof verdict>[] | undefined
  since?: number
  /** The subject of the audit entry, e.g. `problem 4`. */
  subject: string
}

/** One target per problem or course, verdict and language: each is one range of an index. */
function targetsOf({ problemIds = [], courseIds = [], statuses, since = 0 }: BulkRejudge) {
  const scopes = [
    ...problemIds.map((problemId) => ({ problemId })),
    ...courseIds.map((courseId) => ({ courseId })),
  ]
  const all: RejudgeTarget['status'][] = [0, 1, 2, 3, 4, 5, 6, 7]
  return scopes.flatMap((scope) =>
    (statuses ?? all).flatMap((status) =>
      LANGUAGES.map(({ code: languageType }) => ({
        ...scope,
        status,
        languageType,
        since,
      })),
    ),
  )
}

/** Starts the operation and gives what the 202 answers. */
export async function startBulkRejudge(
  env: Env,
  db: Db,
  request: BulkRejudge,
  change: Change,
): Promise<{ jobId: string; count: number }> {
  const { actor, now } = change
  const operationId = newHexId(Date.now())
  const targets = targetsOf(request)
  const [started] = await db.batch([
    insertOperation(db, {
      id: operationId,
      kind: 'rejudge',
      ownerId: actor.id,
      total: countTargets(targets, operationId),
      payload: { targets, after: null, lostCount: 0 } satisfies z.infer<typeof queueing>,
      now,
    }),
    insertAudit(db, change, {
      action: 'submission.bulk_rejudge',
      subject: request.subject,
      detail: { jobId: operationId, ...(request.statuses && { statuses: request.statuses }) },
    }),
  ])
  await sendSteps(env, [operationId])
  return { jobId: operationId, count: started[0]?.total ?? 0 }
}

/** The next hundred submissions: queued, or taken back once it was cancelled. */
export const rejudgeStep: OperationStep = async (context) => {
  const { env, db, operation, now } = context
  const carried = payload.parse(operation.payload)
  if ('takenBack' in carried) return takeBackStep(context, carried)
  // Most verdicts do not occur in most languages: those targets are skipped at once.
  const passed = await countEmptyTargets(db, carried.targets, operation.id)
  const targets = carried.targets.slice(passed)
  const after = passed === 0 ? carried.after : null
  const current = targets[0]
  if (!current) {
    const { lostCount } = carried
    return {
      outcome: 'done',
      result: { count: operation.done, ...(lostCount > 0 && { lostCount }) },
    }
  }
  const ids = await listTargets(db, current, operation.id, after, CHUNK)
  const lost = await queueAgain(env, db, ids, (pairs) => rejudgeAll(db, pairs, operation, now))
  const lostCount = carried.lostCount + lost
  const done = operation.done + ids.length - lost
  const isLast = ids.length < CHUNK
  return {
    outcome: 'more',
    done,
    total: Math.max(operation.total - lost, done),
    payload: isLast
      ? { targets: targets.slice(1), after: null, lostCount }
      : { targets, after: ids.at(-1) ?? null, lostCount },
  }
}
