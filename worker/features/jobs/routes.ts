/** GET /jobs/{jobId}: how far a background job has come, for who started it. */
import { Hono } from 'hono'
import * as z from 'zod'
import { hexId } from '#contract/fields'
import type { JobStatus } from '#contract/jobs'
import { openDb } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { getOwnJob, type JobRow } from './queries.ts'

const jobId = z.string().pipe(hexId)

/** Row → contract. */
export function toJobStatus({ state, done, total, result, error }: JobRow): JobStatus {
  return {
    state,
    done,
    total,
    ...(state === 'done' && { result }),
    ...(error !== null && { error }),
  }
}

export const jobs = new Hono<UserEnv>().get('/jobs/:jobId', requireUser, async (c) => {
  const id = jobId.safeParse(c.req.param('jobId'))
  const job = id.success ? await getOwnJob(openDb(c.env.DB), id.data, c.var.user.id) : undefined
  if (!job) throw new AppError('job_not_found')
  return ok(c, toJobStatus(job))
})
