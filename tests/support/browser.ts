/** Visitors for the browser journeys. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { ERRORS } from '#contract/errors'
import { launchBrowser } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { PATIENCE_MS } from '../../scripts/test/patience.ts'
import { afterThisFile } from './clean-up.ts'

export interface VisitorOptions extends BrowserContextOptions {
  /** Calls whose refusal is the point of the test, as `403 /api/auth/session`: the browser logs each as an error. */
  refused?: readonly RegExp[]
  /** The origin of the API, where it is another one than the page's. */
  apiOrigin?: string
}

const LOST_SOCKET = 'WebSocket connection to '

let opened: Promise<Browser> | undefined

/** The file's browser: opened when first asked for, closed after the last test. */
export function browserOfFile(): Promise<Browser> {
  opened ??= launchBrowser().then((browser) => {
    afterThisFile(() => browser.close())
    return browser
  })
  return opened
}

/**
 * Notes whatever must not happen on a page: errors of its scripts and in its console, reports of its content security policy,
 * requests to another host.
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
    // Pages poll without one, and connect again: an outage is no fault of theirs.
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
 * Makes a page's scripts end in time or fail with its address: what `evaluate` waits for would never be given up, other
 * than everything else Playwright waits for.
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
 * The page of a fresh visitor on the app, closed after the test. The test fails when anything goes wrong in its console,
 * against the content security policy, or towards another host.
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
      // axe tries `eval` when it is put into a page; the app itself has long been loaded by then.
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

/** Signs somebody of the demo in without the page that does it; the next page that is opened is theirs. */
export async function enter(page: Page, username: string): Promise<void> {
  const response = await page.request.post('/api/auth/session', {
    data: { username, password: DEMO_PASSWORD },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(response.status()).toBe(200)
}

/** Types a new password where it is asked for twice. */
export async function fillNewPassword(page: Page, password: string, repeat = password) {
  await page.getByLabel(/^New password/).fill(password)
  await page.getByLabel('Repeat the new password').fill(repeat)
}

/** Answers a question of the app by the button of a name. */
export async function answer(page: Page, title: string | RegExp, button: string): Promise<void> {
  const question = page.getByRole('dialog', { name: title })
  await question.getByRole('button', { name: button, exact: true }).click()
  await question.waitFor({ state: 'detached' })
}

/** Chooses an item of the menu of a row. */
export async function chooseFor(page: Page, row: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Waits until what has such a name has the focus. */
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

/** An answer that puts a call off. */
export function tooManyRequests(seconds: number) {
  const [status, message] = ERRORS.too_many_requests
  return {
    status,
    headers: { 'Retry-After': String(seconds) },
    json: { status: 'err', code: 'too_many_requests', message, data: null },
  }
}

/** Lets the page itself note when a text comes and when it is gone: a look from outside may come too late for both. */
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
