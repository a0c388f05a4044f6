/** The first evening of a teacher: courses, members, announcements, and test data that do not go through at once. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { problem } from '#contract/problems'
import { createApiClient, type ApiClient } from '../../scripts/api-client.ts'
import { launchBrowser, signIn } from '../../scripts/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { textCase } from '../../scripts/demo/problem.ts'
import { packTestData } from '../../scripts/test-data-zip.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

let stack: TestStack
let browser: Browser
let folder: string

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  browser = await launchBrowser()
  folder = await mkdtemp(join(tmpdir(), 'web-staff-'))
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function clientOf(username: string): Promise<ApiClient> {
  const api = createApiClient(stack.url)
  await api.login(username, DEMO_PASSWORD)
  return api
}

/** A new problem with two subtasks of one case each, filled in up to the zip. */
async function openNewProblem(page: Page, name: string, zip?: string): Promise<void> {
  await page.goto(`${COURSE}/problem/new`)
  await page.getByLabel('Problem name').fill(name)
  const cases = [[textCase('1\n', '1\n')], [textCase('2\n', '2\n')]]
  const file = zip ?? join(folder, 'cases.zip')
  if (zip === undefined) await writeFile(file, await packTestData(cases))
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('will be uploaded on saving').waitFor()
  await page.getByLabel('Score', { exact: true }).nth(0).fill('0')
  await page.getByLabel('Score', { exact: true }).nth(1).fill('100')
}

test('a teacher creates a course, and finds people in it by name', async () => {
  const { page, errors } = await newVisitor(browser, stack.url, {
    refused: [/^409 \/api\/course$/, /^404 .*\/members$/],
  })
  await enter(page, 'teacher')
  await page.goto('/courses')
  await page.getByRole('link', { name: 'New course' }).click()
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText('Value is required').waitFor()
  await page.getByLabel('Course name').fill('Demo')
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText('There is already a course of that name.').waitFor()
  // Phones add a space.
  await page.getByLabel('Course name').fill('資料結構 2026 ')
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText('No announcements yet.').waitFor()
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByLabel('Add people').fill('student, nobody-here')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/^Nobody has these names.*: nobody-here\./).waitFor()
  await page.getByLabel('Add people').fill('student student2@example.org')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('3 members').waitFor()
  await page.getByRole('button', { name: 'Make TA: student2' }).click()
  await page.getByRole('button', { name: 'Make student: student2' }).waitFor()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Remove student', exact: true }).click()
  await page.getByText('2 members').waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

test('a CSV file is mended, picked again and imported', async () => {
  const { page } = await newVisitor(browser, stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/members`)
  await page.getByText('Import members from a CSV file').click()
  const file = join(folder, 'members.csv')
  const input = page.locator('details input[type=file]')
  await writeFile(file, 'username,password,email\nbad name,long-password,x\n')
  await input.setInputFiles(file)
  await page.getByText('Some rows need another look; nothing was stored.').waitFor()
  await writeFile(file, 'username,password,email\nnewcomer,long-password,newcomer@example.org\n')
  await input.setInputFiles(file)
  await page.getByText('This would happen: 1 new').waitFor()
  await page.getByRole('button', { name: 'Import members.csv' }).click()
  await page.getByText('Imported: 1 new').waitFor()
  await page.getByRole('cell', { name: 'newcomer' }).first().waitFor()
  await page.context().close()
})

test('a stale edit is told, and both ways out are open', async () => {
  const teacher = await clientOf('teacher')
  const { page } = await newVisitor(browser, stack.url, {
    refused: [/^409 \/api\/problem\/manage\/2$/],
  })
  await enter(page, 'ta')
  await page.goto(`${COURSE}/problem/2/edit`)
  await page.getByLabel('Problem name').fill('Named by the assistant')
  const form = await teacher.call('GET', '/problem/manage/2', problem)
  await teacher.call('PUT', '/problem/manage/2', anything, {
    json: { ...form, problemName: 'Named by the teacher' },
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else has changed this since you opened it.').waitFor()
  const [stored] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Show what is stored now' }).click(),
  ])
  await stored.getByRole('heading', { name: 'Named by the teacher' }).waitFor()
  expect(await page.getByLabel('Problem name').inputValue()).toBe('Named by the assistant')
  await page.getByRole('button', { name: 'Save mine all the same' }).click()
  await page.getByRole('heading', { name: 'Named by the assistant' }).waitFor()
  await page.context().close()
})

/** Saves, and cancels the upload while the next call of a kind is on its way. */
async function cancelDuring(page: Page, call: string): Promise<void> {
  const { promise: held, resolve } = Promise.withResolvers<void>()
  await page.route(call, () => resolve(), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await held
  await page.getByRole('button', { name: 'Cancel upload' }).click()
}

test('an upload can be stopped at every moment, and sent again', async () => {
  const { page } = await newVisitor(browser, stack.url, {
    refused: [/^net::ERR_FAILED .*test-case-upload/, /^404 .*test-case-upload/],
  })
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Often stopped')
  const stopped = page.getByText('The problem itself is saved; only the test data')
  // Before there is anything to stop, with a part on its way, and with all of them there.
  await cancelDuring(page, '**/initiate-test-case-upload')
  await stopped.waitFor()
  await cancelDuring(page, '**/test-case-upload/*/1')
  await stopped.waitFor()
  await cancelDuring(page, '**/complete-test-case-upload')
  await stopped.waitFor()
  // A part that is lost is sent once more.
  let lost = 0
  await page.route(
    '**/test-case-upload/*/1',
    (route) => {
      lost += 1
      return route.abort()
    },
    { times: 1 },
  )
  // Too late: the server has put it in force, only its answer is still on the way.
  const refused = page.waitForResponse((response) => response.request().method() === 'DELETE')
  const { promise: answered, resolve } = Promise.withResolvers<() => Promise<void>>()
  await page.route('**/complete-test-case-upload', async (route) => {
    // Playwright leaves out what tells the server that its own page is asking.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
    const response = await route.fetch({ headers })
    resolve(() => route.fulfill({ response }))
  })
  await page.getByRole('button', { name: 'Save' }).click()
  const answer = await answered
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  expect((await refused).status()).toBe(404)
  await answer()
  await page.getByRole('heading', { name: /Often stopped/ }).waitFor()
  await page.getByRole('link', { name: 'Submit' }).waitFor()
  expect(lost).toBe(1)
  await page.goto(`${COURSE}/problems?name=Often`)
  const rows = page.getByRole('link', { name: /Often stopped/ })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(1)
  await page.context().close()
})

test('an upload that a reload cut short goes on with what had not arrived', async () => {
  const { page } = await newVisitor(browser, stack.url)
  await signIn(page, 'teacher')
  const file = join(folder, 'large.zip')
  // Two parts.
  const noise = randomBytes(9_000_000).toString('base64')
  await writeFile(file, await packTestData([[textCase('1\n', '1\n')], [textCase(noise, '2\n')]]))
  await openNewProblem(page, 'Cut short', file)
  const sent: string[] = []
  await page.route('**/test-case-upload/**', async (route) => {
    const part = route.request().url().split('/').at(-1) ?? ''
    // The second part never arrives.
    if (sent.length === 0 && part === '2') return
    return route.continue()
  })
  const first = page.waitForResponse((response) => /test-case-upload\/\w+\/1$/.test(response.url()))
  await page.getByRole('button', { name: 'Save' }).click()
  await first
  await expect
    .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain('upload:')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${COURSE}/problems?name=Cut`)
  await page
    .getByRole('link', { name: /Cut short/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.unrouteAll()
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url().split('/').at(-1) ?? '')
  })
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText(/^An upload of this file was interrupted at \d+ %/).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: /Cut short/ }).waitFor()
  expect(sent).toContain('2')
  expect(sent).not.toContain('1')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('upload:')
})

test("the server's own list of what is wrong with a zip is shown", async () => {
  const teacher = await clientOf('teacher')
  const { page } = await newVisitor(browser, stack.url, {
    refused: [/^400 .*complete-test-case-upload$/],
  })
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Changed meanwhile')
  // Somebody changes the number of cases while the zip is on its way.
  await page.route('**/complete-test-case-upload', async (route) => {
    const id = /problem\/(\d+)\//.exec(route.request().url())?.[1] ?? ''
    const form = await teacher.call('GET', `/problem/manage/${id}`, problem)
    const testCase = form.testCase.map((task) => ({ ...task, caseCount: task.caseCount + 1 }))
    await teacher.call('PUT', `/problem/manage/${id}`, anything, { json: { ...form, testCase } })
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The test data zip was refused').waitFor()
  await page.getByText('The zip has 1 cases of this subtask, the form 2.').first().waitFor()
  await page.getByText('The problem itself is saved').waitFor()
  await page.context().close()
})

test('leaving the page stops the upload and stays where one went', async () => {
  const { page } = await newVisitor(browser, stack.url)
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Left alone')
  await page.route('**/test-case-upload/**', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  )
  const stopped = page.waitForRequest((request) => request.method() === 'DELETE')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Cancel upload' }).waitFor()
  await page.getByRole('link', { name: 'Homeworks' }).click()
  await stopped
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.context().close()
})

test('a zip that is none is refused at once; the empty form says what it needs', async () => {
  const { page } = await newVisitor(browser, stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/new`)
  const file = join(folder, 'photo.zip')
  await writeFile(file, 'no zip at all')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('This is not a zip, or it is damaged.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Some fields need another look.').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('maxlength')))
    .toBe('64')
  await page.context().close()
})

test('long lists go on page by page, and the drawer leads around on a phone', async () => {
  const teacher = await clientOf('teacher')
  const form = {
    course: 'Demo',
    description: { description: 'x' },
    status: 0,
    testCase: [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 }],
  }
  for (let number = 1; number <= 50; number += 1)
    await teacher.call('POST', '/problem/manage', anything, {
      json: { ...form, problemName: `Exercise ${number}` },
    })
  const { page } = await newVisitor(browser, stack.url)
  await page.setViewportSize({ width: 375, height: 700 })
  await enter(page, 'student')
  await page.goto(`${COURSE}/announcements`)
  const menu = page.getByRole('button', { name: 'Open the menu' })
  await menu.click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.getByRole('link', { name: 'Problems' }).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await drawer.getByRole('link', { name: 'Problems' }).click()
  await drawer.waitFor({ state: 'detached' })
  const rows = page.getByRole('main').locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(50)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(50)
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' })
  await page.context().close()
})

test('an admin edits a system announcement from the home page', async () => {
  const { page, errors } = await newVisitor(browser, stack.url)
  await signIn(page, 'admin')
  await page.getByRole('link', { name: 'Edit “Welcome”' }).click()
  await page.getByLabel('Description').fill('## Changed by the admin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Changed by the admin', level: 3 }).waitFor()
  const guest = await newVisitor(browser, stack.url)
  await guest.page.goto('/')
  await guest.page.getByRole('link', { name: 'Welcome' }).click()
  await guest.page.getByRole('heading', { name: 'Changed by the admin' }).waitFor()
  expect(errors).toEqual([])
  await page.context().close()
  await guest.page.context().close()
})
