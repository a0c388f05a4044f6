/** Every page of the app for everybody: who may see it sees it, who may not reads so; axe finds nothing; phones fit. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../scripts/browser.ts'
import {
  DEMO_PAGES,
  REFUSAL_HEADING,
  VIEWERS,
  type DemoPage,
  type Viewer,
} from '../../scripts/demo/pages.ts'
import { fillDemo, type DemoPlace } from '../../scripts/demo/place.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { inTabs, newViewer, untilShown } from '../support/demo-visitor.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

/** `npm run test:full`: axe looks at every page as everybody sees it in every look. */
const IS_FULL = Reflect.get(import.meta, 'env').MODE === 'full'

/** Schemes, widths and languages. */
const LOOKS = [
  { colorScheme: 'light', width: 1280, locale: 'english' },
  { colorScheme: 'dark', width: 375, locale: 'chinese' },
  { colorScheme: 'light', width: 375, locale: 'taiwanese' },
  { colorScheme: 'dark', width: 1280, locale: 'english' },
] as const
/** The narrowest screen that needs no scrolling sideways (WCAG 2.2, 1.4.10). */
const REFLOW_PX = 320

let stack: TestStack
let browser: Browser
let place: DemoPlace

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  browser = await launchBrowser()
  place = await fillDemo(stack.url)
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

function mayBeSeenBy(viewer: Viewer) {
  return ({ viewers }: DemoPage) => viewers.includes(viewer)
}

test.each(VIEWERS)(
  'AZ8 %s sees each page that is theirs, and is told so at each other one',
  async (viewer) => {
    const page = await newViewer(browser, stack.url, viewer)
    await inTabs(page, DEMO_PAGES, async (tab, row) => {
      const path = row.path(place)
      await tab.goto(path)
      if (mayBeSeenBy(viewer)(row)) await untilShown(tab, row.heading)
      else if (viewer === 'guest') {
        await tab.waitForURL(`/?${new URLSearchParams({ redirect: path })}`)
        await tab.getByText('Please sign in to see that page.').waitFor()
      } else await untilShown(tab, REFUSAL_HEADING)
      expect(await tab.title(), path).toMatch(/ · CourseJudge$/)
    })
  },
)

/** What is wrong with a page for people who see it so. */
async function faultsOf(row: DemoPage, tab: Parameters<typeof axeFaults>[0]): Promise<string[]> {
  await tab.goto(row.path(place))
  await tab.waitForLoadState('networkidle')
  await tab.locator('main h1').waitFor()
  const faults = await axeFaults(tab)
  const moving = await tab.evaluate(
    () =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 10).length,
  )
  if (moving > 0) faults.push(`${moving} things move all the same`)
  const size = tab.viewportSize()
  if (!(await fitsScreen(tab))) faults.push(`wider than ${size?.width} px`)
  await tab.setViewportSize({ width: REFLOW_PX, height: 800 })
  if (!(await fitsScreen(tab))) faults.push(`wider than ${REFLOW_PX} px`)
  if (size) await tab.setViewportSize(size)
  return faults
}

/** Which pages somebody's eyes look at in a look: all of theirs, or in turn one viewer and one look for each page. */
function rowsOf(viewer: Viewer, look: number): DemoPage[] {
  return DEMO_PAGES.filter((row, index) => {
    const isTheirTurn = row.viewers[index % row.viewers.length] === viewer
    return IS_FULL ? mayBeSeenBy(viewer)(row) : isTheirTurn && index % LOOKS.length === look
  })
}

const views = LOOKS.flatMap((look, index) =>
  VIEWERS.map((viewer) => ({ ...look, viewer, rows: rowsOf(viewer, index) })),
)

test.each(views.filter(({ rows }) => rows.length > 0))(
  'nothing for axe to find, nothing too wide, nothing that moves: $viewer, $colorScheme, $width px, $locale',
  async ({ viewer, rows, colorScheme, width, locale }) => {
    const page = await newViewer(browser, stack.url, viewer, {
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
    })
    await page.evaluate((name) => localStorage.setItem('locale', name), locale)
    const faults: string[] = []
    await inTabs(page, rows, async (tab, row) => {
      for (const fault of await faultsOf(row, tab)) faults.push(`${row.path(place)}: ${fault}`)
    })
    expect(faults).toEqual([])
  },
  // All pages of somebody instead of a few.
  IS_FULL ? 300_000 : 60_000,
)
