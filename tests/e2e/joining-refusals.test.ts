/** Those whom a code does not let in at once: each reads one sentence and has one way on. Staff let in, refuse and remove. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import type { ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { answer, enter, newVisitor } from '../support/browser.ts'
import { changeDatabase } from '../support/changed-database.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { fillAccount, joinAs, makeCode } from '../support/joiners.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const MEMBERS = '/course/Demo/members'
const OTHER_CODE = 'Enter another code'
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
})

/** Expects a sentence, and that it has one way on. */
async function expectTold(page: Page, sentence: string, way: string): Promise<void> {
  const told = page.getByRole('alert').filter({ hasText: sentence })
  await told.waitFor()
  expect(await told.locator('button, a').allInnerTexts()).toEqual([way])
  expect(await axeFaults(page)).toEqual([])
}

/** Somebody who is not in the course any more, and may come back. */
async function whoHasLeft(username: string): Promise<void> {
  const { text } = await makeCode(teacher)
  const api = await joinAs(stack.url, text, username)
  await api.call('POST', '/course/Demo/leave', anything)
}

// First, while the page has few codes: the keyboard passes all of them.
test.each(WAYS.map((way, index) => ({ ...way, index })))(
  'people wait until staff let them in or refuse them: by $by, $on',
  async ({ index, ...way }) => {
    const { link } = await makeCode(teacher, { approval: true })
    const [wanted, unwanted] = [`wanted${index}`, `unwanted${index}`]
    const pages: Page[] = []
    for (const username of [wanted, unwanted]) {
      const page = await newVisitor(stack.url, { refused: [/^403 \/api\/join$/, /^404 /] })
      pages.push(page)
      await page.goto(link)
      await page.getByText('The teacher lets each person in.').waitFor()
      await page.getByLabel(/^Username/).focus()
      await fillAccount(page, username)
      await page.getByRole('button', { name: 'Create account and join' }).click()
      await page.getByText('You asked to join Demo').waitFor()
      expect(await axeFaults(page)).toEqual([])
    }
    const staff = await visitorBy(stack.url, way, 'teacher')
    await staff.page.goto(MEMBERS)
    await staff.use(staff.page.getByRole('checkbox', { name: wanted, exact: true }), 'Space')
    await staff.press('Let 1 person in')
    await staff.page.getByText('1 person is in the course now.').waitFor()
    await staff.press('Refuse 1 person')
    await staff.use(
      staff.page
        .getByRole('dialog', { name: 'Refuse 1 person?' })
        .getByRole('button', { name: 'Refuse', exact: true }),
    )
    await staff.page.getByText('1 person was refused.').waitFor()
    expect(await axeFaults(staff.page)).toEqual([])

    const [letIn, refused] = pages
    await letIn?.goto('/course/Demo/homeworks')
    await letIn?.getByRole('heading', { level: 1 }).waitFor()
    await refused?.goto('about:blank')
    await refused?.goto(link)
    await refused?.getByRole('button', { name: `Ask to join as ${unwanted}` }).click()
    if (refused)
      await expectTold(refused, 'The staff of this course removed you', 'Go to my courses')
  },
)

test('an expired and a full code, to guests and to people with an account', async () => {
  await whoHasLeft('late')
  const expired = await makeCode(teacher)
  changeDatabase(stack.stateDir, `update join_codes set until = 1 where id = ${expired.id}`)
  const full = await makeCode(teacher, { most: 1 })
  await joinAs(stack.url, full.text, 'first')
  const guest = await newVisitor(stack.url)
  const member = await newVisitor(stack.url)
  await enter(member, 'late')
  for (const page of [guest, member]) {
    await page.goto(expired.link)
    await expectTold(page, 'This code has expired.', OTHER_CODE)
    await page.goto('about:blank')
    await page.goto(full.link)
    await expectTold(page, 'As many people as allowed have used this code.', OTHER_CODE)
  }
})

test('a code that fills up while somebody types says so, and keeps what was typed', async () => {
  const full = await makeCode(teacher, { most: 1 })
  const page = await newVisitor(stack.url, { refused: [/^409 \/api\/join\/account$/] })
  await page.goto(full.link)
  await page.getByLabel(/^Username/).focus()
  await fillAccount(page, 'slow')
  await joinAs(stack.url, full.text, 'quick')
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await expectTold(page, 'As many people as allowed have used this code.', OTHER_CODE)
  expect(await page.getByLabel(/^Username/).inputValue()).toBe('slow')
})

test('a code for a domain: guests are told at the field, members are led to their address', async () => {
  const { link } = await makeCode(teacher, { domains: ['example.edu'] })
  const sentence = 'This course takes email addresses at these domains only: example.edu.'
  const guest = await newVisitor(stack.url)
  await guest.goto(link)
  await guest.getByLabel(/^Username/).focus()
  await fillAccount(guest, 'domain')
  await guest.getByRole('button', { name: 'Create account and join' }).click()
  await guest.getByText(sentence).waitFor()
  expect(await axeFaults(guest)).toEqual([])

  await (await clientOf(stack.url, 'student2')).call('POST', '/course/Demo/leave', anything)
  const page = await newVisitor(stack.url, { refused: [/^403 \/api\/join$/] })
  await enter(page, 'student2')
  await page.goto(link)
  await page.getByRole('button', { name: 'Join as Student 2' }).click()
  await expectTold(page, sentence, 'Go to my email address')
})

test('a member is told so, and another account takes the place of the one that is signed in', async () => {
  await whoHasLeft('sibling')
  const { link } = await makeCode(teacher)
  const page = await newVisitor(stack.url)
  await enter(page, 'student3')
  await page.goto(link)
  await expectTold(page, 'You are already in this course.', 'Go to the course')

  const other = await newVisitor(stack.url)
  await enter(other, 'sibling')
  await other.goto(link)
  await other.getByRole('button', { name: 'Join as sibling' }).waitFor()
  await other.getByRole('button', { name: 'Use another account' }).click()
  await other.getByRole('button', { name: 'I have an account' }).click()
  await other.getByLabel('Username or email').fill('student3')
  await other.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expectTold(other, 'You are already in this course.', 'Go to the course')
})

test('one leaves and comes back by the code', async () => {
  const { text, link } = await makeCode(teacher)
  await joinAs(stack.url, text, 'wanderer')
  const page = await newVisitor(stack.url)
  await enter(page, 'wanderer')
  await page.goto(MEMBERS)
  await page.getByRole('button', { name: 'Leave this course' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave Demo?' })
  await dialog.getByRole('button', { name: 'Leave this course' }).click()
  await page.getByText('You have left Demo.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.goto(link)
  await page.getByRole('button', { name: 'Join as wanderer' }).click()
  await page.waitForURL('**/course/Demo/homeworks')
})

test('those who came by one code are removed by the lot, and the code refuses them', async () => {
  const { text, link } = await makeCode(teacher)
  for (const username of ['lot1', 'lot2']) await joinAs(stack.url, text, username)
  const staff = await newVisitor(stack.url)
  await enter(staff, 'teacher')
  await staff.goto(MEMBERS)
  await staff.getByLabel('Joined').selectOption({ label: `By code ${text}` })
  await staff.getByText(/^2 of \d+ members$/).waitFor()
  await staff.getByRole('checkbox', { name: /^Select all/ }).check()
  await staff.getByRole('button', { name: 'Remove 2 students' }).click()
  await answer(staff, 'Remove 2 students from this course?', 'Remove')
  await staff.getByText('2 students were removed.').waitFor()
  expect(await axeFaults(staff)).toEqual([])

  const page = await newVisitor(stack.url, { refused: [/^403 \/api\/join$/] })
  await enter(page, 'lot1')
  await page.goto(link)
  await page.getByRole('button', { name: 'Join as lot1' }).click()
  await expectTold(page, 'The staff of this course removed you', 'Go to my courses')
})

const LOOKS = [
  {
    locale: 'english',
    width: 1280,
    colorScheme: 'light',
    fresh: 'New code',
    limits: 'New code with limits',
    leave: 'Leave this course',
  },
  {
    locale: 'chinese',
    width: 390,
    colorScheme: 'dark',
    fresh: '新增代碼',
    limits: '新增有限制的代碼',
    leave: '退出課程',
  },
  {
    locale: 'taiwanese',
    width: 390,
    colorScheme: 'light',
    fresh: '新增代碼',
    limits: '新增有限制的代碼',
    leave: '退出課程',
  },
] as const

test.each(LOOKS)('pages and dialogs are accessible and fit: $locale, $width px', async (look) => {
  const { locale, width, colorScheme, fresh, limits, leave } = look
  const open = await makeCode(teacher, { approval: true, domains: ['example.edu', 'example.org'] })
  const options = { viewport: { width, height: 844 }, colorScheme }
  const expectGood = async (page: Page, what: string) => {
    expect(await axeFaults(page), what).toEqual([])
    expect(await fitsScreen(page), what).toBe(true)
  }
  async function visitorAs(username: string | null): Promise<Page> {
    const page = await newVisitor(stack.url, options)
    await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
    if (username !== null) await enter(page, username)
    return page
  }
  for (const path of ['/join', open.link]) {
    const guest = await visitorAs(null)
    await guest.goto(path)
    await guest.getByRole('main').getByRole('textbox').first().waitFor()
    await expectGood(guest, path)
  }
  const staff = await visitorAs('teacher')
  await staff.goto(MEMBERS)
  await untilShown(staff, /./)
  await expectGood(staff, MEMBERS)
  await staff.getByRole('button', { name: limits, exact: true }).click()
  await staff.getByRole('dialog').getByRole('textbox').first().click()
  await expectGood(staff, limits)
  await staff.goto(MEMBERS)
  await staff.getByRole('button', { name: fresh, exact: true }).click()
  await staff.getByRole('dialog').getByRole('img').waitFor()
  await staff.getByRole('dialog').getByRole('button').last().focus()
  await expectGood(staff, fresh)
  const student = await visitorAs('student4')
  await student.goto(MEMBERS)
  await student.getByRole('button', { name: leave, exact: true }).click()
  await student.getByRole('dialog').getByRole('button', { name: leave }).focus()
  await expectGood(student, leave)
})
