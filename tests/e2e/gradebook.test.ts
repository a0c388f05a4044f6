/** The gradebook by what people do: marking a week, a question about a mark, the total, and marks that are not shown. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { auditPage } from '#contract/audit'
import { gradebookMark, gradebookPage, marksEdited } from '#contract/gradebook'
import { noticeList } from '#contract/notices'
import type { ApiClient } from '../../scripts/api-client.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { answer, enter, newVisitor } from '../support/browser.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { readColumns, setColumns as makeColumns } from '../support/gradebook-columns.ts'
import { visitorBy } from '../support/hands.ts'
import { handInLate, makeLateHomework } from '../support/late-homework.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const HOMEWORK = 'Sums'
const ORAL = 'Oral exam'
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient
/** Ids of the columns by name. */
let ids: ReadonlyMap<string, number>

const inCourse = (path: string) => `${COURSE}/${path}`

function idOf(name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`no column ${name}`)
  return id
}

/** Reads the ids of the columns again. */
async function readIds(): Promise<void> {
  const { columns } = await readColumns(teacher)
  ids = new Map(columns.map(({ id, name, kind }) => [kind === 'total' ? 'total' : name, id]))
}

/** Makes the manual columns. */
async function setColumns(manual: Parameters<typeof makeColumns>[1]): Promise<void> {
  await makeColumns(teacher, manual)
  await readIds()
}

const show = (column: string, shown: string) =>
  teacher.call('PUT', `/course/Demo/gradebook/${idOf(column)}/shown`, anything, { json: { shown } })

const setMark = (username: string, column: string, points: number, reason = '') =>
  teacher.call('PATCH', '/course/Demo/gradebook', marksEdited, {
    json: { edits: [{ username, columnId: idOf(column), points }], reason },
  })

/** A student's cells by the ids of the columns. */
async function cellsOf(username: string) {
  const { columnIds, people } = await teacher.call('GET', '/course/Demo/gradebook', gradebookPage)
  const cells = people.find(({ user }) => user.username === username)?.cells ?? []
  return new Map(columnIds.map((id, index) => [id, cells[index]]))
}

const markOf = async (username: string, column: string) =>
  (await cellsOf(username)).get(idOf(column))

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  const names = { homework: HOMEWORK, problem: 'Large sums' }
  const { problemId } = await makeLateHomework(teacher, names)
  await handInLate(await clientOf(stack.url, 'student'), problemId)
  await setColumns([{ name: ORAL, max: 20 }])
  await show(ORAL, 'yes')
})

/** A cell of the grid, by the student's name and the column's. */
async function cellAt(page: Page, student: string, column: string) {
  const heads = await page.getByRole('columnheader').allInnerTexts()
  const index = heads.findIndex((text) => text.startsWith(column))
  expect(index, column).toBeGreaterThan(0)
  return page
    .getByRole('row', { name: new RegExp(`^${student}`) })
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${student}\\b(?! \\d)`) }) })
    .getByRole('gridcell')
    .nth(index - 1)
}

/** What the grid says of the active cell: its text and its name for screen readers. */
const activeCell = (page: Page) =>
  page.getByRole('grid').evaluate((grid) => {
    const id = grid.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.textContent ?? ''
  })

test('a week’s marking by keys: typed, excused, pasted and undone', async () => {
  const before = await markOf('student3', HOMEWORK)
  const hands = await visitorBy(stack.url, { by: 'keys', on: 'wide' }, 'ta')
  const { page } = hands
  const { keyboard } = page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(COURSE)
  await hands.open('Gradebook')
  await page.getByRole('grid').waitFor()
  const oral = (student: string) => cellAt(page, student, ORAL)
  await hands.write(page.getByLabel('Reason for your next changes'), 'Oral exam of Monday')
  // From the reason the next stop is the grid; arrows lead to the first oral exam.
  await keyboard.press('Tab')
  expect(await page.getByRole('grid').evaluate((grid) => grid === document.activeElement)).toBe(
    true,
  )
  await keyboard.press('Control+Home')
  for (let right = 0; right < 3; right += 1) await keyboard.press('ArrowRight')
  await keyboard.type('15,5')
  expect(await axeFaults(page)).toEqual([])
  await keyboard.press('Enter')
  // Enter leads to the next student.
  await keyboard.type('ex')
  await keyboard.press('Enter')
  await expect.poll(async () => (await oral('Student')).innerText()).toContain('15.5')
  await expect.poll(async () => (await oral('Student 2')).innerText()).toContain('EX')
  await expect.poll(() => markOf('student2', ORAL)).toEqual([null, 'e'])
  expect(await markOf('student', ORAL)).toEqual([15.5, ''])
  // 72 points of the late homework and 15.5 of the oral exam.
  const total = page.getByRole('row').nth(1).getByRole('gridcell').last()
  await expect.poll(() => total.innerText()).toContain('87.5')

  // A block from a spreadsheet: the homework and the oral exam of two students.
  await page.evaluate(() => navigator.clipboard.writeText('61\t12\n62\t13\n'))
  await keyboard.press('ArrowLeft')
  await keyboard.press('Control+v')
  const dialog = page.getByRole('dialog', { name: 'Change marks' })
  await dialog.getByText('4 marks change. Students: 2.').waitFor()
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Oral exam of Monday')
  expect(await axeFaults(page)).toEqual([])
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => markOf('student4', ORAL)).toEqual([13, ''])
  expect(await markOf('student3', HOMEWORK)).toEqual([61, 's'])
  await expect.poll(async () => (await oral('Student 4')).innerText()).toContain('13')
  await page.getByText('Saved.').first().waitFor()
  await keyboard.press('Control+z')
  await expect.poll(() => markOf('student4', ORAL)).toEqual([null, ''])
  expect(await markOf('student3', HOMEWORK)).toEqual(before)
  await expect.poll(async () => (await oral('Student 4')).innerText()).toBe('')

  // The history of a mark, without leaving the grid.
  await keyboard.press('Control+Home')
  for (let right = 0; right < 3; right += 1) await keyboard.press('ArrowRight')
  expect(await activeCell(page)).toContain('15.5')
  await keyboard.press('Space')
  const why = page.getByRole('region', { name: 'Why this mark' })
  await why.getByText('Staff set 15.5 of 20 points').waitFor()
  await why
    .getByRole('listitem')
    .filter({ hasText: /^15\.5 · ta · .*Oral exam of Monday/ })
    .waitFor()
  expect(await axeFaults(page)).toEqual([])
  const { history } = await teacher.call(
    'GET',
    `/course/Demo/gradebook/${idOf(ORAL)}/student4`,
    gradebookMark,
  )
  expect(history).toMatchObject([
    { points: null, reason: '', by: 'ta' },
    { points: 13, reason: 'Oral exam of Monday', by: 'ta' },
  ])

  const student = await newVisitor(stack.url)
  await enter(student, 'student')
  await student.goto('/notices')
  await student.getByRole('link', { name: /^Your mark in .*Oral exam.* has changed\.$/ }).click()
  await student.locator('h1', { hasText: 'My marks' }).waitFor()
  await student
    .getByRole('row')
    .filter({ hasText: ORAL })
    .getByText('15.5 of 20', { exact: true })
    .waitFor()
})

test('a student on a phone finds out why a mark is 72, asks, and reads why it is another now', async () => {
  const asking = await visitorBy(stack.url, { by: 'pointer', on: 'phone' }, 'student')
  const student = asking.page
  await student.goto(COURSE)
  await asking.open('My marks')
  const row = student.getByRole('row').filter({ hasText: HOMEWORK })
  await row.getByText('72 of 100', { exact: true }).waitFor()
  await asking.use(row.locator('summary'))
  await row.getByText(/^It has 80 points and came 3 hours late: 80 × 0\.9 = 72 of 100\.$/).waitFor()
  // From the course's page to the reason of a mark.
  expect(asking.actions).toBeLessThanOrEqual(2)
  expect(await axeFaults(student)).toEqual([])
  expect(await fitsScreen(student)).toBe(true)
  await asking.press(`Ask about this mark: ${HOMEWORK}`)
  const field = student.getByRole('textbox', {
    name: `Your question about the mark in ${HOMEWORK}`,
  })
  await asking.write(field, 'The server was down in the evening.')
  await asking.press('Send')
  await row.getByRole('link', { name: 'Question about this mark' }).waitFor()
  expect(asking.actions).toBeLessThanOrEqual(5)
  expect(await axeFaults(student)).toEqual([])

  const deciding = await visitorBy(stack.url, { by: 'keys', on: 'wide' }, 'ta')
  const ta = deciding.page
  await ta.goto(COURSE)
  await deciding.open(/^Questions/)
  await ta.getByText(`About the mark in ${HOMEWORK}`).waitFor()
  await deciding.open('The server was down in the evening.')
  await ta
    .getByText(/80 × 0\.9 = 72 of 100/)
    .first()
    .waitFor()
  expect(await axeFaults(ta)).toEqual([])
  await deciding.press('Change the mark')
  const dialog = ta.getByRole('dialog', { name: `Change the mark in ${HOMEWORK}` })
  await deciding.write(dialog.getByLabel('Points of 100'), '80')
  await deciding.write(dialog.getByLabel('Reason'), 'The server was down until 23:00.')
  expect(await axeFaults(ta)).toEqual([])
  await deciding.press('Save')
  await ta.getByText('The mark was changed').waitFor()
  // From the course's page to the decision.
  expect(deciding.actions).toBeLessThanOrEqual(6)
  expect(await markOf('student', HOMEWORK)).toEqual([80, 's'])

  await student.goto('/notices')
  await asking.open(
    new RegExp(`^Your question about your mark in .*${HOMEWORK}.* has an answer\\.$`),
  )
  await student.getByText('The mark was changed').waitFor()
  await student
    .getByText('Staff set 80 of 100 points, which count: “The server was down until 23:00.”.')
    .waitFor()
  expect(await axeFaults(student)).toEqual([])
  // Nobody else's notices or marks tell of it.
  const other = await newVisitor(stack.url)
  await enter(other, 'student2')
  for (const path of ['/notices', inCourse('marks'), inCourse('questions')]) {
    await other.goto(path)
    await untilShown(other, /./)
    expect(await other.locator('main').innerText()).not.toMatch(/server was down|80 of 100/)
  }
})

/** The ids of a student's notices. */
async function noticesOf(username: string): Promise<number[]> {
  const { items } = await (await clientOf(stack.url, username)).call('GET', '/notices', noticeList)
  return items.map(({ id }) => id)
}

/** Secret marks: numbers that are nowhere else. */
const SECRET = { manual: 13.37, held: 61.23 }

test('marks that are not shown are on no page, notice, count or export of their student', async () => {
  await setColumns([
    { name: ORAL, max: 20 },
    { name: 'Secret exam', max: 20 },
  ])
  const before = await noticesOf('student4')
  await setMark('student4', 'Secret exam', SECRET.manual, 'Because of page 3')
  const held = { json: { usernames: ['student4'], held: true } }
  await teacher.call('PUT', `/course/Demo/gradebook/${idOf(HOMEWORK)}/held`, anything, held)
  await setMark('student4', HOMEWORK, SECRET.held, 'Because of page 3')
  const { homeworkId = null } =
    (await readColumns(teacher)).columns.find(({ name }) => name === HOMEWORK) ?? {}
  const pages = [
    '/',
    '/notices',
    COURSE,
    ...['marks', 'homeworks', 'problems', 'questions', 'submissions', 'members'].map(inCourse),
    inCourse(`homeworks/${homeworkId}/stats`),
  ]
  const page = await newVisitor(stack.url, { refused: [/40[34]/] })
  await enter(page, 'student4')
  /** Where the student reads any of the secret marks or their reason. */
  async function placesOf(): Promise<string[]> {
    const places: string[] = []
    const told = (text: string) => /13[.,]37|61[.,]23|page 3/.test(text)
    for (const path of pages) {
      await page.goto(path)
      await page.locator('main h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.locator('details').evaluateAll((all) => {
        for (const each of all) each.setAttribute('open', '')
      })
      if (told(await page.locator('body').innerText())) places.push(path)
    }
    for (const path of ['/api/auth/me/export', '/api/course/Demo/marks', '/api/notices'])
      if (told(await (await page.request.get(path)).text())) places.push(path)
    return places
  }
  expect(await placesOf()).toEqual([])
  const after = await noticesOf('student4')
  expect(after.filter((id) => !before.includes(id))).toEqual([])

  // Shown and let go, the same look finds them.
  await show('Secret exam', 'yes')
  const free = { json: { usernames: ['student4'], held: false } }
  await teacher.call('PUT', `/course/Demo/gradebook/${idOf(HOMEWORK)}/held`, anything, free)
  expect(await placesOf()).toEqual(
    expect.arrayContaining([inCourse('marks'), '/api/auth/me/export', '/api/course/Demo/marks']),
  )
  await page.goto('/notices')
  await page.getByRole('link', { name: /^You can see your mark in .*Secret exam/ }).waitFor()
})

/** The parts of a page of marks, with all explanations open, but without what only the student may press. */
async function marksText(page: Page): Promise<string[]> {
  await page.locator('main details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '')
  })
  const texts = await page.locator('main section').allInnerTexts()
  return texts.map((text) =>
    text.replaceAll(/^Ask about this mark\n?/gm, '').replaceAll(/\s+/g, ' '),
  )
}

test('a teacher makes groups with weights and a drop; a student sees the total, and staff the same text', async () => {
  await setColumns([{ name: ORAL, max: 20 }])
  await setMark('student3', HOMEWORK, 50)
  const hands = await visitorBy(stack.url, { by: 'pointer', on: 'wide' }, 'teacher')
  const { page } = hands
  await page.goto(COURSE)
  await hands.open('Gradebook')
  await hands.open('Columns and total')
  const group = (name: string) => page.getByRole('group', { name, exact: true })
  await hands.press('Add a group')
  await hands.write(group('Group 1').getByLabel('Name'), 'Homeworks')
  await hands.write(group('Homeworks').getByLabel('Weight'), '60')
  await hands.write(group('Homeworks').getByLabel('Drop the lowest'), '1')
  await hands.press('Add a group')
  await hands.write(group('Group 2').getByLabel('Name'), 'Exams')
  await hands.write(group('Exams').getByLabel('Weight'), '40')
  for (const name of ['First steps', HOMEWORK])
    await hands.choose(group(name).getByLabel('Group'), 'Homeworks')
  await hands.choose(group(ORAL).getByLabel('Group'), 'Exams')
  await hands.press('Add a column')
  await hands.write(group('Column 4').getByLabel('Name'), 'Attendance')
  await hands.write(group('Attendance').getByLabel('Maximum'), '10')
  await hands.choose(group('Attendance').getByLabel('Group'), 'Exams')
  await page.getByText('The lowest of 2 is dropped.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  // While the settings are saved, nothing is typed that the stored ones would replace.
  await page.route('**/gradebook/columns', async (route) => {
    if (route.request().method() === 'PUT')
      await page.locator('fieldset:disabled').first().waitFor()
    await route.continue()
  })
  await hands.press('Save')
  await page.getByText('Saved.').first().waitFor()
  await page.unroute('**/gradebook/columns')
  await hands.press('Show the total to students')
  await answer(page, 'Show the total to students?', 'Show the total to students')
  await page.getByText('Students see their totals.').waitFor()
  await readIds()
  await show('Attendance', 'yes')
  await setMark('student3', 'Attendance', 10)
  await setMark('student3', ORAL, 15)
  // 50 of 100 are the better homework: 30 of 60. 25 of 30 in the exams are 33.33 of 40.
  await expect.poll(() => markOf('student3', 'total')).toEqual([63.33, ''])

  const student = await newVisitor(stack.url)
  await enter(student, 'student3')
  await student.goto('/notices')
  await student.getByRole('link', { name: /^You can see your mark in Demo\.$/ }).click()
  await student.locator('h1', { hasText: 'My marks' }).waitFor()
  await student.getByText('63.33 of 100', { exact: true }).waitFor()
  const own = await marksText(student)
  expect(own.join('\n')).toContain('Dropped as one of the lowest')

  await page.goto(inCourse('gradebook'))
  await hands.press('More')
  const file = page.getByRole('link', { name: 'Download CSV with explanations' })
  const csv = await page.request.get((await file.getAttribute('href')) ?? '')
  expect(await csv.text()).toContain('The total drops it as one of the lowest')
  await page.keyboard.press('Escape')
  await page.getByRole('rowheader').getByRole('link', { name: 'Student 3' }).click()
  await page.getByText('You see what Student 3 sees.').waitFor()
  await page.getByText('63.33 of 100', { exact: true }).waitFor()
  expect(await marksText(page)).toEqual(own)
  expect(await axeFaults(page)).toEqual([])
  const admin = await newVisitor(stack.url)
  await enter(admin, 'admin')
  await admin.goto('/admin/audit?action=marks.view&actor=teacher')
  await admin
    .getByRole('row', { name: /marks\.view.*student3|student3.*marks\.view/ })
    .first()
    .waitFor()
  const api = await clientOf(stack.url, 'admin')
  const { items } = await api.call('GET', '/audit?action=marks.view&actor=teacher', auditPage)
  expect(items).toHaveLength(1)
})

/** `npm run test:full` looks at the pages in each scheme, width and language. */
const IS_FULL = Reflect.get(import.meta, 'env').MODE === 'full'
const ALL_LOOKS = (['english', 'chinese', 'taiwanese'] as const).flatMap((locale) =>
  [1366, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ locale, width, colorScheme })),
  ),
)
/** Otherwise in four of these, with each scheme, width and language. */
const LOOKS = ALL_LOOKS.filter((_, index) => IS_FULL || [0, 3, 6, 9].includes(index))

test.each(LOOKS)(
  'axe finds nothing on pages of marks: $locale, $width px, $colorScheme',
  async ({ locale, width, colorScheme }) => {
    const visits = [
      ['teacher', ['gradebook', 'gradebook/settings', 'gradebook/files', 'marks/student']],
      ['student', ['marks']],
    ] as const
    const faults: string[] = []
    for (const [person, paths] of visits) {
      const page = await newVisitor(stack.url, { viewport: { width, height: 768 }, colorScheme })
      await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
      await enter(page, person)
      for (const path of paths) {
        await page.goto(inCourse(path))
        await untilShown(page, /./)
        await page.locator('main details').evaluateAll((all) => {
          for (const each of all) each.setAttribute('open', '')
        })
        faults.push(...(await axeFaults(page)).map((fault) => `${path}: ${fault}`))
        if (!(await fitsScreen(page))) faults.push(`${path}: wider than the screen`)
        if (path !== 'gradebook') continue
        await page.getByRole('gridcell').first().click()
        await page.locator('main, [role=dialog]').locator('.app-figure').waitFor()
        faults.push(...(await axeFaults(page)).map((fault) => `why a mark: ${fault}`))
      }
    }
    expect(faults).toEqual([])
  },
)
