/** A course that comes back: copied with moved dates, undone, closed, and taken home as a zip. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { announcement } from '#contract/announcements'
import { courseDetail, courseItem } from '#contract/courses'
import { homework, type Homework } from '#contract/homeworks'
import { problemPage } from '#contract/problems'
import { submissionCreated } from '#contract/submissions'
import { ApiError, type ApiClient } from '../../scripts/api-client.ts'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { ROOT } from '../../scripts/root.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const RIGHT = 'print(sum(map(int, input().split())))\n'
const DAY = 86_400
const WEEK = 7 * DAY
const anything = z.unknown()
const homeworks = z.array(homework)

let stack: TestStack
let teacher: ApiClient
/** The demo's homework. */
let old: Homework
/** An accepted submission of `student3`. */
let submissionId: string

/** The only homework of a course. */
async function homeworkOf(course: string): Promise<Homework> {
  const path = `/course/${encodeURIComponent(course)}/homework`
  const [only] = await teacher.call('GET', path, homeworks)
  if (only === undefined) throw new Error(`${course} has a homework`)
  return only
}

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  const labels = [{ id: null, name: 'Thursday lab' }]
  await teacher.call('PUT', '/course/Demo/labels', anything, { json: { labels } })
  const { labels: made } = await teacher.call('GET', '/course/Demo', courseDetail)
  const { id, end } = await homeworkOf('Demo')
  const overrides = [{ username: null, label: made[0]?.id, due: end + DAY, reason: 'Later lab' }]
  await teacher.call('PUT', `/homework/${id}/overrides`, anything, { json: { overrides } })
  old = await homeworkOf('Demo')
  submissionId = await handIn('student3', 1)
  const points = { username: 'student4', problemId: 1, points: 62.5 }
  await teacher.call('PUT', `/homework/${id}/points`, anything, { json: points })
})

/** Hands in the right program for the first problem, and waits for its verdict. */
async function handIn(username: string, problemId: number): Promise<string> {
  const student = await clientOf(stack.url, username)
  const json = { problemId, languageType: 2, code: RIGHT }
  const created = await student.call('POST', '/submission', submissionCreated, { json })
  await untilJudged(student, created.submissionId)
  return created.submissionId
}

const setClosed = (closed: boolean) =>
  teacher.call('PUT', '/course', anything, { json: { course: 'Demo', closed } })

/** A time as the app shows it, in the zone of this machine and its browser. */
const shownAs = (at: number) => new Date(at * 1_000).toLocaleString('sv-SE').slice(0, 16)
const dayOf = (at: number) => new Date(at * 1_000).toISOString().slice(0, 10)

/** The times that the table of the new course shows for a homework. */
async function shownTimes(page: Page, name: string) {
  const valueOf = (field: string) =>
    page.getByRole('textbox', { name: `${field}: ${name}`, exact: true }).inputValue()
  return { opens: await valueOf('Opens'), due: await valueOf('Due') }
}

test.each(WAYS)(
  'last year’s course is back and open in at most 12 actions: by $by, $on',
  async (way) => {
    onTestFinished(() => setClosed(false).then(() => undefined))
    const name = `Demo of ${way.by} 2027`
    const staff = await visitorBy(stack.url, way, 'teacher')
    const { page } = staff
    const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
    await page.goto('/courses')
    await staff.open(/^Demo\b/)
    await staff.open('Course settings')
    await staff.open('Bring this course back')
    // The page before has a field of the same name.
    await page.getByRole('heading', { level: 1, name: 'Bring the course back' }).waitFor()
    await staff.write(field('Course name'), name)
    // A week earlier, so that it is open now; the day on which it would be due is a holiday.
    await staff.write(field('First homework opens on'), dayOf(old.start - WEEK))
    await staff.press('Add holidays')
    await staff.write(field('First day'), dayOf(old.end - WEEK - DAY))
    await staff.write(field('Last day (empty: one day)'), dayOf(old.end - WEEK))
    await expect.poll(() => shownTimes(page, old.name)).toMatchObject({ due: shownAs(old.end) })
    // The holidays have moved the homework by the week, and one cell is typed over.
    const due = `${dayOf(old.end + DAY)} 12:34`
    await staff.write(field(`Due: ${old.name}`), due)
    const shown = await shownTimes(page, old.name)
    expect(shown).toEqual({ opens: shownAs(old.start), due })
    expect(await axeFaults(page)).toEqual([])
    await staff.use(page.getByLabel('Close “Demo” for its students'), 'Space')
    await staff.press('Create course')
    await page.getByText('5 problems, 1 homework and 1 announcement came along.').waitFor()
    expect(staff.actions).toBeLessThanOrEqual(12)
    expect(await axeFaults(page)).toEqual([])
    const there = await homeworkOf(name)
    expect({ opens: shownAs(there.start), due: shownAs(there.end) }).toEqual(shown)
    expect((await teacher.call('GET', '/course/Demo', courseDetail)).closedAt).not.toBeNull()

    // One press undoes it, and what was filled in is still there.
    await staff.press('Undo')
    await page.getByRole('heading', { level: 1, name: 'Bring the course back' }).waitFor()
    const courses = await teacher.call('GET', '/course', z.array(courseItem))
    expect(courses.map(({ course }) => course)).not.toContain(name)
    // The old course is open again.
    expect(courses.map(({ course }) => course)).toContain('Demo')
    expect(await field('Course name').inputValue()).toBe(name)
    expect(await shownTimes(page, old.name)).toEqual(shown)
    await staff.press('Create course')
    await page.getByText('You can undo the copy until somebody joins.').waitFor()

    const json = { add: [{ user: 'student2', role: 'student' }] }
    const path = `/course/${encodeURIComponent(name)}`
    await teacher.call('PATCH', `${path}/members`, anything, { json })
    await page.reload()
    await untilShown(page, 'Announcements')
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    const query = `/problem?course=${encodeURIComponent(name)}&limit=200`
    const { items } = await teacher.call('GET', query, problemPage)
    const first = Math.min(...items.map(({ problemId }) => problemId))
    await handIn('student2', first)
    const { marks } = await homeworkOf(name)
    expect(marks.get('student2')).toMatchObject({ sum: 100 })
  },
)

test('the course is taken home by a button, and read back by the script of the guide', async () => {
  const folder = await temporaryFolder()
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/settings`)
  const link = page.getByRole('link', { name: 'Download the course (zip)' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const zip = join(folder, download.suggestedFilename())
  await download.saveAs(zip)
  const { stdout } = await promisify(execFile)('python3', [`${ROOT}docs/read-archive.py`, zip])
  const { marks } = await homeworkOf('Demo')
  const sums = [...marks].map(([username, { sum }]) => `  ${username}: ${sum}`).toSorted()
  const lines = stdout.trimEnd().split('\n')
  expect(lines.filter((line) => line.startsWith('  ')).toSorted()).toEqual(sums)
  expect(sums).toContain('  student4: 62.5')
  expect(lines[0]).toBe('Demo')
  expect(lines.at(-1)).toBe('1 programs, 0 missing')
})

test('students of a closed course read everything and hand in nothing', async () => {
  onTestFinished(() => setClosed(false).then(() => undefined))
  const page = await newVisitor(stack.url)
  await enter(page, 'student3')
  const submit = page.getByRole('link', { name: 'Submit', exact: true })
  await page.goto(`${COURSE}/problem/1`)
  await submit.first().waitFor()
  const note = page.getByText('This course is closed. You can read everything.')
  expect(await note.count()).toBe(0)
  await setClosed(true)

  const anns = await teacher.call('GET', '/course/Demo/ann', z.array(announcement))
  const pages = [
    'announcements',
    `announcements/${anns[0]?.annId}`,
    'homeworks',
    'problems',
    'problem/1',
    'problem/1/stats',
    'submissions',
    `submission/${submissionId}`,
    'questions',
    'members',
  ]
  for (const path of pages) {
    await page.goto(`${COURSE}/${path}`)
    await untilShown(page, /./)
    await note.waitFor()
    expect(await submit.count(), path).toBe(0)
    expect(await page.getByRole('button', { name: /^(Ask|Submit)/ }).count(), path).toBe(0)
    expect(await axeFaults(page), path).toEqual([])
  }
  await page.goto(`${COURSE}/problem/1/submit`)
  await page.getByRole('heading', { level: 1, name: 'This account has no access' }).waitFor()
  const refusal: unknown = await handIn('student3', 1).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ status: 403 })

  await page.goto('/courses')
  await untilShown(page, 'Courses')
  const card = page.getByRole('main').getByRole('link', { name: /^Demo/ })
  expect(await card.count()).toBe(0)
  await page.getByText('Closed courses').click()
  await card.click()
  await note.waitFor()
})

const LOOKS = [
  { locale: 'english', width: 1280, colorScheme: 'light', add: 'Add holidays' },
  { locale: 'chinese', width: 390, colorScheme: 'dark', add: '加入假期' },
  { locale: 'taiwanese', width: 390, colorScheme: 'light', add: '加入假期' },
] as const

test.each(LOOKS)('pages and dialogs are accessible and fit: $locale, $width px', async (look) => {
  const { locale, width, colorScheme, add } = look
  const page = await newVisitor(stack.url, { viewport: { width, height: 844 }, colorScheme })
  await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
  await enter(page, 'teacher')
  const expectGood = async (what: string) => {
    expect(await axeFaults(page), what).toEqual([])
    expect(await fitsScreen(page), what).toBe(true)
  }
  for (const path of [`${COURSE}/settings`, '/courses', '/courses/new']) {
    await page.goto(path)
    await untilShown(page, /./)
    await expectGood(path)
  }
  await page.goto(`${COURSE}/homeworks`)
  await page.getByRole('button', { name: old.name }).first().click()
  await page.getByRole('dialog').getByRole('textbox').nth(1).click()
  await expectGood('the dialog that copies a homework')
  await page.goto(`${COURSE}/copy`)
  const addButton = page.getByRole('button', { name: add, exact: true })
  await addButton.click()
  await addButton.click()
  const days = page.getByPlaceholder('YYYY-MM-DD', { exact: true })
  await days.nth(1).fill('2027-12-24')
  await days.nth(3).fill('2028-12-24')
  await days.nth(4).fill('2027-12-24')
  const cells = page.getByPlaceholder('YYYY-MM-DD HH:mm')
  await cells.nth(1).fill('soon')
  await page.locator('button[type=submit]').click()
  await expectGood('the copy page')
})
