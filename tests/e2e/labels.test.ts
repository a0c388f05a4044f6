/** Labels: a lab's Thursday, which only the lab's students and staff see. */
import { readFile } from 'node:fs/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { courseDetail } from '#contract/courses'
import { homework } from '#contract/homeworks'
import { labelsChanged } from '#contract/labels'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const LABEL = 'Thursday lab'
const REASON = 'The lab is two days later'
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient
let homeworkId: string
/** A submission of `student3`. */
let submissionId: string

const inCourse = (path: string) => `${COURSE}/${path}`
const homeworkPage = (page: string) => inCourse(`homeworks/${homeworkId}/${page}`)

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  const [first] = await teacher.call('GET', '/course/Demo/homework', z.array(homework))
  homeworkId = first?.id ?? ''
  const student = await clientOf(stack.url, 'student3')
  const json = { problemId: 1, languageType: 2, code: 'print(1)\n' }
  ;({ submissionId } = await student.call('POST', '/submission', submissionCreated, { json }))
  await untilJudged(student, submissionId)
})

/** Replaces the labels of the course; returns their ids. */
async function setLabels(names: readonly string[]): Promise<number[]> {
  const json = { labels: names.map((name) => ({ id: null, name })) }
  const { labels } = await teacher.call('PUT', '/course/Demo/labels', labelsChanged, { json })
  return labels.map(({ id }) => id)
}

/** The lab with `student3`, who has two more days. */
async function makeLab(): Promise<void> {
  const [label] = await setLabels([LABEL])
  const members = [{ username: 'student3', labels: [label] }]
  await teacher.call('PATCH', '/course/Demo/labels/members', anything, { json: { members } })
  const overrides = [
    { username: null, label, due: (await dueOf('student2')) + 172_800, reason: REASON },
  ]
  const path = `/homework/${homeworkId}/overrides`
  await teacher.call('PUT', path, anything, { json: { overrides } })
}

/** When the homework is due for a student. */
async function dueOf(username: string): Promise<number> {
  const student = await clientOf(stack.url, username)
  return (await student.call('GET', `/homework/${homeworkId}`, homework)).own.due
}

beforeEach(() => setLabels([]))

test.each(WAYS)('a lab gets its Thursday: by $by, $on', async (way) => {
  const before = await dueOf('student3')
  const staff = await visitorBy(stack.url, way, 'ta')
  const { page } = staff
  await page.goto(inCourse('members'))
  for (const name of ['student3', 'student4'])
    await staff.use(page.getByRole('checkbox', { name: `Select ${name}` }), 'Space')
  await staff.press('Labels of 2 students')
  await staff.write(page.getByLabel('Name of the new label'), LABEL)
  await staff.press('Save')
  await page.getByText('Saved for 2 students.').waitFor()
  const { labels, memberLabels } = await teacher.call('GET', '/course/Demo', courseDetail)
  const ids = labels.map(({ id }) => id)
  expect(labels).toMatchObject([{ name: LABEL, shown: false }])
  expect([...memberLabels]).toEqual(['student3', 'student4'].map((name) => [name, ids]))

  await page.goto(homeworkPage('dates'))
  await staff.press('Change for a label')
  await staff.press('+2 days')
  await staff.press('Save')
  await page.getByText(/^Saved\. Due now: /).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await staff.use(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last())
  await page.getByRole('row', { name: new RegExp(`^${LABEL}`) }).waitFor()
  expect(await dueOf('student3')).toBe(before + 172_800)
  expect(await dueOf('student4')).toBe(before + 172_800)
  expect(await dueOf('student2')).toBe(before)
  // One of them leaves the lab.
  await staff.press(`Take back: ${LABEL}`)
  await page.getByText('The dates of the label are taken back.').waitFor()
  expect(await dueOf('student3')).toBe(before)
})

test('a label’s date shows on its students’ pages and on staff’s, and nowhere else', async () => {
  await makeLab()
  const due = new Date((await dueOf('student3')) * 1_000).toLocaleString('sv-SE').slice(0, 16)
  const pages = [
    '/',
    COURSE,
    ...['homeworks', 'problems', 'problem/1', 'problem/1/submit', 'problem/1/stats'].map(inCourse),
    ...['submissions', 'questions', 'members', `submission/${submissionId}`].map(inCourse),
    ...['stats', 'dates', 'edit'].map(homeworkPage),
  ]
  const texts = { label: LABEL, reason: REASON, due }
  const shown: Record<string, Record<string, string[]>> = {}
  for (const viewer of ['student3', 'student2', 'ta', 'teacher']) {
    const page = await newVisitor(stack.url, { refused: [/40[34]/] })
    await enter(page, viewer)
    const found: Record<string, string[]> = { label: [], reason: [], due: [] }
    shown[viewer] = found
    for (const address of pages) {
      await page.goto(address)
      await page.locator('main h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      const text = await page.locator('body').innerText()
      for (const [what, wanted] of Object.entries(texts))
        if (text.includes(wanted)) found[what]?.push(address)
    }
  }
  const ofStudent = ['/', inCourse('homeworks'), inCourse('problem/1')]
  const ofStaff = {
    // The lists, numbers and tables that can be filtered by it.
    label: [
      ...['problem/1/stats', 'submissions', 'questions', 'members'].map(inCourse),
      ...['stats', 'dates'].map(homeworkPage),
    ],
    reason: [homeworkPage('dates')],
    due: [homeworkPage('dates')],
  }
  expect(shown).toEqual({
    student3: { label: [], reason: ofStudent, due: ofStudent },
    student2: { label: [], reason: [], due: [] },
    ta: ofStaff,
    teacher: ofStaff,
  })
})

test('the scoreboard and its file show one lab', async () => {
  await makeLab()
  const page = await newVisitor(stack.url)
  await enter(page, 'ta')
  await page.goto(homeworkPage('stats'))
  const board = page.getByRole('table').first()
  await board.getByRole('row', { name: /Student 2/ }).waitFor()
  await page.getByLabel('Label').selectOption({ label: LABEL })
  await board.getByRole('row', { name: /Student 2/ }).waitFor({ state: 'detached' })
  await board.getByRole('row', { name: /Student 3/ }).waitFor()
  const press = page.getByRole('button', { name: 'Export as CSV' })
  const [download] = await Promise.all([page.waitForEvent('download'), press.click()])
  const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
  expect(head).toContain('Labels')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain('student3')
  expect(rows[0]).toContain(LABEL)
  // The choice is in the address.
  await page.reload()
  await board.getByRole('row', { name: /Student 3/ }).waitFor()
  expect(await board.getByRole('row', { name: /Student 2/ }).count()).toBe(0)
})

const LOOKS = [
  {
    locale: 'english',
    width: 1280,
    colorScheme: 'light',
    edit: 'Edit labels',
    change: 'Change for a label',
  },
  {
    locale: 'chinese',
    width: 390,
    colorScheme: 'dark',
    edit: '編輯標籤',
    change: '變更標籤的日期',
  },
  {
    locale: 'taiwanese',
    width: 390,
    colorScheme: 'light',
    edit: '編輯標籤',
    change: '變更標籤的日期',
  },
] as const

test.each(LOOKS)('pages and dialogs are accessible and fit: $locale, $width px', async (look) => {
  await makeLab()
  const { locale, width, colorScheme, edit, change } = look
  const page = await newVisitor(stack.url, { viewport: { width, height: 844 }, colorScheme })
  await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
  await enter(page, 'teacher')
  const expectGood = async (what: string) => {
    expect(await axeFaults(page), what).toEqual([])
    expect(await fitsScreen(page), what).toBe(true)
  }
  const lists = ['submissions', 'questions', 'problem/1/stats'].map(inCourse)
  for (const path of [...lists, homeworkPage('stats')]) {
    await page.goto(path)
    await untilShown(page, /./)
    await expectGood(path)
  }
  for (const [path, press] of [
    [inCourse('members'), edit],
    [homeworkPage('dates'), change],
  ] as const) {
    await page.goto(path)
    await untilShown(page, /./)
    await expectGood(path)
    await page.getByRole('button', { name: press, exact: true }).click()
    // A press waits until the dialog has come in.
    await page.getByRole('dialog').getByRole('textbox').first().click()
    await expectGood(press)
  }
})
