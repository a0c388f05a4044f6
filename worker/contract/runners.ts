/** The fleet of judge hosts as admins and staff see it. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, listOf, problemId, requiredText } from '#contract/fields'
import { hostInfo } from '#contract/judging'
import { RUNNERS } from '#contract/limits'
import { verdict } from '#contract/verdicts'

/** A runner finishes what it has and takes nothing new while `draining`. */
const runnerState = z.enum(['active', 'draining'])

/**
 * A judge host. `alive`: heard of within the last 45 s; `lastHeartbeat` null: never. `activeJobs` are leased to it
 * now, `free` of its `slots` it reported as free. `load`: one-minute load average. `jobSeconds`: sliding mean of the
 * time from claim to result; null before the first. `slotLimit`: it holds no more jobs than this, whatever it says of its
 * slots. `refusedResults`: results refused as `bad_result` since an admin last put it to work, with why the last one was;
 * the third drains it. `etag` for the If-Match of PATCH /runners/{id}.
 */
export const runner = z.object({
  runnerId: hexId,
  name: z.string(),
  state: runnerState,
  alive: z.boolean(),
  lastHeartbeat: epochSeconds.nullable(),
  slots: z.int(),
  slotLimit: z.int(),
  free: z.int(),
  activeJobs: z.int(),
  load: z.number(),
  jobSeconds: z.number().nullable(),
  version: z.string(),
  host: hostInfo.nullable(),
  refusedResults: z.int(),
  lastRefusal: z.string().nullable(),
  createTime: epochSeconds,
  etag: z.string(),
})
export type Runner = z.infer<typeof runner>

/** GET /runners: a bare array, the one heard of last first, at most 200. */
export const runnerList = z.array(runner)

/** POST /runners: adds a host by hand; it needs no registration token then. */
export const newRunner = z.object({ name: requiredText(64) })

/** Its answer. The token is shown this once. */
export const runnerAdded = z.object({ runnerId: hexId, token: z.string() })

/** PATCH /runners/{id}. `state` `active` also forgets its refused results. */
export const runnerEdit = z.object({
  state: runnerState.optional(),
  name: requiredText(64).optional(),
  slotLimit: intBetween(1, RUNNERS.slots).optional(),
})
export type RunnerEdit = z.infer<typeof runnerEdit>

/**
 * GET /runners/queue. `pending`: submissions without a verdict, those being judged included; `oldestSeconds`: how long
 * the oldest has waited, 0 when none does. `slots` of `activeRunners` that live and do not drain. `estimateSeconds`:
 * when a submission of now is judged at the present pace; null while nothing judges. `unhealthy`: how many wait for a
 * healthy host, handed back for more than an hour by every host that had them; counted up to 1000.
 */
export const queueState = z.object({
  pending: z.int(),
  oldestSeconds: z.int(),
  activeRunners: z.int(),
  slots: z.int(),
  estimateSeconds: z.int().nullable(),
  unhealthy: z.int(),
})
export type QueueState = z.infer<typeof queueState>

/** POST /runners/requeue: every Judge Error again, of one problem or of all courses one is staff of. Answer: `jobStarted`. */
export const requeue = z.object({ status: z.literal(6), problemId: problemId.optional() })

/** POST /problem/{id}/rejudge and POST /homework/{id}/rejudge: those with these verdicts, else all. Answer: `jobStarted`. */
export const bulkRejudge = z.object({ status: listOf(verdict, 8, 1).optional() })
