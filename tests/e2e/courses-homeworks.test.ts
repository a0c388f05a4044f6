/** A course from the staff's side: scoreboard and plots; homeworks and problems that are changed, rejudged and deleted. */
import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { homework } from '#contract/homeworks'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js'
import type { ApiClient } from '../../scripts/api-client.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { answer, enter, newVisitor } from '../support/browser.ts'
import { noteSaid } from '../support/live-regions.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'
import { eventually } from '../support/eventually.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

const RIGHT = 'print(sum(map(int, input().split())))\n'
/** Right for the small subtask only. */
const HALF =
  '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n'

let stack: TestStack
let teacher: ApiClient

/** Hands in a program for the demo's first problem and waits for its verdict. */
async function handIn(api: ApiClient, languageType: number, code: string): Promise<void> {
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, languageType, code },
  })
  await eventually(async () => {
    const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    expect(status).toBeGreaterThanOrEqual(0)
  })
}

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  const [student, student2] = await Promise.all([
    clientOf(stack.url, 'student'),
    clientOf(stack.url, 'student2'),
  ])
  await student2.call('POST', '/profile', anything, { json: { displayedName: '=1+1' } })
  await Promise.all([handIn(student, 2, RIGHT), handIn(student2, 0, HALF)])
})

/** The first cell of each row of a table. */
async function firstColumn(page: Page, table: string): Promise<string[]> {
  const names = await page
    .getByRole('table', { name: table })
    .getByRole('rowheader')
    .getByRole('link')
    .allInnerTexts()
  return names.map((name) => name.split(/\s/).at(-1) ?? '')
}

test('the scoreboard is sorted, filtered by time and exported', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'ta')
  await page.goto(`${COURSE}/homeworks`)
  await page.getByRole('link', { name: 'Scoreboard' }).click()
  const board = 'Scoreboard of First steps'
  await page.getByRole('table', { name: board }).waitFor()
  expect(await firstColumn(page, board)).toEqual(['student', 'student2', 'student3', 'student4'])
  await page.getByRole('button', { name: '#1 A + B' }).click()
  await page.getByRole('button', { name: '#1 A + B' }).click()
  expect(await firstColumn(page, board)).toEqual(['student3', 'student4', 'student2', 'student'])

  const solver = page.getByRole('row', { name: /Student student/ })
  expect(await solver.getByRole('link', { name: '100' }).getAttribute('href')).toMatch(
    /\/submission\/[0-9a-f]{24}$/,
  )

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('Demo First steps.csv')
  const text = await readFile(await file.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  const [head, ...rows] = Papa.parse<string[]>(text.slice(1).trimEnd()).data
  expect(head?.slice(0, 5)).toEqual([
    'Username',
    'Display name',
    '#1 A + B',
    '#1 A + B tries',
    '#1 A + B late',
  ])
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['student3', 'Student 3', '', '0'],
    ['student4', 'Student 4', '', '0'],
    ['student2', "'=1+1", '50', '1'],
    ['student', 'Student', '100', '1'],
  ])

  await page.getByLabel(/^until/).fill('2020-01-01 00:00')
  await expect
    .poll(() => page.getByRole('table', { name: board }).getByText('1 try').count())
    .toBe(0)
  expect(page.url()).toContain('end=')
  await page.getByRole('button', { name: 'Any time' }).click()
  await page.getByRole('table', { name: board }).getByText('1 try').first().waitFor()
})

test('plots have their tables', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'student')
  await page.goto(`${COURSE}/problem/1`)
  await page.getByRole('link', { name: 'Statistics' }).click()
  const verdicts = page.getByRole('table', { name: 'Verdicts' })
  await verdicts.getByRole('row', { name: 'Accepted 1' }).waitFor()
  await verdicts.getByRole('row', { name: 'Wrong Answer 1' }).waitFor()
  const scores = page.getByRole('table', { name: 'Best scores' })
  await scores.getByRole('row', { name: '50–59 1' }).waitFor()
  await scores.getByRole('row', { name: '100 1', exact: true }).waitFor()
  // One bar for each row whose count is not 0.
  await expect.poll(() => page.locator('figure [data-bar]:not([data-bar="0"])').count()).toBe(4)
  await page.getByText('2 of 4').waitFor()
  for (const name of ['Top 10 by run time', 'Top 10 by memory'])
    await page
      .getByRole('table', { name })
      .getByRole('row', { name: /^1 Student/ })
      .waitFor()
})

test('a homework is edited, a stale edit is refused, and it is deleted by its name', async () => {
  const { id } = await teacher.call('POST', '/homework', z.object({ id: z.string() }), {
    json: { name: 'Second steps', courseName: 'Demo', start: 0, end: 9, problemIds: [2, 1] },
  })
  const page = await newVisitor(stack.url, { refused: [/^409 .*\/homework\//] })
  await enter(page, 'ta')
  await page.goto(`${COURSE}/homeworks/${id}/edit`)
  await page.getByLabel('Name').fill('Edited once')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Edited once' }).waitFor()
  const stored = await teacher.call('GET', `/homework/${id}`, homework)
  // The form did not change the times, so they keep their seconds.
  expect(stored).toMatchObject({ start: 0, end: 9, problemIds: [2, 1] })

  await page.goto(`${COURSE}/homeworks/${id}/edit`)
  await page.getByLabel('Name').fill('Of the assistant')
  await teacher.call('PUT', `/homework/${id}`, anything, {
    json: { name: 'Of the teacher', start: 0, end: 9, problemIds: [2, 1] },
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else has changed this since you opened it.').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Of the assistant')
  expect((await teacher.call('GET', `/homework/${id}`, homework)).name).toBe('Of the teacher')
  await page.getByRole('button', { name: 'Save my version anyway' }).click()
  await page.getByRole('heading', { name: 'Of the assistant' }).waitFor()

  await page.goto(`${COURSE}/homeworks/${id}/edit`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type the name to confirm').fill('Of the assistan')
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Type the name to confirm').fill('Of the assistant')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Of the assistant' }).count()).toBe(0)
})

test('everything is judged again; the job is left and found again', async () => {
  const page = await newVisitor(stack.url)
  const said = await noteSaid(page)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/1`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Rejudge all' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Wrong Answer').check()
  await dialog.getByRole('button', { name: 'Rejudge', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`${COURSE}/homeworks`)
  await page.goto(`${COURSE}/problem/1`)
  await page.getByText('1 submission was judged again.').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('was judged again').waitFor({ state: 'detached' })

  await page.goto(`${COURSE}/homeworks`)
  await page.getByRole('button', { name: 'Rejudge all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rejudge', exact: true }).click()
  await page.getByText('submissions were judged again.').waitFor()
  // Screen readers hear the end once, and none of the steps.
  expect((await said()).filter((text) => /judged again/.test(text))).toHaveLength(1)
})

test('a problem is copied with its samples, and the copy is deleted', async () => {
  const page = await newVisitor(stack.url, { refused: [/^404 .*\/problem\/\d+$/] })
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/2`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the samples as a zip' }).click(),
  ])
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(await file.path())])))
  const entries = await zip.getEntries()
  const texts = await Promise.all(
    entries.map(async (entry) => [
      entry.filename,
      entry.directory ? '' : await entry.getData(new TextWriter()),
    ]),
  )
  expect(texts.slice(0, 2)).toEqual([
    ['sample-1.in', '6\n'],
    ['sample-1.out', '12\nperfect\n'],
  ])

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Copy to a course' }).click()
  await page.getByRole('combobox', { name: 'Course' }).click()
  await page.getByRole('option', { name: 'Demo' }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Students do not see this problem.').waitFor()
  const copied = page.url()
  expect(copied).not.toMatch(/problem\/2$/)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Type the name to confirm').fill('Perfect numbers')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Problems' }).waitFor()
  await page.goto(copied)
  await page.getByText('There is nothing at this address').waitFor()
})

test('a course is renamed, deleted by its name and restored', async () => {
  await teacher.call('POST', '/course', anything, {
    json: { course: 'Algebra', teacher: 'teacher' },
  })
  const page = await newVisitor(stack.url, { refused: [/^409 \/api\/course$/] })
  await enter(page, 'teacher')
  await page.goto('/course/Algebra/members')
  await page.getByRole('link', { name: 'Course settings' }).click()
  await page.getByLabel('Course name').fill('Algebra & more')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The character & is not allowed').waitFor()
  await page.getByLabel('Course name').fill('Demo')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A course with this name already exists.').waitFor()
  await page.getByLabel('Course name').fill('Algebra 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/course/Algebra%202/members')
  // The address changes before the page.
  const settings = page.locator('a[href="/course/Algebra%202/settings"]')
  await page.getByRole('link', { name: 'Course settings' }).and(settings).click()
  await page.getByRole('button', { name: 'Delete course' }).click()
  await page.getByRole('dialog', { name: /^Delete “.*”\?$/ }).waitFor()
  await page.getByLabel('Type the name to confirm').fill('Algebra 2')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete course' }).click()
  await page.getByRole('button', { name: 'Restore Algebra 2' }).click()
  await page.getByRole('link', { name: 'Algebra 2' }).click()
  await page.getByRole('heading', { name: 'Announcements' }).waitFor()
})

test('what was typed into a form is still there after a reload, and can be discarded', async () => {
  const page = await newVisitor(stack.url)
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, 'teacher')
  await page.goto(`${COURSE}/homeworks/new`)
  const name = page.getByLabel('Name')
  await name.fill('Half written')
  await page.reload()
  await page.getByText('We restored your unsaved changes.').waitFor()
  expect(await name.inputValue()).toBe('Half written')
  await page.reload()
  await eventually(async () => expect(await name.inputValue()).toBe('Half written'))
  await page.getByRole('button', { name: 'Discard the changes' }).click()
  await answer(page, 'Discard unsaved changes?', 'Discard the changes')
  expect(await name.inputValue()).toBe('')
  await name.fill('To be left')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await answer(page, 'Leave this page?', 'Leave')
  await page.getByRole('link', { name: 'New homework' }).click()
  await name.waitFor()
  expect(await name.inputValue()).toBe('')
})

test('what was typed into a form outlives a page that the browser ends in the background', async () => {
  const page = await newVisitor(stack.url)
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, 'teacher')
  await page.goto(`${COURSE}/homeworks/new`)
  const name = page.getByLabel('Name')
  await name.fill('Half written')
  // When a phone ends a page, the page only learns that it is hidden.
  await page.evaluate(() => {
    const unsaid = (event: Event) => event.stopImmediatePropagation()
    window.addEventListener('pagehide', unsaid, { capture: true })
  })
  await page.reload()
  await page.getByText('We restored your unsaved changes.').waitFor()
  expect(await name.inputValue()).toBe('Half written')
})
