/**
 * Fills a local judge with a small demo course, over HTTP as a person would. Safe to repeat: what is there already is
 * left alone, so that of the whole term (`demo/term`) only the test data are added. It knows everybody's password, so it
 * refuses any server but this machine's.
 */
import * as z from 'zod'
import { announcement, announcementCreated } from '#contract/announcements'
import { batchSignupResult } from '#contract/people/auth'
import { courseItem } from '#contract/courses'
import { homework, homeworkCreated } from '#contract/homeworks'
import { problemCreated, problemPage } from '#contract/problems'
import type { NewProblem, ProblemItem } from '#contract/problems'
import { createApiClient } from '../api-client.ts'
import type { ApiClient } from '../api-client.ts'
import { DEMO_ADMIN, DEMO_PASSWORD, DEMO_PEOPLE } from '../demo/accounts.ts'
import type { DemoProblem } from '../demo/problem.ts'
import { termProblems } from '../demo/term/plan.ts'
import { PlainError } from '../plain-error.ts'
import { packTestData } from '../demo/test-data-zip.ts'

const COURSE = 'Demo'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const DAY_SECONDS = 86_400
const HOMEWORK_DAYS = 60
/** The first of the term's problems. */
const SMALL_DEMO_PROBLEMS = 5

const anything = z.unknown()

/** Accounts; the force flag is off, so that existing people keep what they have. */
async function addPeople(admin: ApiClient): Promise<void> {
  const rows = DEMO_PEOPLE.map(
    ({ username, displayedName, role }) =>
      `${username},${DEMO_PASSWORD},${username}@example.org,${displayedName},${role}`,
  )
  const newUsers = ['username,password,email,displayedName,role', ...rows].join('\n')
  await admin.call('POST', '/auth/batch-signup', batchSignupResult, { json: { newUsers } })
}

/** The course with its members; answers whether it was there already. */
async function addCourse(teacher: ApiClient): Promise<boolean> {
  const courses = await teacher.call('GET', '/course', z.array(courseItem))
  const exists = courses.some((item) => item.course === COURSE)
  if (!exists)
    await teacher.call('POST', '/course', anything, {
      json: { course: COURSE, teacher: 'teacher' },
    })
  const add = DEMO_PEOPLE.filter((person) => person.role === 2).map(({ username }) => ({
    user: username,
    role: username === 'ta' ? 'ta' : 'student',
  }))
  await teacher.call('PATCH', `/course/${COURSE}/members`, anything, { json: { add } })
  return exists
}

/** A problem with its test data, if they are not there; a draft has none. */
async function addProblem(
  teacher: ApiClient,
  demo: DemoProblem,
  existing: ProblemItem | undefined,
): Promise<number> {
  const json: NewProblem = { ...demo.form, course: COURSE }
  const problemId =
    existing?.problemId ??
    (await teacher.call('POST', '/problem/manage', problemCreated, { json })).problemId
  const cases = existing?.hasTestData ? [] : demo.cases
  if (cases.length > 0) await teacher.uploadTestData(problemId, await packTestData(cases))
  return problemId
}

/** The small demo's problems, or the test data of the term's; the name tells which are there. */
async function addProblems(teacher: ApiClient): Promise<number[]> {
  const page = await teacher.call('GET', `/problem?course=${COURSE}&limit=200`, problemPage)
  const ids: number[] = []
  for (const [index, demo] of termProblems().entries()) {
    const existing = page.items.find((item) => item.problemName === demo.form.problemName)
    if (existing || index < SMALL_DEMO_PROBLEMS) ids.push(await addProblem(teacher, demo, existing))
  }
  return ids
}

/** A homework that runs for some weeks. */
async function addHomework(teacher: ApiClient, problemIds: number[]): Promise<void> {
  const homeworks = await teacher.call('GET', `/course/${COURSE}/homework`, z.array(homework))
  if (homeworks.length > 0) return
  const now = Math.floor(Date.now() / 1_000)
  await teacher.call('POST', '/homework', homeworkCreated, {
    json: {
      name: 'First steps',
      courseName: COURSE,
      markdown:
        'Solve as much as you like. Every subtask counts for itself, and the best submission in time is the one that counts.',
      start: now - DAY_SECONDS,
      end: now + HOMEWORK_DAYS * DAY_SECONDS,
      problemIds,
      scoreboardStatus: 0,
    },
  })
}

/** One announcement, unless the list holds any. */
async function addAnnouncement(
  author: ApiClient,
  list: string,
  json: { title: string; markdown: string; courseName?: string; pinned: boolean },
): Promise<void> {
  const existing = await author.call('GET', list, z.array(announcement))
  if (existing.length === 0) await author.call('POST', '/ann', announcementCreated, { json })
}

/**
 * Adds whatever is missing of the demo.
 * @param url of a judge on this machine
 * @returns the API as the course's teacher calls it
 * @throws PlainError for any other host
 */
export async function seedDemo(url: string, signal?: AbortSignal): Promise<ApiClient> {
  if (!LOOPBACK.includes(new URL(url).hostname))
    throw new PlainError(`The demo data belong on this machine only, not on ${url}.`)
  const admin = createApiClient(url, signal)
  await admin.login(DEMO_ADMIN.username, DEMO_ADMIN.password)
  const teacher = createApiClient(url, signal)
  await addPeople(admin)
  await teacher.login('teacher', DEMO_PASSWORD)
  await addCourse(teacher)
  const problemIds = await addProblems(teacher)
  // The others are for looking around: a checker, and a program that talks.
  await addHomework(teacher, problemIds.slice(0, 3))
  await addAnnouncement(admin, '/ann', {
    title: 'Welcome',
    markdown: `This judge runs on your own machine. Sign in as \`student\` and open the course **${COURSE}**.`,
    pinned: true,
  })
  await addAnnouncement(teacher, `/course/${COURSE}/ann`, {
    title: 'How this course works',
    markdown:
      'Read a problem, write a program in C, C++ or Python, hand it in.\n\nThe program reads *standard input* and writes *standard output*.',
    courseName: COURSE,
    pinned: false,
  })
  return teacher
}
