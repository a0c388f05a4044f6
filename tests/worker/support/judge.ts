/** A judge host played by tests: it claims jobs and reports invented results. */
import type { ResultReport } from '#contract/judging'
import {
  judgeOutcome,
  judgeSubtask,
  outcomeWithoutRun,
  STATUS,
  type CaseResult,
  type Verdict,
} from '#contract/verdicts'
import { runSql } from './sql.ts'
import { call, createProblem, registerRunner, submit, type Answer } from './world.ts'

const SKIPPED: CaseResult = { status: null, runTime: null, memoryUsage: null }

/** The report about `createProblem`'s problem: each first case has this status; after a failure the next case is skipped. */
export function reportOf(
  lease: string,
  status: Verdict = STATUS.AC,
  outputs: ResultReport['outputs'] = [],
) {
  const ran = { status, runTime: 3, memoryUsage: 900 }
  const second = status === STATUS.AC ? ran : SKIPPED
  const outcome =
    status === STATUS.CE || status === STATUS.JE
      ? outcomeWithoutRun(status, [1, 2])
      : judgeOutcome([judgeSubtask([ran], 0), judgeSubtask([ran, second], 100)])
  const compileMessage = status === STATUS.CE ? 'main.c:1: error' : null
  return { lease, ...outcome, compileMessage, reason: null, outputs }
}

/** A kept output as a host reports it, for the first case of a subtask; the arguments are plain texts. */
export function outputOf({ task = 0, stdout = '', expected = '' }) {
  return {
    task,
    case: 0,
    stdout: Buffer.from(stdout).toString('base64'),
    stdoutSize: stdout.length,
    stderr: '',
    stderrSize: 0,
    expected: Buffer.from(expected).toString('base64'),
    expectedSize: expected.length,
  }
}

/** A problem with a submission that a host is judging. */
export async function createClaimedJob() {
  const world = await createProblem()
  const token = await registerRunner()
  const id = await submit(world.student, world.problemId)
  return { ...world, token, id, job: (await claim(token)).data }
}

/** Claims a job. */
export async function claim(token: string): Promise<Answer> {
  return call('POST', '/runner/jobs/claim', { token })
}

/** Reports a result. */
export async function report(token: string, judgementId: string, json: unknown): Promise<Answer> {
  return call('PUT', `/runner/jobs/${judgementId}/result`, { token, json })
}

/** Judges every waiting job; answers the submissions in the order of their claims. */
export async function judgeAll(token: string, status: Verdict = STATUS.AC): Promise<string[]> {
  const order: string[] = []
  for (;;) {
    const job = await claim(token)
    if (job.status === 204) return order
    await report(token, job.data.judgementId, reportOf(job.data.lease, status))
    order.push(job.data.submissionId)
  }
}

/** Moves all open leases and pauses into the past, as if time had passed. */
export async function expireLeases(): Promise<void> {
  await runSql`update judgements set lease_until = 0 where finished_at is null
    and lease_until is not null`
}

/** Removes the jobs that earlier tests left in the queue. */
export async function emptyQueue(): Promise<void> {
  await runSql`update judgements set finished_at = 1, state = 'superseded'
    where finished_at is null`
}
