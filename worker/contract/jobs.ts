/** Background jobs: work that does not fit one request, done in chunks on the task queue. */
import * as z from 'zod'
import { hexId } from '#contract/fields'

/** What kinds of background work there are; each has its step in `worker/background/steps.ts`. */
export const JOB_KINDS = ['rejudge', 'batch_signup', 'copycat'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** A message of the task queue: says which job has work left, and nothing else. */
export const taskMessage = z.object({ v: z.literal(1), jobId: hexId })
export type TaskMessage = z.infer<typeof taskMessage>

/** Answer (202) of a call that starts a job. `count`: how many things it will work on. */
export const jobStarted = z.object({ jobId: hexId, count: z.int() })
export type JobStarted = z.infer<typeof jobStarted>

/**
 * GET /jobs/{jobId}, for who started it. `done` of `total` things; `result` once done, as the kind
 * documents it; `error` in plain words once failed.
 */
export const jobStatus = z.object({
  state: z.enum(['running', 'done', 'failed']),
  done: z.int(),
  total: z.int(),
  result: z.unknown().optional(),
  error: z.string().optional(),
})
export type JobStatus = z.infer<typeof jobStatus>
