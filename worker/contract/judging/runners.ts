/** Judge hosts as admins and staff see them. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, visibleName } from '#contract/fields'
import { hostInfo } from '#contract/judging'
import { RUNNERS } from '#contract/limits'

/** A `draining` runner finishes its jobs and takes no new ones. */
const runnerState = z.enum(['active', 'draining'])

/**
 * A judge host.
 * - `alive`: a heartbeat came in the last 45 s; `lastHeartbeat` is null before the first
 * - `activeJobs` are leased to it now; `free` of its `slots` are free, as it reported
 * - `slotLimit`: the most jobs it may hold, whatever its `slots`
 * - `load`: one-minute load average
 * - `jobSeconds`: moving average of a job's time in a slot, for older hosts from claim to result; null before the first job
 * - `refusedResults`: results refused as `bad_result` since an admin last activated it, with the last
 *   reason; three drain it
 * - `etag`: for the If-Match of PATCH /runners/{id}
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

/** GET /runners: a bare array of at most 200, the newest heartbeat first. */
export const runnerList = z.array(runner)

/** POST /runners: adds a host by hand, which then needs no registration token. */
export const newRunner = z.object({ name: visibleName(64) })

/**
 * Answer of POST /runners. The token is shown only here. `installSha256`: the sum of the published install script; null where the
 * web app was not built.
 */
export const runnerAdded = z.object({
  runnerId: hexId,
  token: z.string(),
  installSha256: z.string().nullable(),
})
export type RunnerAdded = z.infer<typeof runnerAdded>

/** PATCH /runners/{id}. `state: active` also forgets the host's refused results. */
export const runnerEdit = z.object({
  state: runnerState.optional(),
  name: visibleName(64).optional(),
  slotLimit: intBetween(1, RUNNERS.slots).optional(),
})
export type RunnerEdit = z.infer<typeof runnerEdit>

/**
 * GET /runners/queue.
 * - `pending`: submissions without a verdict, those at work included
 * - `oldestSeconds`: how long the oldest of them has waited; 0 when none waits
 * - `activeRunners` are alive and not draining; `slots` are all their slots
 * - `estimateSeconds`: time until a new submission is judged at the present pace; null while no host judges
 * - `wantedRunners`: hosts that would judge all that waits within a minute; 1 for an empty queue
 * - `livingHosts`: the names of all hosts with a recent heartbeat, draining ones included
 * - `unhealthy`: jobs handed back for more than an hour by every host that had them; counted up to 1000
 */
export const queueState = z.object({
  pending: z.int(),
  oldestSeconds: z.int(),
  activeRunners: z.int(),
  slots: z.int(),
  estimateSeconds: z.int().nullable(),
  wantedRunners: z.int(),
  livingHosts: z.array(z.string()),
  unhealthy: z.int(),
})
export type QueueState = z.infer<typeof queueState>
