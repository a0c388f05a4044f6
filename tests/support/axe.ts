/** axe's findings on a page, and whether the page is wider than its screen. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { eventually } from './eventually.ts'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)
/** WCAG 2.2 AA and axe's best practices; no rule and no part of a page is left out. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const found = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
})

/** One sentence for each violation on the open page at its scroll position. */
async function faultsHere(page: Page): Promise<string[]> {
  // The page reacts to its layout at the end of a frame: for example it makes a scrolling table reachable by Tab. By now it has.
  // Waiting for idle time would not work: a tab without anything to draw may get none.
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

/** One sentence for each violation on the open page. */
export async function axeFaults(page: Page): Promise<string[]> {
  const faults = await faultsHere(page)
  const isOfSize = (fault: string) => fault.startsWith('target-size:')
  if (!faults.some(isOfSize)) return faults
  // A bar at the foot covers some targets until one scrolls: targets that are really too small are so at the page's end, too.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const atEnd = await faultsHere(page)
  await page.evaluate(() => window.scrollTo(0, 0))
  return faults.filter((fault) => !isOfSize(fault) || atEnd.includes(fault))
}

/** Whether the page needs no sideways scrolling, now or once it has adapted to a new width. */
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
