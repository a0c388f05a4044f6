/** Visitors for the browser journeys. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { ERRORS } from '#contract/errors'
import { launchBrowser } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { PATIENCE_MS } from '../../scripts/test/patience.ts'
import { afterThisFile } from './clean-up.ts'

export interface VisitorOptions extends BrowserContextOptions {
  /** Expected refusals, as `403 /api/auth/session`: the browser logs each as an error. */
  refused?: readonly RegExp[]
  /** The origin of the API, if it is not the page's. */
  apiOrigin?: string
}

const LOST_SOCKET = 'WebSocket connection to '

let opened: Promise<Browser> | undefined

/** The file's browser: opened at its first use, closed after the last test. */
export function browserOfFile(): Promise<Browser> {
  opened ??= launchBrowser().then((browser) => {
    afterThisFile(() => browser.close())
    return browser
  })
  return opened
}

/**
 * Records everything that must not happen on a page: errors of its scripts and in its console, violations of its content
 * security policy, requests to another host.
 */
function watch(
  page: Page,
  urls: readonly string[],
  refused: readonly RegExp[],
  errors: string[],
): void {
  const origins = urls.map((url) => new URL(url).origin)
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    const text = message.text()
    // A page without a socket polls, and connects again, so an outage is no fault of the page.
    if (message.type() !== 'error' || text.startsWith(LOST_SOCKET)) return
    const [, status] = /^Failed to load resource: .*?(\d{3}|net::\w+)/.exec(text) ?? []
    const { url: from } = message.location()
    const origin = origins.find((own) => from.startsWith(`${own}/`)) ?? ''
    const path = from.slice(origin.length)
    const what = status === undefined ? text : `${status} ${path}`
    if (!refused.some((pattern) => pattern.test(what))) errors.push(what)
  })
  page.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url())
    if (/^https?:/.test(protocol) && !origins.includes(to)) errors.push(`asked ${request.url()}`)
  })
}

function openPages(context: BrowserContext): string {
  return context
    .pages()
    .map((page) => page.url())
    .join(', ')
}

/**
 * Makes a page's scripts end in time, or fail with the page's address: Playwright has a time limit for everything else,
 * but not for `evaluate`.
 */
function bound(page: Page): void {
  const evaluate: Page['evaluate'] = page.evaluate.bind(page)
  page.evaluate = async (...args: Parameters<typeof evaluate>) => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new Error(`A script did not end within ${PATIENCE_MS} ms on ${page.url()}.`)),
      PATIENCE_MS,
    )
    try {
      return await Promise.race([evaluate(...args), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * A fresh visitor's page, closed after the test. The test fails at any error in the page's console, violation of
 * the content security policy, or request to another host.
 */
export async function newVisitor(
  url: string,
  { refused = [], apiOrigin = url, ...options }: VisitorOptions = {},
): Promise<Page> {
  const browser = await browserOfFile()
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const errors: string[] = []
  context.on('page', (page) => {
    watch(page, [url, apiOrigin], refused, errors)
    bound(page)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      // axe tries `eval` when it is added to a page, long after the app has loaded.
      if (!('axe' in globalThis)) console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      console.error(`It failed with these pages open: ${openPages(context)}`)
    await context.close()
    expect(errors).toEqual([])
  })
  return context.newPage()
}

/** Signs a demo user in without the sign-in page; the next page that opens is theirs. */
export async function enter(page: Page, username: string): Promise<void> {
  const response = await page.request.post('/api/auth/session', {
    data: { username, password: DEMO_PASSWORD },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(response.status()).toBe(200)
}

/** Types a new password into both fields. */
export async function fillNewPassword(page: Page, password: string, repeat = password) {
  await page.getByLabel(/^New password/).fill(password)
  await page.getByLabel('Repeat the new password').fill(repeat)
}

/** Answers a question of the app by a button. */
export async function answer(page: Page, title: string | RegExp, button: string): Promise<void> {
  const question = page.getByRole('dialog', { name: title })
  await question.getByRole('button', { name: button, exact: true }).click()
  await question.waitFor({ state: 'detached' })
}

/** Chooses an item of a row's menu. */
export async function chooseFor(page: Page, row: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Waits until the focused element has such a name. */
export async function untilFocused(page: Page, name: RegExp): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const element = document.activeElement
        if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent ?? ''
        return element?.ariaLabel ?? (element?.tagName === 'BUTTON' ? element.textContent : '')
      }),
    )
    .toMatch(name)
}

/** A refusal that puts a call off. */
export function tooManyRequests(seconds: number) {
  const [status, message] = ERRORS.too_many_requests
  return {
    status,
    headers: { 'Retry-After': String(seconds) },
    json: { status: 'err', code: 'too_many_requests', message, data: null },
  }
}

/** Makes the page itself record when a text appears and disappears: a test's look may come too late for both. */
export function noteText(page: Page, text: string) {
  return page.evaluateHandle((wanted) => {
    const { promise: over, resolve } = Promise.withResolvers<{ shown: number; gone: number }>()
    let shown = 0
    new MutationObserver(() => {
      const isThere = document.body.textContent.includes(wanted)
      if (isThere && shown === 0) shown = performance.now()
      if (!isThere && shown > 0) resolve({ shown, gone: performance.now() })
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    return { over }
  }, text)
}
