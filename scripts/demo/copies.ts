/** Submits the demo students' programs for one problem. One of them looks like a copy of another. */
import { setTimeout as delay } from 'node:timers/promises'
import { copycatStarted, copycatState } from '#contract/copycat'
import { problemPage } from '#contract/problems'
import { submissionCreated, submissionPage } from '#contract/submissions'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { PlainError } from '../plain-error.ts'
import { DEMO_PASSWORD } from './accounts.ts'
import { divisorProblem } from './divisors.ts'
import { termPrograms } from './term/program-files.ts'
import { folderOf } from './term/programs.ts'

/** How often the report is asked for, and how long to wait in between. */
const TRIES = 150
const PAUSE_MS = 200

/**
 * Submits the programs, unless that was done before; returns the problem's id. Needs the demo course.
 * @param teacher the API, signed in as the course's teacher
 */
export async function handInCopies(teacher: ApiClient): Promise<number> {
  const { items } = await teacher.call('GET', '/problem?course=Demo&limit=200', problemPage)
  const { problemName } = divisorProblem().form
  const problemId = items.find((item) => item.problemName === problemName)?.problemId
  if (problemId === undefined) throw new PlainError('The demo course is missing.')
  const path = `/submission?course=Demo&problemId=${problemId}&limit=1`
  const there = await teacher.call('GET', path, submissionPage)
  if (there.submissions.length > 0) return problemId
  for (const { username, languageType, code } of termPrograms().get(folderOf(problemName)) ?? []) {
    if (username === null) continue
    const student = createApiClient(teacher.url)
    await student.login(username, DEMO_PASSWORD)
    await student.call('POST', '/submission', submissionCreated, {
      json: { problemId, languageType, code },
    })
  }
  return problemId
}

/** Starts copy detection among a problem's submissions, unless there is a report; does not wait for it. */
export async function lookForCopies(teacher: ApiClient, problemId: number): Promise<void> {
  const json = { course: 'Demo', problemId }
  const report = await teacher.send('GET', `/copycat?course=Demo&problemId=${problemId}`)
  if (!report.ok) await teacher.call('POST', '/copycat', copycatStarted, { json })
}

/** Starts copy detection and waits for the report. */
export async function findCopies(teacher: ApiClient, problemId: number): Promise<void> {
  await lookForCopies(teacher, problemId)
  const path = `/copycat?course=Demo&problemId=${problemId}`
  for (let tries = 0; tries < TRIES; tries += 1) {
    if ((await teacher.call('GET', path, copycatState)).state === 'done') return
    await delay(PAUSE_MS)
  }
  throw new PlainError('Copy detection did not end in time.')
}
