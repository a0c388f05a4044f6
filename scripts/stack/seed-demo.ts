/**
 * Fills a local judge with a demo course, over HTTP as a person would. A second run does not change
 * existing parts. The demo's passwords are public, so it refuses any server that is not on this machine.
 */
import * as z from 'zod'
import { announcement, announcementCreated } from '#contract/announcements'
import { batchSignupResult } from '#contract/people/auth'
import { courseItem } from '#contract/courses'
import { overridesChanged } from '#contract/homework-overrides'
import { homework, homeworkCreated } from '#contract/homeworks'
import { problemCreated, problemPage } from '#contract/problems'
import type { NewProblem } from '#contract/problems'
import { createApiClient } from '../api-client.ts'
import type { ApiClient } from '../api-client.ts'
import { DEMO_ADMIN, DEMO_PASSWORD, DEMO_PEOPLE } from '../demo/accounts.ts'
import type { DemoCourse } from '../demo/problem.ts'
import { termProblems } from '../demo/term/plan.ts'
import { PlainError } from '../plain-error.ts'
import { packTestData } from '../demo/test-data-zip.ts'

const COURSE = 'Demo'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const DAY_SECONDS = 86_400
const HOMEWORK_DAYS = 60

const anything = z.unknown()

/** The small demo, with the first of the term's problems. */
function smallCourse(): DemoCourse {
  const now = Math.floor(Date.now() / 1_000)
  return {
    people: DEMO_PEOPLE,
    problems: termProblems().slice(0, 5),
    homeworks: [
      {
        name: 'First steps',
        markdown:
          'Solve as much as you like. Every subtask counts for itself, and the best submission in time is the one that counts.',
        start: now - DAY_SECONDS,
        // The last second of a minute.
        end: now - (now % 60) + 59 + HOMEWORK_DAYS * DAY_SECONDS,
        // The other problems are for looking around: one with a checker, and one with an interactor.
        problems: [0, 1, 2],
      },
    ],
    announcements: [
      {
        title: 'How this course works',
        markdown:
          'Read a problem, write a program in C, C++ or Python, hand it in.\n\nThe program reads *standard input* and writes *standard output*.',
        pinned: false,
      },
    ],
  }
}

/** Adds accounts; the force flag is off, so that existing accounts are not changed. */
async function addPeople(admin: ApiClient, people: DemoCourse['people']): Promise<void> {
  const rows = people.map(
    ({ username, displayedName, role }) =>
      `${username},${DEMO_PASSWORD},${username}@example.org,${displayedName},${role}`,
  )
  const newUsers = ['username,password,email,displayedName,role', ...rows].join('\n')
  await admin.call('POST', '/auth/batch-signup', batchSignupResult, { json: { newUsers } })
}

/** Adds the course with its members. */
async function addCourse(teacher: ApiClient, people: DemoCourse['people']): Promise<void> {
  const courses = await teacher.call('GET', '/course', z.array(courseItem))
  if (!courses.some((item) => item.course === COURSE))
    await teacher.call('POST', '/course', anything, {
      json: { course: COURSE, teacher: 'teacher' },
    })
  const add = people
    .filter((person) => person.role === 2)
    .map(({ username }) => ({ user: username, role: username === 'ta' ? 'ta' : 'student' }))
  await teacher.call('PATCH', `/course/${COURSE}/members`, anything, { json: { add } })
}

/** Adds problems whose names do not exist yet, with their test data. A draft has no test data. */
async function addProblems(
  teacher: ApiClient,
  problems: DemoCourse['problems'],
): Promise<number[]> {
  const page = await teacher.call('GET', `/problem?course=${COURSE}&limit=200`, problemPage)
  const ids: number[] = []
  for (const demo of problems) {
    const existing = page.items.find((item) => item.problemName === demo.form.problemName)
    const json: NewProblem = { ...demo.form, course: COURSE }
    const problemId =
      existing?.problemId ??
      (await teacher.call('POST', '/problem/manage', problemCreated, { json })).problemId
    const cases = existing?.hasTestData ? [] : demo.cases
    if (cases.length > 0) await teacher.uploadTestData(problemId, await packTestData(cases))
    ids.push(problemId)
  }
  return ids
}

/** Adds the homeworks, unless there is any. */
async function addHomeworks(
  teacher: ApiClient,
  homeworks: DemoCourse['homeworks'],
  problemIds: readonly number[],
): Promise<void> {
  const existing = await teacher.call('GET', `/course/${COURSE}/homework`, z.array(homework))
  if (existing.length > 0) return
  for (const { problems, extensions = [], ...form } of homeworks) {
    const json = { ...form, courseName: COURSE, scoreboardStatus: 0 }
    const { id } = await teacher.call('POST', '/homework', homeworkCreated, {
      json: { ...json, problemIds: problems.map((position) => problemIds[position]) },
    })
    if (extensions.length > 0)
      await teacher.call('PUT', `/homework/${id}/overrides`, overridesChanged, {
        json: { overrides: extensions },
      })
  }
}

/** Adds the announcements, unless there is any. */
async function addAnnouncements(
  author: ApiClient,
  list: string,
  announcements: DemoCourse['announcements'],
  courseName?: string,
): Promise<void> {
  const existing = await author.call('GET', list, z.array(announcement))
  if (existing.length > 0) return
  for (const { title, markdown, pinned } of announcements)
    await author.call('POST', '/ann', announcementCreated, {
      json: { title, markdown, pinned, courseName },
    })
}

/**
 * Adds everything that is missing of the demo.
 * @param url of a judge on this machine
 * @param course default: the small course
 * @returns the API, signed in as the course's teacher
 * @throws PlainError for any other host
 */
export async function seedDemo(
  url: string,
  course: DemoCourse = smallCourse(),
  signal?: AbortSignal,
): Promise<ApiClient> {
  if (!LOOPBACK.includes(new URL(url).hostname))
    throw new PlainError(`The demo data belong on this machine only, not on ${url}.`)
  const admin = createApiClient(url, signal)
  await admin.login(DEMO_ADMIN.username, DEMO_ADMIN.password)
  const teacher = createApiClient(url, signal)
  await addPeople(admin, course.people)
  await teacher.login('teacher', DEMO_PASSWORD)
  await addCourse(teacher, course.people)
  await addHomeworks(teacher, course.homeworks, await addProblems(teacher, course.problems))
  const welcome = `This judge runs on your own machine. Sign in as \`student\` and open the course **${COURSE}**.`
  await addAnnouncements(admin, '/ann', [{ title: 'Welcome', markdown: welcome, pinned: true }])
  await addAnnouncements(teacher, `/course/${COURSE}/ann`, course.announcements, COURSE)
  return teacher
}
