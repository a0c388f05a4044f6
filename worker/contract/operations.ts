/** Operations: work that does not fit one request, done step by step from the step queue. */
import * as z from 'zod'
import { hexId } from '#contract/fields'
import { rejudgeProgress } from '#contract/judging/rejudges'

/** The kinds of operations. Each kind has its step in `worker/background/consume-steps.ts`. */
const OPERATION_KINDS = ['rejudge', 'copycat', 'marks'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** A message of the step queue. The message only says which operation has work left. */
export const stepMessage = z.object({ v: z.literal(1), jobId: hexId })

/** Answer (202) of a call that starts an operation. `count`: the number of things that the operation will work on. */
export const operationStarted = z.object({ jobId: hexId, count: z.int() })

/**
 * GET /jobs/{jobId}, for the person who started the operation; a bulk rejudge also for staff of its course until it is over. `done`
 * of `total` things are finished. `result` is there once it is done; its form depends on the kind of operation. `error`: the
 * reason in plain words, once failed. `rejudge`: the progress of a bulk rejudge, until it is over.
 */
export const operationStatus = z.object({
  state: z.enum(['running', 'done', 'failed']),
  done: z.int(),
  total: z.int(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  rejudge: rejudgeProgress.optional(),
})
export type OperationStatus = z.infer<typeof operationStatus>
