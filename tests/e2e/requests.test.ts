/** Requests for another due time, and late days that students ask for: both sides read the same. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { homework, homeworkCreated } from '#contract/homeworks'
import { lateDayTable } from '#contract/late-days'
import { questionCreated, questionPage } from '#contract/questions'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const DAY = 86_400
const RIGHT = 'print(sum(map(int, input().split())))\n'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const NOTE = { name: 'doctor.png', mimeType: 'image/png', buffer: PNG }
/** A text that only calls itself a picture. */
const WRONG = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('Get well soon') }

let stack: TestStack
let teacher: ApiClient
/** The demo's homework, which is due long after all others. */
let homeworkId: string

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  const [first] = await teacher.call('GET', '/course/Demo/homework', z.array(homework))
  homeworkId = first?.id ?? ''
})

async function ownHomework(username: string) {
  const student = await clientOf(stack.url, username)
  return student.call('GET', `/homework/${homeworkId}`, homework)
}

/** Asks for two more days as a student; returns the request's id. */
async function ask(username: string, teacherOnly: boolean): Promise<string> {
  const student = await clientOf(stack.url, username)
  const { own } = await ownHomework(username)
  const json = { due: own.due + 2 * DAY, markdown: `Reason of ${username}`, teacherOnly }
  const path = `/homework/${homeworkId}/requests`
  return (await student.call('POST', path, questionCreated, { json })).questionId
}

/** A time as the app shows it, in the zone of this machine and its browser. */
const shownAs = (at: number) => new Date(at * 1_000).toLocaleString('sv-SE').slice(0, 16)

test.each(
  WAYS.map((way, index) => ({ ...way, student: ['student', 'student2'][index] ?? 'student3' })),
)('a request with a file is granted by one press: by $by, $on', async ({ student, ...way }) => {
  const { own, name } = await ownHomework(student)
  const asking = await visitorBy(stack.url, way, student)
  const { page } = asking
  await page.goto(`${COURSE}/homeworks`)
  await asking.press(`Ask for more time for ${name}`)
  const dialog = page.getByRole('dialog', { name: `More time for ${name}` })
  await asking.write(dialog.getByLabel('Reason'), 'I was ill.')
  await asking.pick(dialog.getByRole('button', { name: 'Add a file' }), WRONG)
  const refusal = dialog.getByText(/^The file must be a PNG/)
  await refusal.waitFor()
  await expect.poll(() => isInView(page, refusal)).toBe(true)
  expect(await axeFaults(page)).toEqual([])
  await asking.pick(dialog.getByRole('button', { name: 'Add a file' }), NOTE)
  await dialog.getByText(/^doctor\.png/).waitFor()
  await refusal.waitFor({ state: 'detached' })
  await asking.use(dialog.getByRole('button', { name: 'Send' }))
  const sent = page.getByText('Sent. The answer will appear here')
  await sent.waitFor()
  await expect.poll(() => isInView(page, sent)).toBe(true)
  const wanted = shownAs(own.due + 2 * DAY)
  await page.getByRole('link', { name: `Asked for ${wanted}` }).waitFor()

  const staff = await visitorBy(stack.url, way, 'ta')
  await staff.page.goto(`${COURSE}/questions`)
  const give = new RegExp(`^Give until ${wanted}.*: ${await nameOf(student)}, `)
  await staff.use(staff.page.getByRole('button', { name: give }))
  const said = staff.page.getByText(`has until ${wanted}`)
  await said.waitFor()
  await expect.poll(() => isInView(staff.page, said)).toBe(true)
  expect(staff.actions).toBe(1)
  expect(await axeFaults(staff.page)).toEqual([])
  expect((await ownHomework(student)).own.due).toBe(own.due + 2 * DAY)

  // The open page shows it without a reload, and leads to the thread, which has the file.
  await page.getByRole('link', { name: `Given until ${wanted}` }).waitFor()
  await page.getByRole('main').getByText(wanted).nth(1).waitFor()
  await asking.open(new RegExp(`^Given until ${wanted}`))
  await page.getByText('I was ill.').waitFor()
  const link = page.getByRole('link', { name: /^doctor\.png/ })
  const file = await page.request.get((await link.getAttribute('href')) ?? '')
  expect(await file.body()).toEqual(PNG)
  await asking.use(page.getByRole('link', { name }))
  await page.getByRole('heading', { level: 2, name }).waitFor()
})

/** What staff read as a student's name. */
async function nameOf(username: string): Promise<string> {
  const { items } = await teacher.call('GET', '/course/Demo/questions', questionPage)
  const found = items.find(({ student }) => student.username === username)
  return found?.student.displayedName ?? username
}

/** Whether an element lies on the screen. */
async function isInView(page: Page, target: ReturnType<Page['getByText']>): Promise<boolean> {
  const box = await target.boundingBox()
  const height = page.viewportSize()?.height ?? 0
  return box !== null && box.y >= 0 && box.y + box.height <= height
}

test('no teaching assistant sees a request for the teacher only', async () => {
  const questionId = await ask('student4', true)
  const ta = await newVisitor(stack.url, { refused: [/404/] })
  await enter(ta, 'ta')
  const reason = 'Reason of student4'
  for (const path of ['/', `${COURSE}/questions`, `${COURSE}/homeworks`]) {
    await ta.goto(path)
    await untilShown(ta, /./)
    expect(await ta.locator('body').innerText(), path).not.toContain(reason)
  }
  await ta.goto(`${COURSE}/question/${questionId}`)
  await ta.locator('main h1').first().waitFor()
  expect(await ta.locator('body').innerText()).not.toContain(reason)
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/questions`)
  await page.getByText(reason).waitFor()
  await page.getByText('Only the teacher reads this').waitFor()
  await page.getByRole('button', { name: /^Decline: Student 4, / }).click()
  await page.getByText(/^The request of Student 4 for .* is declined\./).waitFor()
})

test('a late day that two tabs ask for is one, and both sides read the same', async () => {
  const now = Math.floor(Date.now() / 1_000)
  const lateRule = { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'subtract' }
  const form = { name: 'Late homework', courseName: 'Demo', problemIds: [1], lateRule }
  const times = { start: now - 3 * DAY, end: now - DAY / 2, close: now + 2 * DAY }
  const json = { ...form, ...times }
  const { id } = await teacher.call('POST', '/homework', homeworkCreated, { json })
  const staff = await newVisitor(stack.url)
  await enter(staff, 'ta')
  await staff.goto(`${COURSE}/late-days`)
  await staff.getByRole('button', { name: 'Add late days' }).click()
  await staff.getByLabel('Late days of each student').fill('3')
  await staff.getByLabel('At most in one homework').fill('2')
  await staff.getByLabel('Late days are used').selectOption('When the student asks')
  await staff.getByRole('combobox', { name: 'Homeworks' }).fill(form.name)
  await staff.getByRole('option', { name: form.name }).click()
  await staff.getByRole('button', { name: 'Save', exact: true }).click()
  await staff.getByText('Saved.', { exact: true }).waitFor()
  expect(await axeFaults(staff)).toEqual([])

  const api = await clientOf(stack.url, 'student3')
  const handedIn = { problemId: 1, languageType: 2, code: RIGHT }
  const submitted = await api.call('POST', '/submission', submissionCreated, { json: handedIn })
  await untilJudged(api, submitted.submissionId)
  const first = await newVisitor(stack.url)
  await enter(first, 'student3')
  const second = await first.context().newPage()
  const one = (page: Page) =>
    page.getByRole('group', { name: 'Use late days here:' }).getByRole('button', { name: '1' })
  for (const page of [first, second]) {
    await page.goto(`${COURSE}/homeworks`)
    await one(page).waitFor()
  }
  await Promise.all([one(first).click(), one(second).click()])
  const sentence = '2 of 3 late days left; this homework uses 1, as it gains 10 points.'
  for (const page of [first, second]) await page.getByText(sentence).waitFor()
  expect(await axeFaults(first)).toEqual([])
  const { people } = await teacher.call('GET', '/course/Demo/late-days', lateDayTable)
  const person = people.find(({ user }) => user.username === 'student3')
  expect(person?.budgets).toEqual([
    { left: 2, uses: [{ homeworkId: id, name: form.name, days: 1, gain: 10 }] },
  ])

  // The page of late days says the same to the student and to staff.
  await first.goto(`${COURSE}/late-days`)
  const texts = ['2 of 3 left.', `${form.name} uses 1, as it gains 10 points.`]
  for (const text of texts) await first.getByText(text).waitFor()
  await staff.reload()
  const row = staff.getByRole('row', { name: /Student 3/ })
  for (const text of texts) await row.getByText(text).waitFor()
  expect(await staff.getByRole('row', { name: /Student 2/ }).innerText()).toContain('3 of 3 left.')
})

const LOOKS = [
  { locale: 'english', width: 1280, colorScheme: 'light' },
  { locale: 'chinese', width: 390, colorScheme: 'dark' },
  { locale: 'taiwanese', width: 390, colorScheme: 'light' },
] as const

test.each(LOOKS)('pages and dialogs are accessible and fit: $locale, $width px', async (look) => {
  const { locale, width, colorScheme } = look
  const open = async (username: string) => {
    const page = await newVisitor(stack.url, { viewport: { width, height: 844 }, colorScheme })
    await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
    await enter(page, username)
    return page
  }
  const expectGood = async (page: Page, what: string) => {
    expect(await axeFaults(page), what).toEqual([])
    expect(await fitsScreen(page), what).toBe(true)
  }
  const { items } = await teacher.call('GET', '/course/Demo/questions', questionPage)
  const waiting = items.find(({ request }) => request?.outcome === null)
  const questionId = waiting?.questionId ?? (await ask('student3', false))
  const staff = await open('teacher')
  for (const path of ['questions', `question/${questionId}`, 'late-days']) {
    await staff.goto(`${COURSE}/${path}`)
    await untilShown(staff, /./)
    await expectGood(staff, path)
  }
  const student = await open('student4')
  for (const path of ['questions', 'late-days', 'homeworks']) {
    await student.goto(`${COURSE}/${path}`)
    await untilShown(student, /./)
    await expectGood(student, path)
  }
  await student.getByRole('button', { name: 'First steps' }).click()
  await student.getByRole('dialog').getByRole('textbox').nth(1).click()
  await expectGood(student, 'the dialog that asks')
})
