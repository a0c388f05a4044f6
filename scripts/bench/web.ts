/**
 * `npm run bench -- web`: how long people wait in a real browser on a processor slowed down four times. It measures the largest
 * paint, layout shifts, answers to keystrokes, and how soon a program can be typed over a slow network.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import * as z from 'zod'
import { fillDemo } from '../demo/fill.ts'
import { launchBrowser, signIn } from '../test/browser.ts'
import { withDemoJudge } from './demo-judge.ts'
import { percentile, type Report } from './report.ts'

const CPU_SLOW_DOWN = 4
const ROUNDS = 7
/** Number of visits with typing. Each visit has fewer than 50 keystrokes, so its figure is that of the slowest keystroke. */
const TYPING_ROUNDS = 5
/** A largest paint is final when no other has followed for this long, ms. */
const SETTLED_MS = 500

/** A machine is busy when the loop's median is more than so many times its least time. */
const BUSY = 1.3

/** Bounds: paints in seconds, layout shifts in their own unit, keystrokes in milliseconds. */
const MOST = {
  lcpS: 2,
  cls: 0.02,
  inpMs: 100,
  slowFieldS: 5,
} as const

/** Slow 3G: milliseconds until an answer, bytes a second. */
const SLOW_NETWORK = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
}
const SLOW_ROUNDS = 3

const SUBMIT_PAGE = '/course/Demo/problem/1/submit'
const TYPED = 'int main(void) {\nreturn 0;\n'

/** The calibration, which always does the same work: it tells a busy machine from a slow page. */
const LOOP = `(() => {
  const begin = performance.now()
  let sum = 0
  for (let step = 0; step < 2_000_000; step += 1) sum += Math.sqrt(step * (sum % 7))
  return performance.now() - begin
})()`

/** How long the loop took each time, in ms. */
const loopsMs: number[] = []

/** Opens a page on a slowed processor, after measuring the processor's speed. */
async function openSlowly(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOW_DOWN })
  loopsMs.push(z.number().parse(await page.evaluate(LOOP)))
  return page
}

/** Notes what the browser measures: the largest paint, layout shifts, and how long answers to events took. */
async function observe(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    globalThis.seen = { lcpMs: 0, cls: 0, interactionsMs: {} }
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.lcpMs = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.cls += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId > 0)
          seen.interactionsMs[interactionId] = Math.max(duration, seen.interactionsMs[interactionId] ?? 0)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  `)
}

const seen = z.object({
  lcpMs: z.number(),
  cls: z.number(),
  /** By the browser's number of the interaction: a key has several events. Interactions below 16 ms are missing. */
  interactionsMs: z.record(z.string(), z.number()),
})

/** A browser context of its own that measures: of a guest, unless a person is named. */
async function openVisitor(browser: Browser, url: string, username?: string) {
  const context = await browser.newContext({ baseURL: url })
  await observe(context)
  if (username === undefined) return context
  const page = await context.newPage()
  await signIn(page, username)
  await page.close()
  return context
}

/**
 * The median of the largest paint and the worst shift of several loads.
 * @param complete a selector of what the page has when it is complete
 */
async function benchLoad(
  context: BrowserContext,
  name: string,
  path: string,
  complete: string,
  report: Report,
): Promise<void> {
  const paints: number[] = []
  const shifts: number[] = []
  const begin = loopsMs.length
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await openSlowly(context)
    await page.goto(path)
    await page.locator(complete).first().waitFor()
    await page.waitForLoadState('networkidle')
    await delay(SETTLED_MS)
    const { lcpMs, cls } = seen.parse(await page.evaluate('seen'))
    paints.push(lcpMs / 1_000)
    shifts.push(cls)
    await page.close()
  }
  const paint = percentile(paints, 0.5)
  const loops = (paint * 1_000) / percentile(loopsMs.slice(begin), 0.5)
  report.bound(`${name}: largest paint, median, s`, paint, MOST.lcpS, `${loops.toFixed(1)} loops`)
  report.bound(`${name}: layout shift, worst`, Math.max(...shifts), MOST.cls)
}

/** Types into the editor, key by key: the slowest keystroke of several visits. */
async function benchTyping(context: BrowserContext, report: Report): Promise<void> {
  const worst: number[] = []
  const begin = loopsMs.length
  for (let round = 0; round < TYPING_ROUNDS; round += 1) {
    const page = await openSlowly(context)
    await page.goto(SUBMIT_PAGE)
    await page.getByRole('main').getByLabel('Language').selectOption({ label: 'C' })
    const editor = page.getByRole('textbox', { name: 'Source code' })
    await editor.click()
    await page.waitForLoadState('networkidle')
    await page.evaluate('seen.interactionsMs = {}')
    await editor.pressSequentially(TYPED, { delay: 40 })
    await delay(SETTLED_MS)
    const { interactionsMs } = seen.parse(await page.evaluate('seen'))
    await page.close()
    worst.push(Math.max(16, ...Object.values(interactionsMs)))
  }
  const slowest = percentile(worst, 0.5)
  const loops = `${(slowest / percentile(loopsMs.slice(begin), 0.5)).toFixed(2)} loops`
  report.bound('editor: slowest keystroke of a visit, median, ms', slowest, MOST.inpMs, loops)
}

/** Measures how soon a first visit over a slow network can type a program, and when the editor takes it over. */
async function benchSlowNetwork(browser: Browser, url: string, report: Report): Promise<void> {
  const [fields, editors]: [number[], number[]] = [[], []]
  for (let round = 0; round < SLOW_ROUNDS; round += 1) {
    const context = await openVisitor(browser, url, 'student3')
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Network.emulateNetworkConditions', SLOW_NETWORK)
    const begin = performance.now()
    const secondsSince = () => (performance.now() - begin) / 1_000
    await page.goto(SUBMIT_PAGE, { waitUntil: 'commit' })
    await page.getByRole('textbox', { name: 'Source code' }).first().fill('print(3)')
    fields.push(secondsSince())
    await page.locator('.cm-editor', { hasText: 'print(3)' }).waitFor({ timeout: 120_000 })
    editors.push(secondsSince())
    await context.close()
  }
  const detail = `the editor after ${percentile(editors, 0.5).toFixed(1)} s`
  const what = 'submit on slow 3G, first visit: a text field, median, s'
  report.bound(what, percentile(fields, 0.5), MOST.slowFieldS, detail)
}

async function benchAll(browser: Browser, url: string, report: Report): Promise<void> {
  const { submission } = await fillDemo(url)
  const guest = await openVisitor(browser, url)
  await benchLoad(guest, "a guest's home", '/', 'main form button', report)
  const student = await openVisitor(browser, url, 'student2')
  await benchLoad(student, 'problem', '/course/Demo/problem/2', 'main section p', report)
  await benchLoad(student, 'submit', SUBMIT_PAGE, '.cm-editor', report)
  const owner = await openVisitor(browser, url, 'student')
  const path = `/course/Demo/submission/${submission}`
  await benchLoad(owner, 'submission', path, 'main [data-status]', report)
  await benchTyping(student, report)
  await benchSlowNetwork(browser, url, report)
  const [quickest, median] = [Math.min(...loopsMs), percentile(loopsMs, 0.5)]
  report.note(
    'the loop: median, quickest, ms',
    `${median.toFixed(0)}, ${quickest.toFixed(0)}${median > BUSY * quickest ? '  the machine was busy: its times say little' : ''}`,
  )
}

export async function benchWeb(report: Report): Promise<void> {
  await withDemoJudge({ runners: 1, isTerm: true }, async ({ url }) => {
    const browser = await launchBrowser()
    try {
      await benchAll(browser, url, report)
    } finally {
      await browser.close()
    }
  })
}
