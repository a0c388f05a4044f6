/** Operations: work that does not fit one request, done step by step from the step queue. */
import * as z from 'zod'
import { hexId } from '#contract/fields'

/** The kinds of operations. Each has its step in `worker/background/steps.ts`. */
const OPERATION_KINDS = ['rejudge', 'rejudge_preview', 'apply_preview', 'copycat'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** A message of the step queue. It only says which operation has work left. */
export const stepMessage = z.object({ v: z.literal(1), jobId: hexId })

/** Answer (202) of a call that starts an operation. `count`: the number of things it will work on. */
export const operationStarted = z.object({ jobId: hexId, count: z.int() })

/**
 * GET /jobs/{jobId}, for the person who started it. `done` of `total` things. `result`, once done, is documented
 * at the kind. `error`: the reason in plain words, once failed. Of a bulk rejudge also: `waiting`, how many of its judgements no host has begun,
 * counted up to 100; `cancelled`, that those are being taken back; `result` is then `{count, takenBack}`, else `{count}`;
 * `lostCount`, how many so far cannot be judged again because the bucket has lost their code (`object_lost`), absent: none. They are no
 * part of `done` and `total`.
 */
export const operationStatus = z.object({
  state: z.enum(['running', 'done', 'failed']),
  done: z.int(),
  total: z.int(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  waiting: z.int().optional(),
  cancelled: z.boolean().optional(),
  lostCount: z.int().optional(),
})
export type OperationStatus = z.infer<typeof operationStatus>
