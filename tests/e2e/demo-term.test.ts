/** The demo course's whole term: every visitor sees its main pages, and the API can read all of it. */
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { announcement } from '#contract/announcements'
import { copycatState } from '#contract/copycat'
import { courseSummary, problemStats, scoreboardRow } from '#contract/problems/stats'
import { gradebookColumns } from '#contract/gradebook'
import { homework } from '#contract/homeworks'
import { problemPage } from '#contract/problems'
import { problemRejudge } from '#contract/judging/rejudges'
import { resultFault } from '#contract/judging/result-check'
import { runnerList } from '#contract/judging/runners'
import { submissionDetail, submissionPage, type SubmissionItem } from '#contract/submissions'
import { STATUS_NAMES } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { findCopies } from '../../scripts/demo/copies.ts'
import { termProblems } from '../../scripts/demo/term/plan.ts'
import { seedTerm } from '../../scripts/demo/term/seed-term.ts'
import { seedDemo } from '../../scripts/stack/seed-demo.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { newViewer } from '../support/demo-visitor.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: 'term', runners: 0 })
  teacher = await clientOf(stack.url, 'teacher')
})

async function allProblems() {
  return (await teacher.call('GET', '/problem?course=Demo&limit=200', problemPage)).items
}

/** Every submission of the course, read page by page. */
async function allSubmissions(): Promise<SubmissionItem[]> {
  const all: SubmissionItem[] = []
  let next: string | null = ''
  while (next !== null) {
    const path: string = `/submission?course=Demo&limit=200${next && `&cursor=${next}`}`
    const page: z.infer<typeof submissionPage> = await teacher.call('GET', path, submissionPage)
    all.push(...page.submissions)
    next = page.next
  }
  return all
}

test('the course is in its seventh week, and what it holds is as the API would have stored it', async () => {
  const problems = await allProblems()
  expect(problems).toHaveLength(12)
  expect(problems.filter(({ hasTestData }) => !hasTestData)).toHaveLength(1)
  const homeworks = await teacher.call('GET', '/course/Demo/homework', z.array(homework))
  expect(homeworks.map(({ status }) => status).toSorted()).toEqual([
    'not-started',
    'over',
    'over',
    'over',
    'over',
    'running',
  ])
  const lateCount = homeworks
    .flatMap(({ studentStatus }) =>
      [...studentStatus.values()].flatMap((row) => Object.values(row)),
    )
    .filter(({ late }) => late !== null).length
  expect(lateCount).toBeGreaterThan(10)
  const anns = await teacher.call('GET', '/course/Demo/ann', z.array(announcement))
  expect(anns.length).toBeGreaterThan(1)
  for (const { problemId } of problems)
    await teacher.call('GET', `/problem/${problemId}/stats`, problemStats)
  const board = await teacher.call('GET', '/course/Demo/scoreboard', z.array(scoreboardRow))
  expect(board).toHaveLength(40)
  const admin = await clientOf(stack.url, 'admin')
  const { breakdown } = await admin.call('GET', '/course/summary', courseSummary)
  expect(breakdown.find(({ course }) => course === 'Demo')).toEqual({
    course: 'Demo',
    userCount: 42,
    homeworkCount: 6,
    problemCount: 12,
    submissionCount: 500,
  })
  const hosts = await admin.call('GET', '/runners', runnerList)
  expect(hosts.filter(({ alive }) => !alive)).toEqual([])

  const submissions = await allSubmissions()
  expect(submissions).toHaveLength(500)
  const weeks = submissions.map(({ timestamp }) => (Date.now() / 1_000 - timestamp) / 604_800)
  expect(Math.max(...weeks)).toBeGreaterThan(6)
  expect(Math.max(...weeks)).toBeLessThan(7)
  expect(Math.min(...weeks)).toBeGreaterThan(0)
})

test('no problem of the term counts as judged with earlier test data', async () => {
  for (const { problemId } of await allProblems()) {
    const path = `/problem/${problemId}/rejudge`
    const { earlierCount } = await teacher.call('GET', path, problemRejudge)
    expect(earlierCount, `problem ${problemId}`).toBe(0)
  }
})

test('a result of each kind is one that a judge host may report', async () => {
  const seen = new Map<string, SubmissionItem>()
  for (const item of await allSubmissions())
    seen.set(`${item.problemId} ${item.status} ${item.score}`, item)
  expect(new Set([...seen.values()].map(({ status }) => status))).toEqual(
    new Set([0, 1, 2, 3, 4, 5, 6, 7]),
  )
  const problems = termProblems()
  for (const { submissionId, problemId, status } of seen.values()) {
    const detail = await teacher.call('GET', `/submission/${submissionId}`, submissionDetail)
    const subtasks = problems[problemId - 1]?.form.testCase ?? []
    const report = {
      ...detail,
      status: z.literal([0, 1, 2, 3, 4, 5, 6, 7]).parse(status),
      tasks: detail.tasks ?? [],
      reason: null,
      outputs: [],
    }
    expect(resultFault(subtasks, report), submissionId).toBe(null)
    expect(detail.code.length).toBeGreaterThan(10)
  }
})

test('a judge elsewhere gets nothing', async () => {
  await expect(seedDemo('https://judge.example.org')).rejects.toThrow(
    'The demo data belong on this machine only, not on https://judge.example.org.',
  )
})

test('a second start adds nothing', async () => {
  const columns = () => teacher.call('GET', '/course/Demo/gradebook/columns', gradebookColumns)
  const before = await allSubmissions()
  const columnsBefore = await columns()
  expect(columnsBefore.groups.map(({ name }) => name)).toEqual(['Homeworks', 'Exams'])
  await seedTerm(stack)
  expect(await allSubmissions()).toEqual(before)
  expect(await columns()).toEqual(columnsBefore)
})

test('its pages show a class at work: forty rows, every verdict, and a pair of copies', async () => {
  await findCopies(teacher, 2)
  const page = await newViewer(stack.url, 'teacher')
  await page.goto('/course/Demo/problems')
  await page.getByText('A way out of the maze').first().waitFor()
  await page.goto('/course/Demo/homeworks')
  await page.getByText('Asking and checking').first().waitFor()
  const homeworks = await teacher.call('GET', '/course/Demo/homework', z.array(homework))
  const late = homeworks.find(({ name }) => name === 'Asking and checking')
  await page.goto(`/course/Demo/homeworks/${late?.id}/stats`)
  const rows = page.locator('main table').first().locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(40)
  for (const [status, name] of Object.entries(STATUS_NAMES).filter(([code]) => code !== '-1')) {
    await page.goto(`/course/Demo/submissions?status=${status}`)
    await page.locator('main tbody tr').first().getByText(name).first().waitFor()
  }
  await page.goto('/course/Demo/problem/3/stats')
  await page.getByText('Memory Limit Exceed').first().waitFor()
  const report = await teacher.call('GET', '/copycat?course=Demo&problemId=2', copycatState)
  const [pair] = report.state === 'done' ? report.pairs : []
  expect([pair?.left.user.username, pair?.right.user.username]).toEqual(['student2', 'student3'])
  await page.goto('/course/Demo/problem/2/copycat')
  await page.getByRole('link', { name: 'Compare student2 and student3' }).waitFor()
})

test.each([
  ['problems', 'student'],
  ['submissions', 'teacher'],
  ['members', 'student'],
])('a phone shows at least six rows of the list of %s at once: %s', async (list, viewer) => {
  const page = await newVisitor(stack.url, { viewport: { width: 390, height: 844 } })
  await enter(page, viewer)
  await page.goto(`/course/Demo/${list}`)
  const rows = page.locator('tbody tr')
  await rows.nth(6).waitFor()
  const bottoms = await rows.evaluateAll((all) =>
    all.map((row) => row.getBoundingClientRect().bottom),
  )
  expect(bottoms.filter((bottom) => bottom <= 844).length).toBeGreaterThanOrEqual(6)
})
