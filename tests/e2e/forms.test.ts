/** The bodies that forms send: each field in its own place, with values that the form did not begin with. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { announcement, announcementCreated } from '#contract/announcements'
import { problemCreated } from '#contract/problems'
import type { ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { askedWhen, sentBy } from '../support/forms.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  teacher = await clientOf(stack.url, 'teacher')
})

/** Opens a page of the app as somebody. */
async function open(username: string, path: string): Promise<Page> {
  const page = await newVisitor(stack.url)
  await enter(page, username)
  await page.goto(path)
  return page
}

test('a new course has the time zone that was chosen', async () => {
  const page = await open('teacher', '/courses/new')
  await page.getByLabel('Course name').fill('Geometry')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Pacific/Auckland')
  await page.getByRole('option', { name: 'Pacific/Auckland' }).click()
  expect(await sentBy(page, 'POST /course', 'Create course')).toEqual({
    course: 'Geometry',
    teacher: 'teacher',
    timeZone: 'Pacific/Auckland',
  })
})

test('a course in another time zone shows what moves, and its homeworks keep what was chosen', async () => {
  await teacher.call('POST', '/course', anything, { json: { course: 'Zones', teacher: 'teacher' } })
  const times = { start: 0, end: 4_133_980_799 }
  await teacher.call('POST', '/homework', anything, {
    json: { courseName: 'Zones', name: 'Clocks', ...times },
  })
  const page = await open('teacher', '/course/Zones/settings')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Taipei')
  await page.getByRole('option', { name: 'Asia/Taipei' }).click()
  const row = page.getByRole('row', { name: 'Clocks' })
  await row.getByText('at the same moment').waitFor()
  await page.getByLabel('Homeworks that are not over').selectOption('wallTimes')
  await row.getByText('8 hours earlier').waitFor()
  const edit = { course: 'Zones', timeZone: 'Asia/Taipei', keepWallTimes: true }
  expect(await sentBy(page, 'PUT /course', 'Save')).toEqual(edit)
})

test.each([true, false])(
  'an announcement whose text is edited stays pinned or not: %s',
  async (pinned) => {
    const { annId } = await teacher.call('POST', '/ann', announcementCreated, {
      json: { courseName: 'Demo', title: 'Exam', markdown: 'On Monday.', pinned },
    })
    const page = await open('teacher', `${COURSE}/announcements/${annId}/edit`)
    await page.getByLabel('Description').fill('On Tuesday.')
    const text = { annId, title: 'Exam', markdown: 'On Tuesday.' }
    expect(await sentBy(page, 'PUT /ann', 'Save')).toEqual({ ...text, pinned })
    await page.goto(`${COURSE}/announcements/${annId}/edit`)
    await page.getByLabel('Title').fill('Final exam')
    await page.getByLabel('Pin to the top').setChecked(!pinned)
    await sentBy(page, 'PUT /ann', 'Save')
    expect(await teacher.call('GET', `/ann/Demo/${annId}`, announcement)).toMatchObject({
      ...text,
      title: 'Final exam',
      pinned: !pinned,
    })
  },
)

test('of saved replies the one whose button is pressed goes, and empty ones are left out', async () => {
  await teacher.call('PUT', '/saved-replies', anything, { json: { replies: ['a', 'b', 'c'] } })
  const page = await open('teacher', `${COURSE}/questions`)
  await page.getByRole('button', { name: 'Saved replies' }).click()
  await page.getByRole('button', { name: 'Add a reply' }).click()
  await page.getByRole('button', { name: 'Delete saved reply 2' }).click()
  await page.getByLabel('Saved reply 2', { exact: true }).fill('see the statement')
  expect(await sentBy(page, 'PUT /saved-replies', 'Save')).toEqual({
    replies: ['a', 'see the statement'],
  })
})

test('a rejudge takes all verdicts that are checked, or any where none is', async () => {
  const page = await open('teacher', `${COURSE}/problem/1`)
  const rejudge = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Rejudge all' }).click()
  }
  await rejudge()
  await page.getByLabel('Wrong Answer').check()
  await page.getByLabel('Judge Error').check()
  expect(await sentBy(page, 'POST /problem/1/rejudge', 'Rejudge')).toEqual({ status: [1, 6] })
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.reload()
  await rejudge()
  expect(await sentBy(page, 'POST /problem/1/rejudge', 'Rejudge')).toEqual({})
})

/** Follows a link of the page or of the side bar, as people do: the app is not loaded anew. */
async function follow(page: Page, name: string | RegExp, heading: string | RegExp): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

/** Chooses from a list that opens below its field. */
async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  // The frame of the page has lists of its own.
  const within = page.locator('main, [role=dialog]')
  await within.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

/** The time in a field, in epoch seconds: the browser is in this machine’s zone. */
const secondsOf = (time: string) => Date.parse(time.replace(' ', 'T')) / 1_000

/** The items of the page's first list, as the page shows them. */
const items = (page: Page) => page.getByRole('main').getByRole('listitem').allInnerTexts()

test('a course is renamed and handed over; what was read before knows it by its new name', async () => {
  const admin = await clientOf(stack.url, 'admin')
  const person = { username: 'teacher2', email: 'teacher2@example.org', displayedName: 'Second' }
  await admin.call('POST', '/user', anything, {
    json: { ...person, role: 1, password: DEMO_PASSWORD },
  })
  await admin.call('POST', '/course', anything, { json: { course: 'Sets 1', teacher: 'teacher' } })
  const limits = { memoryLimit: 65_536, timeLimit: 1_000 }
  const { problemId } = await admin.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: 'Sets 1',
      problemName: 'Union',
      description: { description: 'x' },
      testCase: [{ caseCount: 1, taskScore: 100, ...limits }],
    },
  })
  const page = await open('admin', '/courses')
  await follow(page, /^Sets 1/, 'Announcements')
  await follow(page, 'Problems', 'Problems')
  await follow(page, `#${problemId} Union`, `#${problemId} Union`)
  await follow(page, 'Course settings', 'Course settings')
  await page.getByLabel('Course name').fill('Sets 2')
  await page
    .getByLabel(/^Teacher/)
    .first()
    .fill('teacher2')
  await page.getByRole('option', { name: 'teacher2' }).click()
  expect(await sentBy(page, 'PUT /course', 'Save')).toEqual({
    course: 'Sets 1',
    newCourse: 'Sets 2',
    teacher: 'teacher2',
  })
  await page.waitForURL('**/course/Sets%202/members')
  await page.getByRole('cell', { name: 'teacher2' }).first().waitFor()
  await follow(page, 'Problems', 'Problems')
  await follow(page, `#${problemId} Union`, `#${problemId} Union`)
  await follow(page, 'Courses', 'Courses')
  await expect.poll(() => items(page)).toContainEqual(expect.stringMatching(/^Sets 2\s+Second/))
  expect((await items(page)).join()).not.toContain('Sets 1')
  // The form does not send fields that stay as they are.
  await follow(page, /^Sets 2/, 'Announcements')
  await follow(page, 'Course settings', 'Course settings')
  await page.getByLabel('Course name').fill('Sets 3')
  const renamed = { course: 'Sets 2', newCourse: 'Sets 3' }
  expect(await sentBy(page, 'PUT /course', 'Save')).toEqual(renamed)
})

test('an announcement is written, unpinned and deleted, and its list follows', async () => {
  const page = await open('teacher', `${COURSE}/announcements`)
  await page.getByRole('link', { name: 'How this course works' }).waitFor()
  await follow(page, 'New announcement', 'New announcement')
  await page.getByLabel('Title').fill('Quiz')
  await page.getByLabel('Pin to the top').check()
  await page.getByLabel('Description').fill('Bring *pens*.')
  const text = { title: 'Quiz', markdown: 'Bring *pens*.' }
  const created = { ...text, pinned: true, courseName: 'Demo' }
  expect(await sentBy(page, 'POST /ann', 'Save')).toEqual(created)
  await page.getByText('Pinned', { exact: true }).waitFor()
  const annId = page.url().split('/').at(-1)
  await follow(page, 'Announcements', 'Announcements')
  await expect.poll(async () => (await items(page))[0]).toMatch(/^Quiz/)
  const link = page.getByRole('main').locator('li').getByRole('link', { name: /Quiz$/ })
  await link.click()
  expect(await sentBy(page, 'PUT /ann', 'Unpin')).toEqual({ annId, ...text, pinned: false })
  await page.getByRole('button', { name: 'Pin to the top' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Type the name to confirm').fill('Quiz')
  expect(await sentBy(page, 'DELETE /ann', 'Delete')).toEqual({ annId })
  await page.getByRole('heading', { name: 'Announcements', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'How this course works' }).waitFor()
  expect(await link.count()).toBe(0)
})

test('an announcement that an admin writes from home is the system’s', async () => {
  const page = await open('admin', '/')
  await follow(page, 'New announcement', 'New announcement')
  await page.getByLabel('Title').fill('Maintenance')
  const body = { title: 'Maintenance', markdown: '', pinned: false, courseName: 'Public' }
  expect(await sentBy(page, 'POST /ann', 'Save')).toEqual(body)
  await page.getByRole('heading', { name: 'Maintenance', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.getByRole('link', { name: 'Maintenance', exact: true }).waitFor()
})

test('a homework has what each field said, in the list at once and when it is edited', async () => {
  const page = await open('teacher', `${COURSE}/homeworks`)
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await follow(page, 'New homework', 'New homework')
  await page.getByLabel('Name').fill(' Loops ')
  await page.getByLabel('Problems', { exact: true }).first().click()
  for (const option of [/^#3 /, /^#1 /]) await page.getByRole('option', { name: option }).click()
  await page.keyboard.press('Escape')
  const [start, end] = ['2026-03-01 08:00', '2026-03-08 23:59']
  await page.getByLabel(/^From/).fill(start)
  await page.getByLabel(/^Due/).fill(end)
  await page.getByLabel('Late work').selectOption('10 % off a day, for 3 days')
  await page.getByLabel('Grace in minutes').fill('10')
  await page.getByLabel('What counts').selectOption('The last submission')
  await page.getByLabel(/^Points of #1 /).fill('50')
  await page.getByLabel('Scoreboard visible to').selectOption('Students, with each other’s names')
  await page.getByLabel('Description').fill('Read *chapter 3*.')
  const body = {
    name: 'Loops',
    problemIds: [3, 1],
    start: secondsOf(start),
    // A homework ends with the last second of the minute.
    end: secondsOf(end) + 59,
    close: secondsOf(end) + 59 + 3 * 86_400,
    graceMinutes: 10,
    lateRule: { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'multiply', floor: 0 },
    counts: 'last',
    points: [100, 50],
    markdown: 'Read *chapter 3*.',
    scoreboardStatus: 0,
    scoreboardNames: true,
  }
  const created = { ...body, courseName: 'Demo' }
  expect(await sentBy(page, 'POST /homework', 'Save')).toEqual(created)
  const card = page.getByRole('region', { name: 'Loops' })
  await card.getByRole('row').nth(1).getByText('#3 ').waitFor()
  await card.getByRole('row').nth(2).getByText('#1 ').waitFor()
  await card.getByText('Read chapter 3.').waitFor()
  // Only submissions of this homework with the chosen verdicts.
  await card.getByRole('button', { name: 'Rejudge all' }).click()
  await page.getByLabel('Compile Error').check()
  const edit = card.getByRole('link', { name: 'Edit' })
  const id = (await edit.getAttribute('href'))?.split('/').at(-2) ?? ''
  const rejudged = await sentBy(page, `POST /homework/${id}/rejudge`, 'Rejudge')
  expect(rejudged).toEqual({ status: [2] })
  await edit.click()
  const shown = page.getByLabel('Scoreboard visible to')
  await shown.waitFor()
  const fields = [page.getByLabel('Name'), page.getByLabel(/^From/), page.getByLabel(/^Due/), shown]
  const typed = await Promise.all(fields.map((field) => field.inputValue()))
  expect(typed).toEqual(['Loops', start, end, 'names'])
  await shown.selectOption('Staff only')
  const closed = { ...body, scoreboardStatus: 1, scoreboardNames: false }
  expect(await sentBy(page, `PUT /homework/${id}`, 'Save')).toEqual(closed)
  await card.waitFor()
})

test('a problem has what each field of each part said, and is edited from there', async () => {
  const page = await open('teacher', `${COURSE}/problems`)
  await page.getByRole('link', { name: '#1 A + B' }).waitFor()
  await follow(page, 'New problem', 'New problem')
  await page.getByLabel('Problem name').fill('Squares')
  await page.getByLabel('Hidden').uncheck()
  await page.getByLabel('Unlimited').uncheck()
  await page.getByLabel('Quota').fill('7')
  await page.getByLabel('Tags').fill('math, loops,math')
  await page.getByLabel('C', { exact: true }).uncheck()
  for (const part of ['Description', 'Input', 'Output', 'Hint'])
    await page.getByRole('textbox', { name: part, exact: true }).fill(`${part} of it.`)
  await page.getByRole('button', { name: 'Add sample' }).click()
  for (const number of [1, 2]) {
    await page.getByLabel(`Sample input ${number}`).fill(`${number}\n`)
    await page.getByLabel(`Sample output ${number}`).fill(`${number * number}\n`)
  }
  await page.getByRole('button', { name: 'Add subtask' }).click()
  const subtask = (number: number) => page.getByRole('group', { name: `Subtask ${number}` })
  await page.getByLabel('Separate limits for each subtask').check()
  const fields = ['Test cases', 'Score', 'Time limit (ms)', 'Memory limit (MB)']
  for (const [at, values] of [
    ['2', '30', '1500', '128'],
    ['3', '70', '2500', '64'],
  ].entries())
    for (const [index, value] of values.entries())
      await subtask(at)
        .getByLabel(fields[index] ?? '')
        .fill(value)
  await subtask(0).getByLabel('Samples: students see input and output').check()
  await choose(page, 'Comparison', 'Numbers with a tolerance')
  await page.getByLabel('Absolute tolerance').fill('0.5')
  await page.getByLabel('Relative tolerance').fill('')
  const body = {
    problemName: 'Squares',
    status: 0,
    type: 0,
    tags: ['math', 'loops'],
    quota: 7,
    allowedLanguage: 6,
    description: {
      description: 'Description of it.',
      input: 'Input of it.',
      output: 'Output of it.',
      hint: 'Hint of it.',
      sampleInput: ['1\n', '2\n'],
      sampleOutput: ['1\n', '4\n'],
    },
    testCase: [
      {
        caseCount: 2,
        taskScore: 30,
        sample: true,
        timeLimit: 1_500,
        memoryLimit: 131_072,
        outputLimit: 65_536,
      },
      {
        caseCount: 3,
        taskScore: 70,
        sample: false,
        timeLimit: 2_500,
        memoryLimit: 65_536,
        outputLimit: 65_536,
      },
    ],
    compare: { mode: 'float', absolute: 0.5 },
    revealTests: false,
    awaitsTestData: false,
  }
  const created = { ...body, course: 'Demo' }
  expect(await sentBy(page, 'POST /problem/manage', 'Save')).toEqual(created)
  await page.getByRole('heading', { name: /Squares/, level: 1 }).waitFor()
  const id = Number(page.url().split('/').at(-1))
  await follow(page, 'Problems', 'Problems')
  await page
    .getByRole('row', { name: `#${id} Squares` })
    .getByText('7 of 7')
    .waitFor()
  await page.goto(`${COURSE}/problem/${id}/edit`)
  await choose(page, 'Comparison', 'Checker program')
  await choose(page, 'Language', 'Python 3')
  await page.getByLabel('Source of the checker').fill('exit(0)')
  const compare = { mode: 'checker', language: 'py3', source: 'exit(0)' }
  expect(await sentBy(page, `PUT /problem/manage/${id}`, 'Save')).toEqual({ ...body, compare })
  await page.getByText('A program checks the output').waitFor()
})

test('a problem is copied into the course that was chosen', async () => {
  await teacher.call('POST', '/course', anything, {
    json: { course: 'Copies', teacher: 'teacher' },
  })
  const page = await open('teacher', `${COURSE}/problem/2`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Copy to a course' }).click()
  await choose(page, 'Course', 'Copies')
  expect(await sentBy(page, 'POST /problem/2/copy', 'Copy')).toEqual({ course: 'Copies' })
  await page.waitForURL('**/course/Copies/problem/*')
  await page.getByText('Students do not see this problem.').waitFor()
})

test('filters of lists become their queries, each its own', async () => {
  const page = await open('teacher', `${COURSE}/submissions`)
  const filters = page.getByRole('form', { name: 'Filters' })
  /** Waits for the list as it is at first, and for the problems to choose from. */
  const ready = async (empty: string) => {
    await page.getByText(empty).waitFor()
    const option = filters.getByLabel('Problem').locator('option', { hasText: '#2 ' })
    await option.waitFor({ state: 'attached' })
  }
  await ready('No submissions yet.')
  const select = (name: string, label: string | RegExp) => async () => {
    const field = filters.getByLabel(name)
    const options = await field.locator('option').allInnerTexts()
    await field.selectOption(options.find((option) => option.match(label)) ?? '')
  }
  const asked = (path: string, act: () => Promise<unknown>) => askedWhen(page, path, act)
  const query: Record<string, string> = { course: 'Demo', problemId: '2' }
  expect(await asked('/submission', select('Problem', /^#2 /))).toEqual(query)
  expect(await asked('/submission', select('Verdict', 'Runtime Error'))).toEqual({
    ...query,
    status: '5',
  })
  expect(await asked('/submission', select('Language', 'Python 3'))).toEqual({
    ...query,
    status: '5',
    languageType: '2',
  })
  expect(await asked('/submission', () => filters.getByLabel('Username').fill('student2'))).toEqual(
    {
      ...query,
      status: '5',
      languageType: '2',
      username: 'student2',
    },
  )
  await page.goto(`${COURSE}/questions`)
  await ready('No question matches.')
  const questions = '/course/Demo/questions'
  expect(await asked(questions, select('State', 'Answered'))).toEqual({ state: 'answered' })
  expect(await asked(questions, select('Problem', /^#2 /))).toEqual({
    state: 'answered',
    problemId: '2',
  })
  const first = page.getByRole('link', { name: '#1 A + B' })
  await page.goto(`${COURSE}/problems`)
  await first.waitFor()
  const problems = { course: 'Demo', name: 'sum' }
  expect(await asked('/problem', () => page.getByLabel('Search by name').fill(' sum '))).toEqual(
    problems,
  )
  await page.goto(`${COURSE}/problems`)
  await first.waitFor()
  const tag = () => page.getByRole('link', { name: 'warm-up' }).first().click()
  expect(await asked('/problem', tag)).toEqual({ course: 'Demo', tags: 'warm-up' })
})

test('a form whose page fails to render is back when the page is tried again', async () => {
  const page = await newVisitor(stack.url, { refused: [/RangeError: broken/] })
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/homeworks/new`)
  await page.getByLabel('Name').fill('Recursion')
  await page.getByLabel('Description').fill('Read *chapter 9*.')
  await page.evaluate(() => {
    Intl.DateTimeFormat.prototype.formatToParts = () => {
      throw new RangeError('broken')
    }
  })
  await page.getByLabel(/^Due/).fill('2026-12-24 18:00')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Name').waitFor()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Recursion')
  expect(await page.getByLabel('Description').inputValue()).toBe('Read *chapter 9*.')
})
