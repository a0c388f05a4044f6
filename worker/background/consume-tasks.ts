/** The consumer of the task queue: takes the job a message names and works on it for a slice of time. */
import type { JobKind } from '#contract/jobs'
import { taskMessage } from '#contract/jobs'
import { JOBS } from '#contract/limits'
import { openDb, type Db } from '../db/client.ts'
import { safeError } from '../db/safe-error.ts'
import type { Env } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import {
  failJob,
  finishJob,
  releaseJob,
  takeJob,
  updateJob,
  type TakenJob,
} from '../features/jobs/queries.ts'
import { sendTasks } from '../lib/queues.ts'
import { JobFailed, type JobStep } from '../features/jobs/step.ts'
import { STEPS } from './steps.ts'

const GIVEN_UP = 'Something went wrong on our side several times. Nothing more will be tried.'

/**
 * Works through the messages of a batch. A message delivered twice, late or for a job that is over finds
 * nothing to take and is acknowledged; a malformed one is logged and dropped.
 * @param steps the kinds of jobs there are
 */
export async function consumeTasks(
  batch: MessageBatch,
  env: Env,
  steps: Record<JobKind, JobStep> = STEPS,
): Promise<void> {
  for (const message of batch.messages) {
    const parsed = taskMessage.safeParse(message.body)
    if (parsed.success) await workOn(env, parsed.data.jobId, steps)
    else console.error(JSON.stringify({ task: message.id, error: 'malformed message' }))
    message.ack()
  }
}

/** Does chunks of one job until it is over or the slice is; a fault leaves it to the next message. */
async function workOn(env: Env, jobId: string, steps: Record<JobKind, JobStep>): Promise<void> {
  const db = openDb(env.DB)
  const job = await takeJob(db, jobId, nowSeconds())
  if (!job) return
  try {
    // Takes that ended in no word at all: a chunk that kills its consumer must not do so for ever.
    if (job.attempt > JOBS.maxAttempts) throw new JobFailed(GIVEN_UP)
    if (await runSlice(env, db, job, steps[job.kind])) return
    await releaseJob(db, job, nowSeconds())
    await sendTasks(env, [job.id])
  } catch (error) {
    await noteFault(db, job, error)
  }
}

/** Does chunks for one slice of time; true when the job is over or no longer ours. */
async function runSlice(env: Env, db: Db, job: TakenJob, step: JobStep): Promise<boolean> {
  const start = Date.now()
  do {
    const now = nowSeconds()
    const result = await step({ env, db, job, now })
    if (result.outcome === 'ended') return true
    if (result.outcome === 'done') {
      await finishJob(db, job, result.result ?? null, now)
      return true
    }
    const { done, total, payload } = result
    const stored = await updateJob(db, job, { done, total, payload }, now)
    if (stored.length === 0) return true
    // The takes before this one count no more, as in its row: a fault in a later chunk is that chunk's first.
    Object.assign(job, { done, total, payload, attempt: 0 })
  } while (Date.now() - start < JOBS.sliceMs)
  return false
}

/** A job that cannot go on ends; any other fault is tried again by the sweeper's next message. */
async function noteFault(db: Db, job: TakenJob, error: unknown): Promise<void> {
  const now = nowSeconds()
  if (error instanceof JobFailed) return failJob(db, job, error.message, now)
  const { id, kind, attempt } = job
  console.error(JSON.stringify({ job: id, kind, attempt, error: safeError(error) }))
  if (attempt >= JOBS.maxAttempts) return failJob(db, job, GIVEN_UP, now)
  await releaseJob(db, job, now)
}
