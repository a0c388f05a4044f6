/** The bytes of a first visit until its page can be used. On a slow line they decide the time, which is not measured here. */
import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test, onTestFinished } from 'vitest'
import { enter, newVisitor } from '../support/browser.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const KB = 1_000
/** Without the API's answers, which grow with what other tests submit and announce; in the demo alone they are 1 KB. */
const HOME_KB = 249
const SUBMIT_KB = 390

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** Bytes on the network: nearly everything is compressed on its way; fonts are compressed already. */
function carriedBytes(path: string, body: Buffer): number {
  return /\.woff2?$/.test(path) ? body.length : gzipSync(body).length
}

/** Removes formulas from statements. They load after everything that is needed to submit a program. */
function withoutFormulas(path: string, body: Buffer): Buffer {
  return path.startsWith('/api/problem/') ? Buffer.from(body.toString().replaceAll('$', '')) : body
}

/** Counts the bytes of all files that a page gets, with or without the API's answers. @returns a function that gives the kilobytes so far */
async function weigh(page: Page, countsAnswers: boolean): Promise<() => number> {
  const arrived = new Map<string, number>()
  await page.context().route('**/*', async (route: Route) => {
    // A call passed on by the test would lack the headers by which the API knows its own pages.
    if (route.request().method() !== 'GET') return route.continue()
    // Sockets and aborted calls have no answer.
    const response = await route.fetch().catch(() => null)
    if (response === null) return route.abort().catch(() => {})
    const path = new URL(route.request().url()).pathname
    const body = withoutFormulas(path, await response.body())
    if (countsAnswers || !path.startsWith('/api/')) arrived.set(path, carriedBytes(path, body))
    await route.fulfill({ response, body })
  })
  // A test may end while its page still loads files.
  onTestFinished(() => page.context().unrouteAll({ behavior: 'ignoreErrors' }))
  return () => [...arrived.values()].reduce((sum, bytes) => sum + bytes, 0) / KB
}

test.each([null, 'student4'])(`home takes at most ${HOME_KB} KB: %s`, async (person) => {
  const page = await newVisitor(judge.url)
  if (person !== null) await enter(page, person)
  const kilobytes = await weigh(page, false)
  await page.goto('/')
  await page.getByText(person === null ? 'Forgot your password?' : 'Welcome, ').waitFor()
  await page.waitForLoadState('networkidle')
  expect(kilobytes()).toBeGreaterThan(100)
  expect(kilobytes()).toBeLessThan(HOME_KB)
})

test(`a program can be sent from the submit page within ${SUBMIT_KB} KB`, async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'student4')
  // People who prefer the plain field load no editor.
  await page.addInitScript(() => localStorage.setItem('editor-settings', '{"plain":true}'))
  const kilobytes = await weigh(page, true)
  await page.goto('/course/Demo/problem/1/submit')
  await page.getByText('print their sum').waitFor()
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  await page.getByRole('textbox', { name: 'Source code' }).fill('print(3)')
  await page.waitForLoadState('networkidle')
  const usable = kilobytes()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.waitForURL(/\/course\/Demo\/submission\//)
  expect(usable).toBeGreaterThan(200)
  expect(usable).toBeLessThan(SUBMIT_KB)
})
