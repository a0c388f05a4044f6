/** What axe finds on a page, and whether the page is wider than its screen. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { eventually } from './eventually.ts'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)
/** WCAG 2.2 AA and what is good practice besides; no rule and no part of a page is left out. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const found = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
})

/** One sentence for each violation in what is open, as far as it is scrolled. */
async function faultsHere(page: Page): Promise<string[]> {
  // What the page does in answer to its own layout, like making a table that scrolls a stop of the keyboard, is done by then:
  // it is told of its layout at the end of a frame. Idle time is nothing to wait for: a tab that has nothing to draw may get none.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
      }),
  )
  const run = `axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })`
  const { violations } = found.parse(await page.evaluate(`${axeSource}; ${run}`))
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  )
}

/** One sentence for each violation on the page that is open. */
export async function axeFaults(page: Page): Promise<string[]> {
  const faults = await faultsHere(page)
  const isOfSize = (fault: string) => fault.startsWith('target-size:')
  if (!faults.some(isOfSize)) return faults
  // A bar at the foot covers targets in part until one scrolls: what is too small is so at the page's end, too.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const atEnd = await faultsHere(page)
  await page.evaluate(() => window.scrollTo(0, 0))
  return faults.filter((fault) => !isOfSize(fault) || atEnd.includes(fault))
}

/** Whether nothing on the page has to be scrolled sideways, now or as soon as it has taken on a new width. */
export async function fitsScreen(page: Page): Promise<boolean> {
  async function checkFit(): Promise<void> {
    const tooWide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    if (tooWide > 0) throw new Error(`${tooWide} px too wide`)
  }
  return eventually(checkFit)
    .then(() => true)
    .catch(() => false)
}
