/** Operations: work that does not fit one request, done in chunks on the step queue. */
import * as z from 'zod'
import { hexId } from '#contract/fields'

/** What kinds of background work there are; each has its step in `worker/background/steps.ts`. */
const OPERATION_KINDS = ['rejudge', 'batch_signup', 'copycat'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** A message of the step queue: says which operation has work left, and nothing else. */
export const stepMessage = z.object({ v: z.literal(1), jobId: hexId })

/** Answer (202) of a call that starts an operation. `count`: how many things it will work on. */
export const operationStarted = z.object({ jobId: hexId, count: z.int() })

/**
 * GET /jobs/{jobId}, for who started it. `done` of `total` things; `result` once done, as the kind
 * documents it; `error` in plain words once failed.
 */
export const operationStatus = z.object({
  state: z.enum(['running', 'done', 'failed']),
  done: z.int(),
  total: z.int(),
  result: z.unknown().optional(),
  error: z.string().optional(),
})
export type OperationStatus = z.infer<typeof operationStatus>
