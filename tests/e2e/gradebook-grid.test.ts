/** What is typed into the gradebook's grid is neither lost nor saved in another cell. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { gradebookPage, marksEdited } from '#contract/gradebook'
import type { ApiClient } from '../../scripts/api-client.ts'
import type { VisitorOptions } from '../support/browser.ts'
import { readColumns, setColumns } from '../support/gradebook-columns.ts'
import { visitorBy } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const ORAL = { name: 'Oral exam', max: 20 }
const QUIZZES = Array.from({ length: 16 }, (_, index) => ({ name: `Quiz ${index + 1}`, max: 10 }))

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
})

/** The grid of an assistant, with the keyboard in it. */
async function openGrid(options: VisitorOptions = {}) {
  const hands = await visitorBy(stack.url, { by: 'keys', on: 'wide' }, 'ta', options)
  await hands.page.goto('/course/Demo/gradebook')
  await hands.page.getByRole('grid').focus()
  return hands
}

const fieldOf = (page: Page) => page.getByRole('grid').getByRole('textbox')

/** Leads by arrows to the first student's cell in a column. */
async function goTo(page: Page, name: string): Promise<void> {
  const { columns } = await readColumns(teacher)
  await page.keyboard.press('Control+Home')
  const right = columns.findIndex((column) => column.name === name) + 1
  for (let step = 0; step < right; step += 1) await page.keyboard.press('ArrowRight')
}

/** The id of the oral exam's column. */
async function oralId(): Promise<number> {
  const { columns } = await readColumns(teacher)
  return columns.find(({ name }) => name === ORAL.name)?.id ?? 0
}

/** The stored mark of the oral exam. */
async function oralOf(username: string) {
  const id = await oralId()
  const { columnIds, people } = await teacher.call('GET', '/course/Demo/gradebook', gradebookPage)
  return people.find(({ user }) => user.username === username)?.cells[columnIds.indexOf(id)]
}

/** The teacher sets the first student's mark of the oral exam. */
async function setOral(points: number): Promise<void> {
  const edits = [{ username: 'student', columnId: await oralId(), points }]
  await teacher.call('PATCH', '/course/Demo/gradebook', marksEdited, { json: { edits } })
}

/** Comes back to a page that then reads again, as its data is a minute old. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.setFixedTime(Date.now() + 60_000)
  await page.evaluate(() => globalThis.dispatchEvent(new Event('visibilitychange')))
}

test('a cell that is edited keeps its text out of sight, and the keys go on', async () => {
  await setColumns(teacher, [ORAL, ...QUIZZES])
  const { page } = await openGrid({ viewport: { width: 900, height: 700 } })
  await goTo(page, ORAL.name)
  await page.keyboard.type('8')
  await fieldOf(page).hover()
  await page.mouse.wheel(5_000, 0)
  await page.getByRole('columnheader', { name: /^Quiz 16/ }).waitFor()
  await page.keyboard.type(',5')
  await page.keyboard.press('Enter')
  await page.keyboard.type('9')
  await page.keyboard.press('Enter')
  await expect.poll(() => oralOf('student2')).toEqual([9, ''])
  expect(await oralOf('student')).toEqual([8.5, ''])
})

test('a cell that is edited goes with its column: no other cell gets its text', async () => {
  await setColumns(teacher, [ORAL, ...QUIZZES])
  const { page } = await openGrid()
  await goTo(page, 'Quiz 1')
  await page.keyboard.type('7')
  await fieldOf(page).waitFor()
  await setColumns(teacher, [ORAL])
  await comeBack(page)
  await expect.poll(() => page.getByRole('columnheader', { name: /^Quiz/ }).count()).toBe(0)
  expect(await fieldOf(page).count()).toBe(0)
})

test('each mark that was not saved stays red until it is saved or given up', async () => {
  await setColumns(teacher, [ORAL])
  const { page } = await openGrid({ refused: [/^net::ERR_INTERNET_DISCONNECTED \/api\//] })
  const refused = page.getByRole('grid').locator('[aria-invalid=true]')
  await goTo(page, ORAL.name)
  await page.context().setOffline(true)
  for (const mark of ['11', '12']) {
    await page.keyboard.type(mark)
    await page.keyboard.press('Enter')
  }
  await expect.poll(() => refused.count()).toBe(2)
  await page.context().setOffline(false)
  await page.keyboard.type('13')
  await page.keyboard.press('Enter')
  await expect.poll(() => oralOf('student3')).toEqual([13, ''])
  await page.getByText('Saved.').waitFor()
  expect(await refused.count()).toBe(2)
  // The second is typed again; the stored mark of the first is let stand.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('12')
  await page.keyboard.press('Shift+Enter')
  await expect.poll(() => oralOf('student2')).toEqual([12, ''])
  await expect.poll(() => refused.count()).toBe(1)
  await page.keyboard.press('F2')
  await page.keyboard.press('Enter')
  await expect.poll(() => refused.count()).toBe(0)
})

test('a picture that is pasted clears no mark; an empty cell of a spreadsheet does', async () => {
  await setColumns(teacher, [ORAL])
  const { page } = await openGrid()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await goTo(page, ORAL.name)
  for (const mark of ['8', '9']) {
    await page.keyboard.type(mark)
    await page.keyboard.press('Enter')
  }
  await expect.poll(() => oralOf('student2')).toEqual([9, ''])
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1, 1)
    canvas.getContext('2d')
    const picture = await canvas.convertToBlob()
    await navigator.clipboard.write([new ClipboardItem({ [picture.type]: picture })])
  })
  await goTo(page, ORAL.name)
  await page.keyboard.press('Control+v')
  await page.evaluate(() => navigator.clipboard.writeText('\r\n'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+v')
  // Marks are saved in the order in which they change.
  await expect.poll(() => oralOf('student2')).toEqual([null, ''])
  expect(await oralOf('student')).toEqual([8, ''])
})

test('clearing a total says at once why it stays', async () => {
  const { page } = await openGrid()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Delete')
  const text = 'The change was not saved. Totals are computed, and names stay as they are.'
  await page.getByRole('alert').getByText(text, { exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('“Undo” takes back the mark that was saved, and leads the keys into the grid', async () => {
  await setColumns(teacher, [ORAL])
  const hands = await openGrid()
  const { page } = hands
  const before = await oralOf('student')
  await goTo(page, ORAL.name)
  await page.keyboard.type('17')
  await page.keyboard.press('Enter')
  await expect.poll(() => oralOf('student')).toEqual([17, ''])
  await hands.press('Undo')
  await expect.poll(() => oralOf('student')).toEqual(before)
  await page.getByText('Saved.').waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await page.getByRole('grid').evaluate((grid) => grid === document.activeElement)).toBe(
    true,
  )
})

test('on a phone the panel excuses a student, and takes it back', async () => {
  await setColumns(teacher, [ORAL])
  const hands = await visitorBy(stack.url, { by: 'pointer', on: 'phone' }, 'ta')
  const { page } = hands
  const before = await oralOf('student')
  await page.goto('/course/Demo/gradebook')
  await hands.choose(page.getByLabel('Column', { exact: true }), ORAL.name)
  await hands.use(page.getByRole('gridcell').first())
  const why = page.getByRole('dialog', { name: 'Why this mark' })
  const field = why.getByRole('textbox', { name: 'Mark', exact: true })
  // A keypad of numbers would have no letters.
  expect(await field.getAttribute('inputmode')).toBeNull()
  await hands.write(field, 'EX')
  await hands.use(why.getByRole('button', { name: 'Save' }))
  await expect.poll(() => oralOf('student')).toEqual([null, 'e'])
  await hands.use(why.getByRole('button', { name: 'Undo' }))
  await expect.poll(() => oralOf('student')).toEqual(before)
})

test('the panel saves only a mark that was typed, and keeps it when the mark changes meanwhile', async () => {
  await setColumns(teacher, [ORAL])
  await setOral(4)
  const hands = await openGrid()
  const { page } = hands
  await goTo(page, ORAL.name)
  await page.keyboard.press('Space')
  const why = page.getByRole('region', { name: 'Why this mark' })
  const field = why.getByRole('textbox', { name: 'Mark', exact: true })
  const save = why.getByRole('button', { name: 'Save' })
  await hands.write(why.getByLabel('Reason (optional)'), 'A typing error')
  expect(await save.isDisabled()).toBe(true)
  await hands.write(field, '15')
  await setOral(16)
  await comeBack(page)
  const changed = why.getByText('The mark has changed meanwhile to 16.')
  await changed.waitFor()
  expect(await field.inputValue()).toBe('15')
  await page.keyboard.press('Enter')
  await expect.poll(() => oralOf('student')).toEqual([15, ''])
  await changed.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('15')
  expect(await save.isDisabled()).toBe(true)
})
