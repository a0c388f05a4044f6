/** The first hour of a course: a code on a slide, three hundred phones, and everybody else who comes by it. */
import { encode } from 'uqr'
import { beforeAll, expect, test } from 'vitest'
import { joining } from '#contract/joining'
import type { ApiClient } from '../../scripts/api-client.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { axeFaults } from '../support/axe.ts'
import { enter, fillNewPassword, newVisitor } from '../support/browser.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { addressOf, fillAccount, joinAs, makeCode } from '../support/joiners.ts'
import { mailedLink } from '../support/mails.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const MEMBERS = '/course/Demo/members'
const NEW_PASSWORD = 'a much better one'
const SUM =
  '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n'

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
})

test.each(WAYS)('a teacher makes, shows and closes a code: by $by, $on', async (way) => {
  const hands = await visitorBy(stack.url, way, 'teacher')
  const { page } = hands
  await page.goto('/course/Demo')
  await hands.open('Members')
  await hands.press('New code')
  const slide = page.getByRole('dialog', { name: 'Join codes' })
  const qr = slide.getByRole('img', { name: 'QR code to join Demo' })
  await qr.waitFor()
  const { codes } = await teacher.call('GET', '/course/Demo/joining', joining)
  const code = codes[0]?.code ?? ''
  const text = (code.match(/.{4}/g) ?? []).join('-')
  await slide.getByText(text).waitFor()
  const { host } = new URL(stack.url)
  await slide.getByText(`${host}/join`).waitFor()
  const { data } = encode(`${stack.url}/join#${text}`, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}`] : [])))
  expect((await qr.locator('path').getAttribute('d'))?.match(/M\d+ \d+/g)).toEqual(dark)
  expect(await axeFaults(page)).toEqual([])
  await hands.use(slide.getByRole('button', { name: 'Close' }).last())
  await slide.waitFor({ state: 'detached' })
  await hands.press(`Close ${text}`)
  await page.getByText('The code is closed and lets no more people in.').waitFor()
  expect(hands.actions).toBeLessThanOrEqual(5)

  const guest = await newVisitor(stack.url, { refused: [/^404 \/api\/join\/look$/] })
  await guest.goto(`/join#${text}`)
  await guest.getByText('This code does not exist or was closed.').waitFor()
  expect(await axeFaults(guest)).toEqual([])
  await guest.getByRole('button', { name: 'Enter another code' }).click()
  await guest.getByLabel('Course code').waitFor()
})

test.each(WAYS.map((way, index) => ({ ...way, on: 'phone' as const, username: `fresh${index}` })))(
  'the QR on a phone leads to the first verdict: by $by',
  async ({ username, ...way }) => {
    const { link } = await makeCode(teacher)
    const hands = await visitorBy(stack.url, way, null)
    const { page } = hands
    await page.goto(link)
    await page.getByText('Teacher teaches this course. You join it as a student.').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await hands.use(page.getByLabel(/^Username/))
    await fillAccount(page, username)
    await hands.press('Create account and join')
    await page.waitForURL('**/course/Demo/homeworks')
    await page.getByText(`Confirm your email address by`).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await hands.open(/^#1 /)
    await hands.open('Submit')
    await hands.choose(page.getByRole('main').getByLabel('Language'), 'C')
    await hands.use(page.getByRole('textbox', { name: 'Source code' }))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(SUM)
    await hands.shortcut('Control+Enter', 'Submit')
    await page.getByText('Accepted').first().waitFor()
    expect(hands.actions).toBeLessThanOrEqual(10)
  },
)

test('a deep link leads over the sign-in and a code to where one wanted to go', async () => {
  const { text } = await makeCode(teacher)
  const page = await newVisitor(stack.url)
  await page.goto('/course/Demo/problem/1')
  await page.getByRole('link', { name: 'I have a course code' }).click()
  await page.getByLabel('Course code').fill('ABC')
  await page.getByRole('button', { name: 'Show the course' }).click()
  await page.getByText('This is no course code.').waitFor()
  await page.getByLabel('Course code').fill(` ${text.toLowerCase().replaceAll('-', ' ')}`)
  await page.getByRole('button', { name: 'Show the course' }).click()
  await page.getByLabel(/^Username/).focus()
  await fillAccount(page, 'deep')
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await page.waitForURL('**/course/Demo/problem/1')
  // A second time it is enough to follow the link.
  await page.goto(`/join?redirect=/course/Demo/problem/1#${text}`)
  await page.getByText('You are already in this course.').waitFor()
  await page.getByRole('link', { name: 'Go to the course' }).click()
  await page.waitForURL('**/course/Demo/problem/1')
})

test('a new account confirms its address in its browser, or elsewhere with a new password', async () => {
  const { text } = await makeCode(teacher)
  await joinAs(stack.url, text, 'here')
  await joinAs(stack.url, text, 'elsewhere')
  const page = await newVisitor(stack.url)
  await enter(page, 'here')
  await page.goto('/course/Demo/problems')
  await page.getByText('Confirm your email address by').waitFor()
  await page.goto(await mailedLink(stack.stateDir, addressOf('here')))
  await page.getByText('Your password stays as it is.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText('Your email address is confirmed.').waitFor()
  await page.goto('/course/Demo/problems')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByText('Confirm your email address by').count()).toBe(0)

  const other = await newVisitor(stack.url)
  await other.goto(await mailedLink(stack.stateDir, addressOf('elsewhere')))
  await fillNewPassword(other, NEW_PASSWORD)
  await other.getByRole('button', { name: 'Confirm', exact: true }).click()
  await other.getByText('Your email address is confirmed and your password changed.').waitFor()
  await signIn(other, 'elsewhere', NEW_PASSWORD)
})

test('an assistant comes by a mailed invitation and may do staff’s work', async () => {
  const staff = await newVisitor(stack.url)
  await enter(staff, 'teacher')
  await staff.goto(MEMBERS)
  await staff.getByText('Invite teaching assistants by email').click()
  await staff.getByLabel('Email addresses').fill('Helper <helper@example.org>')
  await staff.getByRole('button', { name: 'Send invitations' }).click()
  await staff.getByText('1 invitation is on its way.').waitFor()
  expect(await axeFaults(staff)).toEqual([])
  const link = await mailedLink(stack.stateDir, 'helper@example.org')

  const page = await newVisitor(stack.url)
  await page.goto(link)
  await page.getByText('invites you to become a teaching assistant').waitFor()
  await page.getByLabel(/^Username/).focus()
  await fillAccount(page, 'helper')
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await page.waitForURL('**/course/Demo/homeworks')
  // The mail has proved the address.
  expect(await page.getByText('Confirm your email address by').count()).toBe(0)
  await page.getByRole('link', { name: 'New homework' }).waitFor()
})
