/** The calls between runners and server, and the queue's ticket; docs/runner-protocol.md says when each is made. */
import * as z from 'zod'
import {
  CALIBRATION,
  COMPILE_MESSAGE_BYTES,
  COUNT_LIMITS,
  KEPT_OUTPUT_BYTES,
  REASON_LENGTH,
  RUNNERS,
} from '#contract/limits'
import { compareMode } from '#contract/problems/compare'
import { hexId, intBetween, listOf, visibleName } from '#contract/fields'
import { languageId, type LanguageId } from '#contract/languages/codes'
import { mistake } from '#contract/submissions'
import { subtask } from '#contract/problems'
import { caseResult, subtaskResult, verdict } from '#contract/verdicts'

/** A queue message, which only says that there is work. */
export const ticket = z.object({ v: z.literal(1), judgementId: hexId })
const versions = Object.fromEntries(
  languageId.options.map((id) => [id, z.string().max(255)]),
) as Record<LanguageId, z.ZodString>

/** What a runner reports about its machine, for admins. */
export const hostInfo = z.object({
  hostname: z.string().max(255),
  kernel: z.string().max(255),
  cpu: z.string().max(255),
  cores: z.int().min(1),
  memoryKb: z.int().min(0),
  cgroup: z.enum(['v1', 'v2']),
  /**
   * Language id → first line of the version that its compiler or interpreter prints. Unknown languages are
   * ignored.
   */
  languages: z.object(versions).partial().optional(),
  /** Time in ms of a fixed computation at start, to compare hosts. */
  calibrationMs: z.number().min(0).optional(),
})

export type HostInfo = z.infer<typeof hostInfo>

/** Whether a host is so slow that a program close to a time limit may fail there and pass elsewhere. */
export function isSlowHost(calibrationMs: number): boolean {
  return calibrationMs > CALIBRATION.referenceMs * CALIBRATION.slowFactor
}

/** POST /runner/register, with the registration token as bearer. */
export const runnerRegistration = z.object({
  name: visibleName(64),
  slots: intBetween(1, RUNNERS.slots),
  version: z.string().max(64),
  host: hostInfo,
})
export type RunnerRegistration = z.infer<typeof runnerRegistration>

/** Answer of POST /runner/register. The token is shown only here. */
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
 * POST /runner/heartbeat: extends the leases in `active` that are the runner's own: jobs at work, jobs claimed ahead and jobs whose
 * results are on their way, up to four per slot. `load` is the one-minute load average. `started`: it is the first heartbeat of a
 * new process, or follows a claim whose answer was lost. A heartbeat with `started` ends all leases of the runner that it does not name, so
 * it must also name jobs whose results are in the outbox. `version` and `host` describe a runner that an admin added by hand.
 */
export const heartbeat = z.object({
  active: listOf(hexId, RUNNERS.jobsPerSlot * RUNNERS.slots),
  slots: intBetween(1, RUNNERS.slots),
  free: intBetween(0, RUNNERS.slots),
  load: z.number().min(0),
  started: z.boolean().optional(),
  version: z.string().max(64).optional(),
  host: hostInfo.optional(),
})
export type Heartbeat = z.infer<typeof heartbeat>

/**
 * Answer of POST /runner/heartbeat. A draining runner finishes its jobs and takes no new ones. `pack`: the SHA-256 of the packed
 * runner that the server publishes; a host installed from another pack updates itself when idle.
 */
export const heartbeatAnswer = z.object({
  state: z.enum(['active', 'draining']),
  pack: z.string().optional(),
})
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>

/**
 * POST /runner/jobs/claim; the body is optional. A host gets as many jobs as it has slots. `takesRuns`: the host has a free slot, so it
 * takes sample runs, too. `ahead`: the job is to wait at the host for a slot. A host may hold two such jobs for each slot, and
 * gets one only while more jobs wait than all hosts have slots.
 */
export const claimRequest = z.object({
  takesRuns: z.boolean().default(false),
  ahead: z.boolean().default(false),
})
export type ClaimRequest = z.infer<typeof claimRequest>

/** A version of test data. Its bytes are immutable; `sha256` is null until the Worker has hashed them. */
const testDataRef = z.object({
  version: z.string(),
  sha256: z.string().nullable(),
  size: z.int(),
  url: z.string(),
})
export type TestDataRef = z.infer<typeof testDataRef>

/** The inputs of a sample run, each a subtask of one case. `expected` null: nothing is compared. */
const runInputs = z.object({
  inputs: z.array(z.object({ input: z.string(), expected: z.string().nullable() })),
})
export type RunInputs = z.infer<typeof runInputs>

/**
 * Answer of POST /runner/jobs/claim, and of a result with `next`. Every later call carries `lease`. `source` is the code in base64, byte
 * for byte. A sample run carries its inputs as `testData`, and its own id as both `judgementId` and `submissionId`. `rejudge`: the bulk
 * rejudge that the judgement belongs to. `rank`: how many recent submissions its student made before it; a job that waits at a host goes
 * before those of a higher rank. `more`: whether a claim made now is likely to find another job; if not, the host is woken for the
 * next one.
 */
export const job = z.object({
  judgementId: hexId,
  submissionId: hexId,
  attempt: z.int(),
  lease: z.string(),
  leaseSeconds: z.int(),
  language: languageId,
  source: z.base64(),
  testData: z.union([testDataRef, runInputs]),
  tasks: z.array(subtask),
  compare: compareMode,
  rank: z.int(),
  rejudge: hexId.optional(),
  more: z.boolean().optional(),
})
export type Job = z.infer<typeof job>

const lease = z.string().min(1).max(64)

/** The most cases of a job. */
const caseCount = intBetween(0, COUNT_LIMITS.subtasks * COUNT_LIMITS.casesPerSubtask)

/** POST /runner/jobs/{id}/progress. The server knows the number of cases itself and ignores larger numbers. */
export const progressReport = z.object({
  lease,
  phase: z.enum(['compiling', 'running']),
  done: caseCount,
  total: caseCount,
})
export type ProgressReport = z.infer<typeof progressReport>

/** Kept bytes in base64: four characters for three bytes. */
const keptStream = z.base64().max(Math.ceil(KEPT_OUTPUT_BYTES / 3) * 4)

/** Output of one case. Streams are base64 and cut to 64 KiB; sizes are those of the whole streams, in bytes. */
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
 * PUT /runner/jobs/{id}/result. `reason` tells staff why it was a Judge Error, or on what its checker failed. `judgedMs`: how long
 * a slot judged the job, without the job's wait for the slot; older hosts leave it out. `mistake`: the fingerprint of the first failing case or
 * the compiler's first error; ignored after Accepted and Judge Error. `next`: the host also claims its next job;
 * the answer is that job, or null. Sending the same result again gets the same job and lease. A result that does not fit the job
 * (`resultFault`) is refused as `bad_result`: the job goes back to the queue, and the refusal counts against the host.
 */
export const resultReport = z.object({
  lease,
  status: verdict,
  score: z.int().min(0).max(100),
  ...caseResult.pick({ runTime: true, memoryUsage: true }).shape,
  tasks: listOf(subtaskResult, COUNT_LIMITS.subtasks),
  compileMessage: z.string().max(COMPILE_MESSAGE_BYTES).nullable(),
  reason: z.string().max(REASON_LENGTH).nullable(),
  mistake: mistake.nullable().optional(),
  outputs: listOf(reportedOutput, COUNT_LIMITS.subtasks * COUNT_LIMITS.casesPerSubtask),
  judgedMs: z.int().min(0).optional(),
  next: claimRequest.optional(),
})
export type ResultReport = z.infer<typeof resultReport>

/**
 * POST /runner/jobs/{id}/release: hands the job back. `reason` is kept for staff. The attempt does not count when the host stops
 * (`drained`) or when its own state is the trouble (`fault` is `host`: busy, out of memory, a failed sandbox, no network). The
 * attempt counts when the job is the trouble (`fault` is `job` or absent). This host gets the job again later than other hosts, and
 * later each time. `began` false: the job had no slot yet; a host's first such release of a job has no consequence for the job or
 * the host.
 */
export const jobRelease = z.object({
  lease,
  drained: z.boolean(),
  reason: z.string().max(REASON_LENGTH).nullable(),
  fault: z.enum(['host', 'job']).optional(),
  began: z.boolean().optional(),
})
export type JobRelease = z.infer<typeof jobRelease>
