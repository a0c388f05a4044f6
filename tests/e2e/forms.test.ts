/** What forms send: each field in its own field of the body, with values other than those that the form opens with. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { announcement, announcementCreated } from '#contract/announcements'
import type { ApiClient } from '../../scripts/api-client.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  teacher = await clientOf(stack.url, 'teacher')
})

/** Somebody’s page of the app. */
async function open(username: string, path: string): Promise<Page> {
  const page = await newVisitor(stack.url)
  await enter(page, username)
  await page.goto(path)
  return page
}

/** The body of the call that a press makes, once it was taken. */
async function sentBy(page: Page, call: string, press: string | RegExp): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ')
  const [response] = await Promise.all([
    page.waitForResponse(
      (answer) =>
        answer.request().method() === method && new URL(answer.url()).pathname === `/api${path}`,
    ),
    page.getByRole('button', { name: press, exact: true }).last().click(),
  ])
  expect(response.ok()).toBe(true)
  return response.request().postDataJSON()
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

test('people are added in the role that was chosen', async () => {
  await teacher.call('POST', '/course', anything, { json: { course: 'Logic', teacher: 'teacher' } })
  const page = await open('teacher', '/course/Logic/members')
  await page.getByLabel('Add people').fill('student2, student3')
  const form = page.locator('form', { has: page.getByLabel('Add people') })
  await form.getByLabel('Role in the course').selectOption('Teaching assistant')
  expect(await sentBy(page, 'PATCH /course/Logic/members', 'Add')).toEqual({
    add: [
      { user: 'student2', role: 'ta' },
      { user: 'student3', role: 'ta' },
    ],
  })
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
