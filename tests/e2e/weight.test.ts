/** How many bytes a first visit takes before its page can be used. Counted, not timed: on a slow line they are the time. */
import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { enter, newVisitor } from '../support/browser.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const KB = 1_000
const HOME_KB = 275

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** What a network carries: nearly everything is compressed on its way, fonts are already. */
function carriedBytes(path: string, body: Buffer): number {
  return /\.woff2?$/.test(path) ? body.length : gzipSync(body).length
}

/** Counts the bytes of all files that a page gets. @returns how many kilobytes there were so far */
async function weigh(page: Page): Promise<() => number> {
  const arrived = new Map<string, number>()
  await page.context().route('**/*', async (route: Route) => {
    // Sockets and aborted calls have no answer.
    const response = await route.fetch().catch(() => null)
    if (response === null) return route.abort().catch(() => {})
    const body = await response.body()
    const path = new URL(route.request().url()).pathname
    arrived.set(path, carriedBytes(path, body))
    await route.fulfill({ response, body })
  })
  return () => [...arrived.values()].reduce((sum, bytes) => sum + bytes, 0) / KB
}

test.each([null, 'student4'])(`home takes at most ${HOME_KB} KB: %s`, async (person) => {
  const page = await newVisitor(judge.url)
  if (person !== null) await enter(page, person)
  const kilobytes = await weigh(page)
  await page.goto('/')
  await page.getByText(person === null ? 'Forgot your password?' : 'Welcome, ').waitFor()
  await page.waitForLoadState('networkidle')
  expect(kilobytes()).toBeGreaterThan(100)
  expect(kilobytes()).toBeLessThan(HOME_KB)
})
