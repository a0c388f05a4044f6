/** Fills the demo course with submissions, a question and a report of copies; returns the ids that pages need. */
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { announcement } from '#contract/announcements'
import { homework } from '#contract/homeworks'
import { questionCreated } from '#contract/questions'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { PlainError } from '../plain-error.ts'
import { DEMO_PASSWORD } from './accounts.ts'
import { findCopies, handInCopies } from './copies.ts'

/** How often a submission is asked for its verdict, and how long to wait in between. */
const TRIES = 300
const PAUSE_MS = 200

/** Programs for the demo's first problem, so that lists show more than one verdict: Python, C++ and C. */
const PROGRAMS = [
  { languageType: 2, code: 'print(sum(map(int, input().split())) + 1)\n' },
  { languageType: 1, code: 'int main() { return undeclared; }\n' },
  {
    languageType: 0,
    code: '#include <stdio.h>\n\nint main(void)\n{\n    int a, b;\n    scanf("%d %d", &a, &b);\n    printf("%d\\n", a + b);\n}\n',
  },
] as const

export interface DemoIds {
  systemAnnouncement: string
  announcement: string
  /** The homework that is running. */
  homework: string
  /** The student's newest submission, which is accepted in part. */
  submission: string
  /** An answered question about problem 1. */
  question: string
  /** A problem with a report of copies. */
  copiedProblem: number
}

/** Waits for a submission's verdict. */
export async function untilJudged(api: ApiClient, submissionId: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (status !== -1) return
    await delay(PAUSE_MS)
  }
  throw new PlainError(`The submission ${submissionId} got no verdict.`)
}

/** Submits a program and waits for its verdict; returns the submission's id. */
async function judge(api: ApiClient, program: (typeof PROGRAMS)[number]): Promise<string> {
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, ...program },
  })
  await untilJudged(api, submissionId)
  return submissionId
}

/** The first item of a list. */
function first<T>(items: readonly T[]): T {
  const [item] = items
  if (item === undefined) throw new PlainError('The demo course is missing.')
  return item
}

/** Asks about a problem as the student and answers as the teacher; returns the question's id. */
async function askAndAnswer(api: ApiClient, teacher: ApiClient): Promise<string> {
  const { questionId } = await api.call('POST', '/problem/1/questions', questionCreated, {
    json: { markdown: 'May the sum be larger than an `int`?' },
  })
  await teacher.call('POST', `/question/${questionId}/messages`, z.null(), {
    json: { markdown: 'No: both numbers are at most $10^9$, so it fits.' },
  })
  return questionId
}

/** Submits the programs of the demo's students, asks and answers a question, and detects copies. Needs the demo course and a runner. */
export async function fillDemo(url: string): Promise<DemoIds> {
  const api = createApiClient(url)
  await api.login('student', DEMO_PASSWORD)
  let submission = ''
  for (const program of PROGRAMS) submission = await judge(api, program)
  const teacher = createApiClient(url)
  await teacher.login('teacher', DEMO_PASSWORD)
  const copiedProblem = await handInCopies(teacher)
  await findCopies(teacher, copiedProblem)
  const anns = z.array(announcement)
  const homeworks = await api.call('GET', '/course/Demo/homework', z.array(homework))
  return {
    systemAnnouncement: first(await api.call('GET', '/ann', anns)).annId,
    announcement: first(await api.call('GET', '/course/Demo/ann', anns)).annId,
    homework: first(homeworks.filter(({ status }) => status === 'running')).id,
    submission,
    question: await askAndAnswer(api, teacher),
    copiedProblem,
  }
}
