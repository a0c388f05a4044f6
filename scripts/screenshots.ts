/** `npm run screenshots`: every page of the demo course, wide and narrow, light and dark, into build/screenshots. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser, signIn } from './test/browser.ts'
import { buildWeb } from './bundle/build-web.ts'
import { DEMO_PAGES, VIEWERS, type DemoPage, type Viewer } from './demo/pages.ts'
import { fillDemo, type DemoIds } from './demo/fill.ts'
import { seedTerm } from './demo/term/seed-term.ts'
import { runCommand } from './plain-error.ts'
import { freePort } from './stack/ports.ts'
import { ROOT } from './root.ts'
import { startStack } from './stack/stack.ts'

const FOLDER = join(ROOT, 'build/screenshots')
const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 375, height: 812 } } as const

/** The pages to be shown to this viewer: each page is shown to the viewer with the fewest rights who may see it. */
function pagesOf(viewer: Viewer): DemoPage[] {
  return DEMO_PAGES.filter(({ viewers }) => viewers[0] === viewer)
}

/** Takes pictures of every page of one viewer, wide and narrow, light and dark. */
async function takeAlbum(
  browser: Browser,
  url: string,
  viewer: Viewer,
  ids: DemoIds,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await browser.newContext({ baseURL: url, viewport, colorScheme })
      const page = await context.newPage()
      if (viewer !== 'guest') await signIn(page, viewer)
      for (const { name, path } of pagesOf(viewer)) {
        await page.goto(path(ids))
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`) })
      }
      await context.close()
    }
}

async function takeScreenshots(): Promise<void> {
  await buildWeb()
  const stateDir = mkdtempSync(join(tmpdir(), 'judge-screenshots-'))
  const stack = await startStack({ port: await freePort(), stateDir, runners: 1 })
  const browser = await launchBrowser()
  try {
    await seedTerm(stack)
    await stack.untilHealthy()
    const ids = await fillDemo(stack.url)
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    for (const viewer of VIEWERS) await takeAlbum(browser, stack.url, viewer, ids)
    console.log(`Pictures are in ${FOLDER}.`)
  } finally {
    await browser.close()
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
}

await runCommand(takeScreenshots)
