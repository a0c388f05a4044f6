/** Test data that do not arrive at the first attempt: stopped, cut short, put off, refused. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { problem } from '#contract/problems'
import { signIn } from '../../scripts/test/browser.ts'
import { textCase } from '../../scripts/demo/problem.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'
import { axeFaults } from '../support/axe.ts'
import { answer, enter, newVisitor, noteText, tooManyRequests } from '../support/browser.ts'
import { noteSaid } from '../support/live-regions.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'

let stack: TestStack
let folder: string

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  folder = await temporaryFolder()
})

/** A zip that is uploaded in two parts; answers its path. */
async function zipOfTwoParts(): Promise<string> {
  const file = join(folder, 'large.zip')
  const noise = randomBytes(9_000_000).toString('base64')
  await writeFile(file, await packTestData([[textCase('1\n', '1\n')], [textCase(noise, '2\n')]]))
  return file
}

/** Opens the form of a new problem, and fills in two subtasks of one case each and a zip. */
async function openNewProblem(page: Page, name: string, zip?: string): Promise<void> {
  await page.goto(`${COURSE}/problem/new`)
  await page.getByLabel('Problem name').fill(name)
  const cases = [[textCase('1\n', '1\n')], [textCase('2\n', '2\n')]]
  const file = zip ?? join(folder, 'cases.zip')
  if (zip === undefined) await writeFile(file, await packTestData(cases))
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(file)
  await page.getByText('will be uploaded on saving').waitFor()
  await page.getByLabel('Samples: students see input and output').first().check()
}

/** Saves, and cancels the upload during the next call of a kind. */
async function cancelDuring(page: Page, call: string): Promise<void> {
  const { promise: held, resolve } = Promise.withResolvers<void>()
  await page.route(call, () => resolve(), { times: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await held
  await page.getByRole('button', { name: 'Cancel upload' }).click()
}

test('an upload can be stopped at every moment, and sent again', async () => {
  const page = await newVisitor(stack.url, {
    refused: [/^net::ERR_FAILED .*test-case-upload/, /^404 .*test-case-upload/],
  })
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Often stopped')
  const stopped = page.getByText('The problem is saved, but its test data')
  // Cancels before there is an upload, during a part, and after all parts.
  await cancelDuring(page, '**/initiate-test-case-upload')
  await stopped.waitFor()
  await cancelDuring(page, '**/test-case-upload/*/1')
  await stopped.waitFor()
  await cancelDuring(page, '**/complete-test-case-upload')
  await stopped.waitFor()
  // The app sends a lost part once more.
  let lost = 0
  await page.route(
    '**/test-case-upload/*/1',
    (route) => {
      lost += 1
      return route.abort()
    },
    { times: 1 },
  )
  // Too late: the test data are already active on the server, and only the answer is on its way.
  const refused = page.waitForResponse((response) => response.request().method() === 'DELETE')
  const { promise: answered, resolve } = Promise.withResolvers<() => Promise<void>>()
  await page.route('**/complete-test-case-upload', async (route) => {
    // Playwright leaves out the header that tells the server that its own page asks.
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
})

test('an upload that a reload cut short goes on with what had not arrived [UP4]', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'teacher')
  const file = await zipOfTwoParts()
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
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(file)
  await page.getByText(/^An upload of this file stopped at \d+ %/).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: /Cut short/ }).waitFor()
  expect(sent).toContain('2')
  expect(sent).not.toContain('1')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('upload:')
})

test('a part that the server puts off waits as told, says so and goes on; nothing is sent twice', async () => {
  const page = await newVisitor(stack.url, { refused: [/^429 .*test-case-upload/] })
  const said = await noteSaid(page)
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Put off', await zipOfTwoParts())
  const sentAtMs: number[] = []
  await page.route('**/test-case-upload/*/1', (route) => {
    sentAtMs.push(performance.now())
    return sentAtMs.length > 2 ? route.continue() : route.fulfill(tooManyRequests(1))
  })
  // A page does not wait an hour: it shows the refusal instead.
  await page.route(
    '**/test-case-upload/*/2',
    async (route) => {
      // The page has noted that the first part arrived.
      await expect
        .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
        .toContain('PartNumber')
      return route.fulfill(tooManyRequests(3_600))
    },
    { times: 1 },
  )
  const told = await noteText(page, 'The upload continues automatically in 1 second.')
  await page.getByRole('button', { name: 'Save' }).click()
  await told.evaluate(({ over }) => over)
  await page.getByText('Too many requests in a short time. Try again in 60 minutes.').waitFor()
  const [once = 0, twice = 0] = sentAtMs
  expect(twice - once).toBeGreaterThanOrEqual(1_000)
  expect(sentAtMs).toHaveLength(3)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: /Put off/ }).waitFor()
  await page.getByRole('link', { name: 'Submit' }).waitFor()
  expect(sentAtMs).toHaveLength(3)
  // Screen readers hear each phase once, and no percentages.
  const spoken = await said()
  expect(spoken.filter((text) => /%/.test(text))).toEqual([])
  expect(spoken.filter((text) => text.startsWith('Sent.'))).toHaveLength(1)
})

test('of two parts that wait, the one that goes on leaves the wait of the other', async () => {
  const page = await newVisitor(stack.url, { refused: [/^429 .*test-case-upload/] })
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Both put off', await zipOfTwoParts())
  const waits = (seconds: number) =>
    page.getByText(`The upload continues automatically in ${seconds} seconds.`)
  let tries = 0
  await page.route('**/test-case-upload/*/1', (route) => {
    tries += 1
    return tries > 1 ? route.continue() : route.fulfill(tooManyRequests(3))
  })
  await page.route('**/test-case-upload/*/2', async (route) => {
    await waits(3).waitFor()
    return route.fulfill(tooManyRequests(200))
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await waits(200).waitFor()
  // The page has noted that the first part arrived.
  await expect
    .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain('PartNumber')
  expect(await waits(200).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByText('The problem is saved, but its test data').waitFor()
})

test("the server's own list of what is wrong with a zip is shown", async () => {
  const teacher = await clientOf(stack.url, 'teacher')
  const page = await newVisitor(stack.url, { refused: [/^400 .*complete-test-case-upload$/] })
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Changed meanwhile')
  // Another person changes the number of cases during the upload.
  await page.route('**/complete-test-case-upload', async (route) => {
    const id = /problem\/(\d+)\//.exec(route.request().url())?.[1] ?? ''
    const form = await teacher.call('GET', `/problem/manage/${id}`, problem)
    const testCase = form.testCase.map((subtask) => ({
      ...subtask,
      caseCount: subtask.caseCount + 1,
    }))
    await teacher.call('PUT', `/problem/manage/${id}`, z.unknown(), { json: { ...form, testCase } })
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The test data zip was refused').waitFor()
  await page
    .getByText('The zip has 1 cases for this subtask, but the form says 2.')
    .first()
    .waitFor()
  await page.getByText('The problem is saved, but its test data').waitFor()
})

test('leaving the page stops the upload and stays where one went', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'teacher')
  await openNewProblem(page, 'Left alone')
  await page.route('**/test-case-upload/**', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  )
  const stopped = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Cancel upload' }).waitFor()
  await page.getByRole('link', { name: 'Homeworks' }).click()
  await answer(page, 'Leave this page?', 'Leave')
  await stopped
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
})

/** An image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Pastes a file into a text, or drops it there. */
async function giveFile(field: Locator, event: 'paste' | 'drop', bytes: Buffer, name: string) {
  await field.evaluate(
    (element, [kind, base64, fileName]) => {
      const data = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([content], fileName, { type: 'image/png' }))
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      )
    },
    [event, bytes.toString('base64'), name] as const,
  )
}

/** The loaded images of a part of the page. */
function shownImages(place: Locator): Promise<number> {
  return place
    .locator('img')
    .evaluateAll(
      (images: HTMLImageElement[]) => images.filter(({ naturalWidth }) => naturalWidth > 0).length,
    )
}

test('images are pasted and dropped into a statement, PDFs stand above it', async () => {
  const page = await newVisitor(stack.url, { refused: [/^400 .*\/file$/] })
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/1/edit`)
  const text = page.getByRole('textbox', { name: 'Description' })
  await text.fill('> [!NOTE]\n> See below: ')
  await text.press('End')
  await giveFile(text, 'paste', PNG, 'graph one.png')
  await expect
    .poll(() => text.inputValue())
    .toMatch(/See below: !\[graph one\]\(\/api\/file\/\w{24}\)$/)
  await giveFile(text, 'drop', PNG, 'graph two.png')
  await expect.poll(() => shownImages(page.locator('form'))).toBe(2)
  await giveFile(text, 'paste', Buffer.from('<svg/>'), 'drawing.svg')
  await page.getByText('Statements accept PNG, JPEG, GIF and WebP images').waitFor()

  const choose = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  const pdf = { name: 'full.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await (await choose).setFiles(pdf)
  await page.getByRole('button', { name: 'Remove full.pdf' }).waitFor()
  expect(await page.getByRole('button', { name: 'Remove graph one.png' }).isDisabled()).toBe(true)
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: /^#1 / }).waitFor()

  const student = await newVisitor(stack.url)
  await enter(student, 'student')
  await student.goto(`${COURSE}/problem/1`)
  const note = student.getByRole('note', { name: 'Note' })
  await expect.poll(() => shownImages(note)).toBe(2)
  const download = student.waitForEvent('download')
  await student.getByRole('link', { name: 'full.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('full.pdf')
})

test('a new problem takes images before it is saved, and keeps them and its text when saving fails', async () => {
  const page = await newVisitor(stack.url, { refused: [/^503 .*\/file$/] })
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/new`)
  await page.getByLabel('Problem name').fill('With an image')
  await page.getByLabel('Hidden').uncheck()
  const text = page.getByRole('textbox', { name: 'Description' })
  await text.fill('Look: ')
  await text.press('End')
  await giveFile(text, 'paste', Buffer.from('<svg/>'), 'drawing.svg')
  await page.getByText('Statements accept PNG, JPEG, GIF and WebP images').waitFor()
  await giveFile(text, 'paste', PNG, 'graph one.png')
  await giveFile(text, 'drop', PNG, 'graph two.png')
  await expect.poll(() => shownImages(page.locator('form'))).toBe(2)
  const held = await text.inputValue()
  expect(held).toMatch(/^Look: !\[graph one\]\(\/api\/file\/\w{24}\)!\[graph two\]/)

  let sent = 0
  await page.route('**/api/problem/*/file', async (route) => {
    sent += 1
    if (sent === 1) return route.continue()
    const json = { status: 'err', code: 'unhealthy', message: 'Later.', data: null }
    return route.fulfill({ status: 503, json })
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The problem is saved, but hidden').waitFor()
  expect((await text.inputValue()).slice(-40)).toBe(held.slice(-40))
  await expect.poll(() => shownImages(page.locator('form'))).toBe(2)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: /With an image/ }).waitFor()

  const student = await newVisitor(stack.url)
  await enter(student, 'student')
  await student.goto(page.url())
  await expect.poll(() => shownImages(student.locator('main'))).toBe(2)
})
