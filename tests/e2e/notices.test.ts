/** What is new reaches people: by the bell, by mail, and by a course's webhook; and they can turn it off. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { noticeCount, noticeList, ownNoticeSettings } from '#contract/notices'
import { questionCreated } from '#contract/questions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { fireCron } from '../../scripts/stack/stack-parts.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { mailsTo } from '../support/mails.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
})

/** A student asks and the teacher answers. */
async function askAndAnswer(username: string): Promise<void> {
  const student = await clientOf(stack.url, username)
  const json = { markdown: 'May it overflow?' }
  const asked = await student.call('POST', '/problem/1/questions', questionCreated, { json })
  await teacher.call('POST', `/question/${asked.questionId}/messages`, anything, {
    json: { markdown: 'No.' },
  })
}

/** A student has seen all that is there. */
async function seeAll(username: string): Promise<void> {
  const student = await clientOf(stack.url, username)
  const { items } = await student.call('GET', '/notices', noticeList)
  const json = { noticeId: items[0]?.id ?? 0 }
  await student.call('PUT', '/notices/seen', anything, { json })
}

/** Waits for the next mail to a student, whom the clock reaches. */
async function nextMail(username: string, before: number): Promise<string> {
  const to = `${username}@example.org`
  await expect
    .poll(async () => (await fireCron(stack.url), mailsTo(stack.stateDir, to).length), {
      interval: 500,
    })
    .toBe(before + 1)
  return mailsTo(stack.stateDir, to).at(-1) ?? ''
}

/** The bell in the side bar or in the top bar. */
const bell = (page: Page, name: RegExp) =>
  page.getByRole('link', { name }).filter({ visible: true }).first()

/** How many mails a student has got so far. */
const mailCount = (username: string) => mailsTo(stack.stateDir, `${username}@example.org`).length

/** The address in a mail that ends these mails. */
function unsubscribeLink(text: string): string {
  const [link] = /\/unsubscribe#token=[\w-]+/.exec(text) ?? []
  if (link === undefined) throw new Error(`no link in: ${text}`)
  return link
}

/** Whether a student still gets mails. */
async function getsMails(username: string): Promise<boolean> {
  const api = await clientOf(stack.url, username)
  return (await api.call('GET', '/notices/settings', ownNoticeSettings)).mails
}

test.each(WAYS.map((way, index) => ({ ...way, student: `student${index + 3}` })))(
  'an answer reaches the open page by the bell, and the page of notices lists it: by $by, $on',
  async ({ student, ...way }) => {
    await seeAll(student)
    const hands = await visitorBy(stack.url, way, student)
    const { page } = hands
    await page.goto(`${COURSE}/problems`)
    await bell(page, /^Notices$/).waitFor()
    // The socket is there before the answer comes.
    await page.waitForLoadState('networkidle')
    await askAndAnswer(student)
    await bell(page, /1 new notice$/).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await hands.use(bell(page, /1 new notice$/))
    const news = page.getByRole('link', { name: /^Your question about .* has an answer\.$/ })
    await news.waitFor()
    await page.getByText('New', { exact: true }).waitFor()
    await bell(page, /^Notices$/).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await hands.use(news)
    await page.getByText('May it overflow?').waitFor()
    expect(hands.actions).toBe(2)
    await page.goto('/notices')
    await news.waitFor()
    expect(await page.getByText('New', { exact: true }).count()).toBe(0)
  },
)

test('a kind that is off and a course that is muted bring nothing', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'student')
  const student = await clientOf(stack.url, 'student')
  const count = async () => (await student.call('GET', '/notices/count', noticeCount)).count
  await page.goto('/notices#settings')
  const kind = page.getByLabel('Answers to your questions')
  const course = page.getByRole('switch', { name: 'Demo', exact: true })
  async function save(): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
  }
  await kind.selectOption({ label: 'Off' })
  await save()
  const before = await count()
  await askAndAnswer('student')
  expect(await count()).toBe(before)
  await kind.selectOption({ label: 'In the app' })
  await course.uncheck({ force: true })
  await save()
  expect(await count()).toBe(0)
  await course.check({ force: true })
  await save()
  await askAndAnswer('student')
  expect(await count()).toBeGreaterThan(before)
})

test('a mail says what is new; its link stops the mails by one press, without signing in', async () => {
  const before = mailCount('student2')
  const json = { courseName: 'Demo', title: 'A digest', markdown: 'Read me.' }
  await teacher.call('POST', '/ann', anything, { json })
  await askAndAnswer('student2')
  const text = await nextMail('student2', before)
  expect(text).toContain('New announcement: “A digest”')
  expect(text).toMatch(/New answer to your question about “.*”\n {2}http\S+\/question\//)
  const page = await newVisitor(stack.url)
  await page.goto(unsubscribeLink(text))
  await page.getByText('You get no more mails about news in your courses.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop these mails' }).click()
  await page.getByText('Done: these mails have stopped.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await getsMails('student2')).toBe(false)
  await askAndAnswer('student2')
  await fireCron(stack.url)
  expect(mailCount('student2')).toBe(before + 1)

  // A mail service's own button does the same (RFC 8058). It is a form's POST from anywhere.
  const student = await clientOf(stack.url, 'student2')
  const settings = await student.call('GET', '/notices/settings', ownNoticeSettings)
  const { kinds, mutedCourses } = settings
  await student.call('PUT', '/notices/settings', anything, {
    json: { kinds, mutedCourses, mails: true },
  })
  expect(await getsMails('student2')).toBe(true)
  const [, token = ''] = unsubscribeLink(text).split('token=')
  const pressed = await fetch(`${stack.url}/api/notices/unsubscribe?token=${token}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(pressed.status).toBe(200)
  expect(await getsMails('student2')).toBe(false)
})

test('a wrong link to stop the mails leads to the settings', async () => {
  const page = await newVisitor(stack.url, { refused: [/^\d{3} \/api\/notices\/unsubscribe/] })
  await page.goto('/unsubscribe#token=wrong')
  await page.getByRole('button', { name: 'Stop these mails' }).click()
  await page.getByText('This link does not work.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Choose what you hear of' }).click()
  await page.getByText('Please sign in to see that page.').waitFor()
})

test.each(WAYS)(
  'a course’s webhook is set, shows its secret once, and goes: by $by, $on',
  async (way) => {
    const hands = await visitorBy(stack.url, way, 'teacher')
    const { page } = hands
    await page.goto(`${COURSE}/settings`)
    await hands.write(page.getByLabel('Address', { exact: true }), 'http://10.0.0.1/')
    await hands.press('Set up the webhook')
    await expect
      .poll(() => page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await hands.write(
      page.getByLabel('Address', { exact: true }),
      'https://hooks.example.org/judge',
    )
    await hands.press('Set up the webhook')
    const secret = page.getByText(/^whsec_/)
    await secret.waitFor()
    await page.getByText('In use since').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.reload()
    await page.getByText('In use since').waitFor()
    expect(await secret.count()).toBe(0)
    await hands.press('Remove the webhook')
    const question = page.getByRole('dialog', { name: 'Remove the webhook?' })
    await hands.use(question.getByRole('button', { name: 'Remove the webhook', exact: true }))
    await page.getByRole('button', { name: 'Set up the webhook' }).waitFor()
  },
)

const LOOKS = [
  { locale: 'english', width: 1280, colorScheme: 'light' },
  { locale: 'chinese', width: 390, colorScheme: 'dark' },
  { locale: 'taiwanese', width: 390, colorScheme: 'light' },
] as const

test.each(LOOKS)('pages are accessible and fit: $locale, $width px', async (look) => {
  const { locale, width, colorScheme } = look
  await askAndAnswer('student')
  const ofStudent = ['/notices', '/unsubscribe#token=wrong', '/unsubscribe']
  const pages = [
    ...ofStudent.map((path) => ['student', path] as const),
    ...['/notices', `${COURSE}/settings`].map((path) => ['teacher', path] as const),
  ]
  for (const [username, path] of pages) {
    const page = await newVisitor(stack.url, { viewport: { width, height: 844 }, colorScheme })
    await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
    await enter(page, username)
    await page.goto(path)
    await untilShown(page, /./)
    expect(await axeFaults(page), path).toEqual([])
    expect(await fitsScreen(page), path).toBe(true)
  }
})
