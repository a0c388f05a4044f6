/** People of the demo course who walk through its pages. */
import type { Page } from 'playwright-core'
import type { Viewer } from '../../scripts/demo/pages.ts'
import { enter, newVisitor, type VisitorOptions } from './browser.ts'

/** Tabs in which one person's pages open side by side. */
const TABS = 3

/** An empty tab of a signed-in person or a guest. */
export async function newViewer(
  url: string,
  viewer: Viewer,
  options?: VisitorOptions,
): Promise<Page> {
  const page = await newVisitor(url, options)
  if (viewer !== 'guest') await enter(page, viewer)
  return page
}

/** Visits many pages, in the given tab and a few more. */
export async function inTabs<T>(
  page: Page,
  items: readonly T[],
  visit: (page: Page, item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  async function work(tab: Page): Promise<void> {
    // One page after the other within each tab.
    for (const item of waiting) await visit(tab, item)
  }
  const tabs = await Promise.all(Array.from({ length: TABS - 1 }, () => page.context().newPage()))
  await Promise.all([page, ...tabs].map(work))
}

/** Waits until a page shows its heading and has loaded all its parts. */
export async function untilShown(page: Page, heading: string | RegExp): Promise<void> {
  await page.locator('h1', { hasText: heading }).waitFor()
  await page
    .locator('main [aria-busy=true], main .mantine-Skeleton-root')
    .first()
    .waitFor({ state: 'detached' })
}
