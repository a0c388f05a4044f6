/** Dates for people: more time, late rules, excused students, kept marks, points, and the file of everybody's dates. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { courseDetail } from '#contract/courses'
import type { HomeworkForm } from '#contract/homeworks'
import { homework, homeworkCreated } from '#contract/homeworks'
import { homeworkDatesTable, keptMarks, overridesChanged } from '#contract/homework-overrides'
import { questionCreated } from '#contract/questions'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { instantOf, wallSecondsAt } from '#contract/wall-time'
import type { ApiClient } from '../../scripts/api-client.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { answer, enter, newVisitor } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const RIGHT = 'print(sum(map(int, input().split())))\n'
const DAY = 86_400
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient
let timeZone: string
/** A homework with the demo's first problem, which is due tomorrow: earlier than the demo's own. */
let homeworkId: string
/** An accepted submission of `student3` to this problem. */
let submissionId: string
let form: Partial<HomeworkForm>

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  ;({ timeZone } = await teacher.call('GET', '/course/Demo', courseDetail))
  const now = Math.floor(Date.now() / 1_000)
  form = { name: 'Late work', start: now - DAY, end: now + DAY, problemIds: [1] }
  const json = { ...form, courseName: 'Demo' }
  ;({ id: homeworkId } = await teacher.call('POST', '/homework', homeworkCreated, { json }))
  const student = await clientOf(stack.url, 'student3')
  const submission = { problemId: 1, languageType: 2, code: RIGHT }
  const created = await student.call('POST', '/submission', submissionCreated, { json: submission })
  submissionId = created.submissionId
  await eventually(async () => {
    const { status } = await student.call('GET', `/submission/${submissionId}`, submissionDetail)
    expect(status).toBe(0)
  })
})

const inCourse = (path: string) => `${COURSE}/${path}`
const datesPage = () => inCourse(`homeworks/${homeworkId}/dates`)

/** A person's dates and override. */
async function datesOf(username: string) {
  const path = `/homework/${homeworkId}/dates`
  const { people } = await teacher.call('GET', path, homeworkDatesTable)
  const person = people.find(({ user }) => user.username === username)
  if (person === undefined) throw new Error(`${username} is a student of the course`)
  return person
}

const daysLater = (at: number, days: number) =>
  instantOf(wallSecondsAt(at, timeZone) + days * DAY, timeZone)

/** The button below the text, after the cross in the dialog's corner. */
const closeButton = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Close' }).last()

/** Places from which staff give `student3` more time: the address, and the button that opens the dialog. */
const PLACES = [
  ['a submission', 'More time', () => Promise.resolve(`${COURSE}/submission/${submissionId}`)],
  [
    'a question',
    'More time',
    async () => {
      const student = await clientOf(stack.url, 'student3')
      const json = { markdown: 'May I have more time?' }
      const path = '/problem/1/questions'
      const { questionId } = await student.call('POST', path, questionCreated, { json })
      return `${COURSE}/question/${questionId}`
    },
  ],
  [
    'the scoreboard',
    'More time for Student 3',
    () => Promise.resolve(`${COURSE}/homeworks/${homeworkId}/stats`),
  ],
] as const

test.each(
  WAYS.flatMap((way) => PLACES.map(([place, button, at]) => ({ ...way, place, button, at }))),
)('two more days take three actions from $place: by $by, $on', async ({ button, at, ...way }) => {
  const { own } = await datesOf('student3')
  const staff = await visitorBy(stack.url, way, 'ta')
  await staff.page.goto(await at())
  await staff.press(button)
  await staff.press('+2 days')
  await staff.press('Save')
  await staff.page.getByText(/^Saved\. Due now: /).waitFor()
  expect(staff.actions).toBeLessThanOrEqual(3)
  expect((await datesOf('student3')).own.due).toBe(daysLater(own.due, 2))
  expect(await axeFaults(staff.page)).toEqual([])
  await staff.use(closeButton(staff.page))
  await staff.page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('an extension shows on its student’s pages and on staff’s page of dates, and nowhere else', async () => {
  const reason = 'Lost at sea'
  const path = `/homework/${homeworkId}/overrides`
  const { own } = await datesOf('student3')
  const overrides = [{ username: 'student3', due: own.due + 3_601, reason }]
  await teacher.call('PUT', path, overridesChanged, { json: { overrides } })
  const pages = [
    '/',
    COURSE,
    ...['homeworks', 'problems', 'problem/1', 'problem/1/submit', 'problem/1/stats'].map(inCourse),
    ...['submissions', 'questions', 'members', `submission/${submissionId}`].map(inCourse),
    ...['stats', 'dates', 'edit'].map((page) => inCourse(`homeworks/${homeworkId}/${page}`)),
  ]
  const shown: Record<string, string[]> = {}
  for (const viewer of ['student3', 'student2', 'ta', 'teacher']) {
    const page = await newVisitor(stack.url, { refused: [/40[34]/] })
    await enter(page, viewer)
    shown[viewer] = []
    for (const address of pages) {
      await page.goto(address)
      await page.locator('main h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      if ((await page.locator('body').innerText()).includes(reason)) shown[viewer].push(address)
    }
  }
  const ofStudent = ['/', inCourse('homeworks'), inCourse('problem/1')]
  expect(shown).toEqual({
    student3: ofStudent,
    student2: [],
    ta: [datesPage()],
    teacher: [datesPage()],
  })
})

test.each(WAYS)('three more days for everybody, and one is excused: by $by, $on', async (way) => {
  const before = await datesOf('student4')
  const staff = await visitorBy(stack.url, way, 'teacher')
  await staff.page.goto(datesPage())
  await staff.press('Change for everybody')
  await staff.press('+3 days')
  await staff.write(staff.page.getByLabel('Reason'), 'Power cut')
  await staff.press('Save')
  await staff.page.getByText(/^Saved\. Due now: /).waitFor()
  await staff.use(closeButton(staff.page))
  expect((await datesOf('student4')).own.due).toBe(daysLater(before.own.due, 3))

  await staff.press('More time for Student 4')
  await staff.use(staff.page.getByRole('checkbox', { name: 'Excused' }), 'Space')
  await staff.press('Save')
  await staff.page.getByText(/^Saved\./).waitFor()
  await staff.use(closeButton(staff.page))
  const student = await clientOf(stack.url, 'student4')
  const read = await student.call('GET', `/homework/${homeworkId}`, homework)
  expect(read.own).toMatchObject({ excused: true })
  expect(read.marks.get('student4')).toMatchObject({ sum: null, excused: true })
  // Nobody learns of another's dates or reasons.
  const other = await clientOf(stack.url, 'student2')
  const others = await other.call('GET', `/homework/${homeworkId}`, homework)
  expect(others.own).toMatchObject({ excused: false, why: 'Power cut' })
  expect([...others.marks.keys()].filter((name) => name !== 'student2')).toEqual([])

  await staff.press('More time for Student 4')
  await staff.press('Take back')
  await staff.page.getByText(/^Saved\./).waitFor()
  expect((await datesOf('student4')).override).toBeNull()
})

test.each(WAYS)('a late rule is chosen by a preset: by $by, $on', async (way) => {
  const json = { ...form, name: `Preset ${way.by} ${way.on}`, courseName: 'Demo' }
  const { id } = await teacher.call('POST', '/homework', homeworkCreated, { json })
  const staff = await visitorBy(stack.url, way, 'teacher')
  await staff.page.goto(`${COURSE}/homeworks/${id}/edit`)
  await staff.choose(
    staff.page.getByLabel('Late work', { exact: true }),
    '10 % off a day, for 3 days',
  )
  await staff.press('Save')
  await staff.page.getByRole('heading', { name: json.name }).waitFor()
  const read = await teacher.call('GET', `/homework/${id}`, homework)
  expect(read.lateRule).toMatchObject({ kind: 'units', unitMinutes: 1_440, percent: 10 })
  expect(read.close).toBe(daysLater(read.end, 3))
  await teacher.call('DELETE', `/homework/${id}`, anything)
})

test('several students are changed at once, and a file changes the others', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'ta')
  await page.goto(datesPage())
  for (const name of [/^Student 2 /, /^Student 4 /])
    await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Change dates of 2 students' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change dates of 2 students' })
  const before = await datesOf('student2')
  await dialog.getByRole('button', { name: '+1 week' }).click()
  await dialog.getByLabel('Reason').fill('Excursion')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Saved for 2 students.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  expect((await datesOf('student2')).own.due).toBe(daysLater(before.own.due, 7))
  expect((await datesOf('student4')).override).toMatchObject({ reason: 'Excursion' })

  await page.getByText('Change dates by a CSV file').click()
  const choose = page.getByRole('button', { name: 'Choose a CSV file' })
  const csv = (text: string) => ({
    name: 'dates.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  async function pick(text: string) {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.click()])
    await chooser.setFiles(csv(text))
  }
  await pick('username,due\nstudent2,2099-01-01 23:59\nstudent4,soon\n')
  await page.getByText('due: write the time as YYYY-MM-DD HH:mm').waitFor()
  expect(await page.getByRole('button', { name: /^Import \d+ changes?$/ }).count()).toBe(0)
  await pick('username,due,reason\nstudent2,2099-01-01 23:59,Abroad\n')
  await page.getByRole('button', { name: 'Import 1 change' }).click()
  await page.getByText('1 change is saved.').waitFor()
  expect((await datesOf('student2')).override).toMatchObject({
    due: instantOf(Date.UTC(2099, 0, 1, 23, 59) / 1_000, timeZone) + 59,
    reason: 'Abroad',
  })
})

test('a mark that new dates would lower is kept until staff confirm', async () => {
  const json = { ...form, name: 'Kept', courseName: 'Demo' }
  const { id } = await teacher.call('POST', '/homework', homeworkCreated, { json })
  const early = (form.start ?? 0) + 60
  const overrides = [{ username: 'student3', due: early, closes: early, reason: 'By agreement' }]
  const path = `/homework/${id}/overrides`
  const { kept } = await teacher.call('PUT', path, overridesChanged, { json: { overrides } })
  expect(kept).toBe(1)
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/homeworks/${id}/dates#kept-marks`)
  const row = page
    .getByRole('table', { name: 'Kept marks' })
    .getByRole('row', { name: /Student 3/ })
  await row.waitFor()
  await page.getByRole('button', { name: 'Confirm all' }).click()
  await answer(page, 'Lower the marks of 1 student?', 'Confirm the lower marks')
  await row.waitFor({ state: 'detached' })
  expect(await teacher.call('GET', `/homework/${id}/kept-marks`, keptMarks)).toEqual([])
  await teacher.call('DELETE', `/homework/${id}`, anything)
})

test('staff give points with a comment, which the student reads', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'ta')
  await page.goto(`${COURSE}/submission/${submissionId}`)
  await page.getByRole('button', { name: 'Give points' }).click()
  const dialog = page.getByRole('dialog', { name: 'Points for Student 3' })
  await dialog.getByLabel('Points out of 100').fill('87.25')
  await dialog.getByLabel('Comment').fill('A neat idea.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('87.25 of 100 points given').waitFor()
  const student = await newVisitor(stack.url)
  await enter(student, 'student3')
  await student.goto(`${COURSE}/submission/${submissionId}`)
  await student.getByText('A neat idea.').waitFor()
  await page.goto(`${COURSE}/homeworks/${homeworkId}/stats`)
  const row = page.getByRole('row', { name: /^Student 3 / })
  await row.getByText('given').waitFor()
  await row.getByRole('button', { name: 'Points for Student 3' }).click()
  const whole = page.getByRole('dialog', { name: 'Points for Student 3' })
  await whole.getByLabel('Points to add').fill('2.5')
  await whole.getByRole('button', { name: 'Save' }).click()
  await whole.waitFor({ state: 'detached' })
  await row.getByText('of these given: 2.5').waitFor()
  await row.getByText('89.75').waitFor()
})

test('the calendar link is made once, and ended', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'student2')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Make a calendar link' }).click()
  const shown = page.getByText(/\/calendar\?token=/)
  const feed = await page.request.get(await shown.innerText())
  expect(feed.status()).toBe(200)
  expect(await feed.text()).toContain('BEGIN:VCALENDAR')
  await page.getByRole('button', { name: 'End the link' }).click()
  await answer(page, 'End the calendar link?', 'End the link')
  await page.getByRole('button', { name: 'Make a calendar link' }).waitFor()
  expect((await page.request.get(feed.url())).status()).toBe(400)
})

const LOOKS = [
  { locale: 'english', width: 1280, colorScheme: 'light', more: 'More time' },
  { locale: 'chinese', width: 390, colorScheme: 'dark', more: '延長時間' },
  { locale: 'taiwanese', width: 390, colorScheme: 'light', more: '延長時間' },
] as const

test.each(LOOKS)('pages and dialogs are accessible and fit: $locale, $width px', async (look) => {
  const { locale, width, colorScheme, more } = look
  const page = await newVisitor(stack.url, { viewport: { width, height: 844 }, colorScheme })
  await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
  await enter(page, 'teacher')
  const stats = `${COURSE}/homeworks/${homeworkId}/stats`
  for (const path of [datesPage(), stats, `${COURSE}/submission/${submissionId}`]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: more }).first().waitFor()
    expect(await axeFaults(page), path).toEqual([])
    expect(await fitsScreen(page), path).toBe(true)
  }
  await page.getByRole('button', { name: more }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().waitFor()
  await dialog.locator('summary').click()
  expect(await axeFaults(page), 'the dialog').toEqual([])
  expect(await fitsScreen(page), 'the dialog').toBe(true)
})
