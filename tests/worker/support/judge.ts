/** A judge host as tests play it: claims jobs and reports made-up results. */
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

/** The report of a run of `createProblem`'s problem in which the first case of each subtask ended this way, and the rest if it may. */
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

/** A kept output as a host reports it, of the first case of a subtask; texts stand in it as they are printed. */
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

/** A problem whose student has handed in a program that a host is judging. */
export async function createClaimedJob() {
  const world = await createProblem()
  const token = await registerRunner()
  const id = await submit(world.student, world.problemId)
  return { ...world, token, id, job: (await claim(token)).data }
}

/** Asks for work. */
export async function claim(token: string): Promise<Answer> {
  return call('POST', '/runner/jobs/claim', { token })
}

/** Reports a result. */
export async function report(token: string, judgementId: string, json: unknown): Promise<Answer> {
  return call('PUT', `/runner/jobs/${judgementId}/result`, { token, json })
}

/** Judges everything that waits; gives the submissions in the order they were taken. */
export async function judgeAll(token: string, status: Verdict = STATUS.AC): Promise<string[]> {
  const order: string[] = []
  for (;;) {
    const job = await claim(token)
    if (job.status === 204) return order
    await report(token, job.data.judgementId, reportOf(job.data.lease, status))
    order.push(job.data.submissionId)
  }
}

/** Moves every open lease and pause into the past, as waiting for them would. */
export async function expireLeases(): Promise<void> {
  await runSql`update judgements set lease_until = 0 where finished_at is null
    and lease_until is not null`
}

/** Takes what earlier tests left in the queue out of it. */
export async function emptyQueue(): Promise<void> {
  await runSql`update judgements set finished_at = 1, state = 'superseded'
    where finished_at is null`
}
