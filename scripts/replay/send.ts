/** Puts a problem on a judge, submits programs and waits for their verdicts. */
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { LANGUAGES } from '#contract/languages'
import { TEXT_LIMITS } from '#contract/limits'
import { problemCreated } from '#contract/problems'
import type { NewProblem } from '#contract/problems'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../api-client.ts'
import { packTestData } from '../demo/test-data-zip.ts'
import type { ProblemFolder, Solution } from './problem-folder.ts'

const POLL_MS = 300

/** Creates the problem with its test data. */
export async function createProblem(
  api: ApiClient,
  folder: ProblemFolder,
  course: string,
): Promise<number> {
  const json: NewProblem = {
    course,
    problemName: folder.title.slice(0, TEXT_LIMITS.problemName),
    status: 0,
    description: { description: `Replay of \`${folder.name}\`.` },
    testCase: folder.subtasks.map((subtask, index) => ({
      caseCount: folder.cases[index]?.length ?? 0,
      taskScore: subtask.score,
      sample: subtask.score === 0,
      memoryLimit: subtask.memoryKb,
      timeLimit: subtask.timeMs,
      ...(subtask.outputKb !== undefined && { outputLimit: subtask.outputKb }),
    })),
    compare: folder.compare,
  }
  const { problemId } = await api.call('POST', '/problem/manage', problemCreated, { json })
  await api.uploadTestData(problemId, await packTestData(folder.cases))
  return problemId
}

/** The bytes as text; null when encoding that text as UTF-8 would not give the same bytes. */
function exactText(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null
}

/** Submits a program byte for byte: as JSON, or in two steps as a file when JSON cannot hold its bytes. */
export async function submit(
  api: ApiClient,
  problemId: number,
  solution: Solution,
): Promise<string> {
  const language = LANGUAGES.find((candidate) => candidate.id === solution.language)
  const languageType = language?.code
  const code = exactText(solution.code)
  const oneStep = code !== null && code !== ''
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType, ...(oneStep && { code }) },
  })
  if (oneStep) return submissionId
  const form = new FormData()
  form.set('code', new Blob([new Uint8Array(solution.code)]), language?.file ?? solution.file)
  await api.call('PUT', `/submission/${submissionId}`, z.unknown(), { form })
  return submissionId
}

/** Polls until the verdict is there. @returns null when the deadline (epoch ms) comes first */
export async function untilJudged(
  api: ApiClient,
  submissionId: string,
  deadline: number,
): Promise<SubmissionDetail | null> {
  for (;;) {
    const detail = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (detail.status !== STATUS.PENDING) return detail
    if (Date.now() >= deadline) return null
    await delay(POLL_MS)
  }
}
