/** The calls between runners and server, and the queue's ticket; docs/runner-protocol.md says when each is made. */
import * as z from 'zod'
import {
  CALIBRATION,
  COMPILE_MESSAGE_BYTES,
  COUNT_LIMITS,
  KEPT_OUTPUT_BYTES,
  RUNNERS,
} from '#contract/limits'
import { compareMode } from '#contract/compare'
import { hexId, intBetween, listOf, requiredText } from '#contract/fields'
import { languageId, type LanguageId } from '#contract/languages'
import { subtask } from '#contract/problems'
import { caseResult, subtaskResult, verdict } from '#contract/verdicts'

/** A queue message: says that there is work, and nothing else. */
export const ticket = z.object({ v: z.literal(1), judgementId: hexId })
const versions = Object.fromEntries(
  languageId.options.map((id) => [id, z.string().max(255)]),
) as Record<LanguageId, z.ZodString>

/** What a runner says about its machine; shown to admins. */
export const hostInfo = z.object({
  hostname: z.string().max(255),
  kernel: z.string().max(255),
  cpu: z.string().max(255),
  cores: z.int().min(1),
  memoryKb: z.int().min(0),
  cgroup: z.enum(['v1', 'v2']),
  /**
   * Language id → first line of what its compiler or interpreter says its version is. What a host says of languages that
   * are not in the table is passed over.
   */
  languages: z.object(versions).partial().optional(),
  /** Time in ms of a fixed computation measured at start, so that unequal hosts can be told apart. */
  calibrationMs: z.number().min(0).optional(),
})

export type HostInfo = z.infer<typeof hostInfo>

/** Whether a host is so slow that a program close to a time limit may fail there and pass elsewhere. */
export function isSlowHost(calibrationMs: number): boolean {
  return calibrationMs > CALIBRATION.referenceMs * CALIBRATION.slow
}

/** POST /runner/register, with the registration token as bearer. */
export const runnerRegistration = z.object({
  name: requiredText(64),
  slots: intBetween(1, RUNNERS.slots),
  version: z.string().max(64),
  host: hostInfo,
})
export type RunnerRegistration = z.infer<typeof runnerRegistration>

/** Its answer. The token is shown this once; times in seconds. */
export const runnerRegistered = z.object({
  runnerId: hexId,
  token: z.string(),
  config: z.object({
    leaseSeconds: z.int(),
    heartbeatSeconds: z.int(),
    idleClaimSeconds: z.int(),
    progressIntervalMs: z.int(),
  }),
})
export type RunnerRegistered = z.infer<typeof runnerRegistered>

/**
 * POST /runner/heartbeat: extends the leases it names, as far as they are its own, up to twice its slots: those at work and
 * those whose results are on their way. `load` is the one-minute load average.
 * `started`: this is the first beat since the runner's process began; its leases that `active` does not
 * name belong to a process that is gone and end at once. Name what waits in the outbox as well: its result
 * is as good as work under way. `version` and `host` tell about a runner that an admin added by hand.
 */
export const heartbeat = z.object({
  active: listOf(hexId, RUNNERS.slots),
  slots: intBetween(1, RUNNERS.slots),
  free: intBetween(0, RUNNERS.slots),
  load: z.number().min(0),
  started: z.boolean().optional(),
  version: z.string().max(64).optional(),
  host: hostInfo.optional(),
})
export type Heartbeat = z.infer<typeof heartbeat>

/** Its answer: a draining runner finishes what it has and takes nothing new. */
export const heartbeatAnswer = z.object({ state: z.enum(['active', 'draining']) })

/**
 * The body of POST /runner/jobs/claim, which may be left out. A host gets as many jobs as it has slots; `delivering` names
 * those that have been judged and whose results are on their way: up to one a slot, they take up none.
 */
export const claimRequest = z.object({ delivering: listOf(hexId, 2 * RUNNERS.slots).optional() })
export type ClaimRequest = z.infer<typeof claimRequest>

/**
 * POST /runner/jobs/claim. `lease` fences every later call; `source` is the code in base64, byte for byte.
 * `testData.version` names immutable bytes; `sha256` is null until the Worker has hashed them.
 * `rejudge`: only of a bulk rejudge's judgement, the last bulk rejudge begun before it was queued.
 */
export const job = z.object({
  judgementId: hexId,
  submissionId: hexId,
  attempt: z.int(),
  lease: z.string(),
  leaseSeconds: z.int(),
  language: languageId,
  source: z.base64(),
  testData: z.object({
    version: z.string(),
    sha256: z.string().nullable(),
    size: z.int(),
    url: z.string(),
  }),
  tasks: z.array(subtask),
  compare: compareMode,
  rejudge: hexId.optional(),
})
export type Job = z.infer<typeof job>

const lease = z.string().min(1).max(64)

/** Cases of one job, at most. */
const caseCount = intBetween(0, COUNT_LIMITS.subtasks * COUNT_LIMITS.casesPerSubtask)

/** POST /runner/jobs/{id}/progress. How many cases there are the server knows itself: more than those are never done. */
export const progressReport = z.object({
  lease,
  phase: z.enum(['compiling', 'running']),
  done: caseCount,
  total: caseCount,
})
export type ProgressReport = z.infer<typeof progressReport>

/** Kept bytes in base64, four characters for three of them. */
const keptStream = z.base64().max(Math.ceil(KEPT_OUTPUT_BYTES / 3) * 4)

/** Output of one case, streams in base64 and cut to 64 KiB, with full sizes in bytes. */
export const reportedOutput = z.object({
  task: z.int().min(0),
  case: z.int().min(0),
  stdout: keptStream,
  stdoutSize: z.int().min(0),
  stderr: keptStream,
  stderrSize: z.int().min(0),
  expected: keptStream,
  expectedSize: z.int().min(0),
})
export type ReportedOutput = z.infer<typeof reportedOutput>

/**
 * PUT /runner/jobs/{id}/result. `reason` tells staff why it was a Judge Error, or on what its checker failed. A result that
 * cannot be this job's (`resultFault`) is refused as `bad_result`: the job goes back, and it is counted against the host.
 */
export const resultReport = z.object({
  lease,
  status: verdict,
  score: z.int().min(0).max(100),
  ...caseResult.omit({ status: true }).shape,
  tasks: listOf(subtaskResult, COUNT_LIMITS.subtasks),
  compileMessage: z.string().max(COMPILE_MESSAGE_BYTES).nullable(),
  reason: z.string().max(2_000).nullable(),
  outputs: listOf(reportedOutput, COUNT_LIMITS.subtasks * COUNT_LIMITS.casesPerSubtask),
})
export type ResultReport = z.infer<typeof resultReport>

/**
 * POST /runner/jobs/{id}/release: hands the job back. `reason` is kept for staff. The attempt does not count when the host
 * stops (`drained`), nor when the trouble is the host's own state (`fault` is `host`: busy, out of memory, a sandbox
 * that failed, no network); it does when the trouble is in this job (`job`, or no `fault`). A host that handed a job back gets
 * it again later than others, and later each time.
 */
export const jobRelease = z.object({
  lease,
  drained: z.boolean(),
  reason: z.string().max(2_000).nullable(),
  fault: z.enum(['host', 'job']).optional(),
})
export type JobRelease = z.infer<typeof jobRelease>
