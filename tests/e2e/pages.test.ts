/** Every page for every kind of viewer: the right ones see it, and the others read why they cannot; axe finds no fault; pages fit phones. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  DEMO_PAGES,
  REFUSAL_HEADING,
  VIEWERS,
  type DemoPage,
  type Viewer,
} from '../../scripts/demo/pages.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { newVisitor } from '../support/browser.ts'
import { inTabs, newViewer, untilShown } from '../support/demo-visitor.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

/** `npm run test:full`: axe checks every page for every viewer in every look. */
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

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

function mayBeSeenBy(viewer: Viewer) {
  return ({ viewers }: DemoPage) => viewers.includes(viewer)
}

/**
 * The pages that a viewer tries to open: all of them in a full run. Otherwise pages that the viewer is the first to
 * see, or the last not to see.
 */
function triedBy(viewer: Viewer): DemoPage[] {
  return DEMO_PAGES.filter(({ viewers }) => {
    const [first] = viewers
    const isLastOutside = first !== undefined && VIEWERS[VIEWERS.indexOf(first) - 1] === viewer
    return IS_FULL || first === viewer || isLastOutside
  })
}

test.each(VIEWERS.filter((viewer) => triedBy(viewer).length > 0))(
  '%s sees each page that is theirs, and is told so at each other one [AZ8] [BR3]',
  async (viewer) => {
    const page = await newViewer(judge.url, viewer)
    await inTabs(page, triedBy(viewer), async (tab, row) => {
      const path = row.path(judge.ids)
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

/** The faults of a page for viewers who may see it. */
async function faultsOf(row: DemoPage, tab: Page): Promise<string[]> {
  await tab.goto(row.path(judge.ids))
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

type Look = (typeof LOOKS)[number]

/** The pages that axe checks for a viewer in a look: all of theirs, or otherwise one viewer and one look for each page, in turn. */
function rowsOf(viewer: Viewer, look: Look): DemoPage[] {
  return DEMO_PAGES.filter((row, index) => {
    const isTheirTurn = row.viewers[index % row.viewers.length] === viewer
    return IS_FULL ? mayBeSeenBy(viewer)(row) : isTheirTurn && LOOKS[index % LOOKS.length] === look
  })
}

/** The faults of all pages that a viewer sees in a look, each after its page. */
async function faultsIn(
  viewer: Viewer,
  look: Look,
  storageState: BrowserContextOptions['storageState'],
): Promise<string[]> {
  const { colorScheme, width, locale } = look
  const page = await newVisitor(judge.url, {
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
    ...(storageState && { storageState }),
  })
  await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
  const faults: string[] = []
  for (const row of rowsOf(viewer, look)) {
    const found = await faultsOf(row, page)
    faults.push(
      ...found.map(
        (fault) => `${row.path(judge.ids)}, ${colorScheme}, ${width} px, ${locale}: ${fault}`,
      ),
    )
  }
  return faults
}

test.each(VIEWERS)(
  'nothing for axe to find, nothing too wide, nothing that moves: %s, every look',
  async (viewer) => {
    const page = await newViewer(judge.url, viewer)
    const state = await page.context().storageState()
    const looks = LOOKS.filter((look) => rowsOf(viewer, look).length > 0)
    const faults = await Promise.all(looks.map((look) => faultsIn(viewer, look, state)))
    expect(faults.flat()).toEqual([])
  },
)

test('pages without Markdown load neither a course’s file nor the parser', async () => {
  const page = await newViewer(judge.url, 'student')
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  for (const path of ['/', '/about', '/settings']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
  }
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  const files = loaded.filter((path) => path.endsWith('.js'))
  expect(files.some((path) => /\/about-page-/.test(path))).toBe(true)
  expect(files.filter((path) => /markdown|katex|\/course-/.test(path))).toEqual([])
  expect(page.workers()).toEqual([])
})
