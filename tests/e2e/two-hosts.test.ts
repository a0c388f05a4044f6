/** The web app on another host than the API: a build of its own, on a host that only serves files. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signIn } from '../../scripts/test/browser.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { startReaper } from '../../scripts/process/reaper.ts'
import { runTool } from '../../scripts/process/run-tool.ts'
import { untilAnswering } from '../../scripts/stack/stack-parts.ts'
import { startWranglerDev } from '../../scripts/process/wrangler.ts'
import { newVisitor } from '../support/browser.ts'
import { afterThisFile, temporaryFolder } from '../support/clean-up.ts'
import { readUnharmed, SCREENS } from '../support/hostile-reading.ts'
import { plantHostileTexts } from '../support/hostile-texts.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

/** The wrangler settings of a site without a Worker's code. */
const CONFIG = `
name = "web-app"
compatibility_date = "2026-10-01"
[assets]
directory = "web"
not_found_handling = "single-page-application"
`

// Two hosts below one domain, like `judge.example.org` and `api.example.org`; browsers resolve both names without DNS.
let web: string
let api: string
let stack: TestStack

beforeAll(async () => {
  const folder = await temporaryFolder()
  const port = await freePort()
  web = `http://web.judge.localhost:${port}`
  stack = await startTestStack({ demo: true, runners: 0, variables: { WEB_ORIGIN: web } })
  api = `http://api.judge.localhost:${new URL(stack.url).port}`
  const build = ['node_modules/vite/bin/vite.js', 'build', '--outDir', join(folder, 'web')]
  await runTool('Building the web app', build, {
    env: { ...process.env, NODE_ENV: 'production', VITE_API_BASE: `${api}/api` },
  })
  const config = join(folder, 'wrangler.toml')
  await writeFile(config, CONFIG)
  const host = await startWranglerDev({
    name: 'web-app',
    config,
    port,
    persistTo: join(folder, 'state'),
    variables: {},
    registry: join(folder, 'registry'),
    logFile: join(folder, 'web-app.log'),
    reaper: startReaper(),
  })
  afterThisFile(() => host.end(0))
  await untilAnswering(`http://127.0.0.1:${port}/`, host)
})

function visit(options: Parameters<typeof newVisitor>[1] = {}): Promise<Page> {
  return newVisitor(web, { apiOrigin: api, ...options })
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
}

test('the policy of its pages names the API and nobody else', async () => {
  const { port } = new URL(web)
  const page = await fetch(`http://127.0.0.1:${port}/course/Demo/problems`)
  await page.body?.cancel()
  const policy = page.headers.get('Content-Security-Policy') ?? ''
  expect(policy.split('; ')).toContain(`connect-src 'self' ${api} ${api.replace('http', 'ws')}`)
  expect(policy.split('; ')).toContain(`img-src 'self' ${api} data: blob:`)
})

test('a student signs in, hands in, watches and signs out', async () => {
  const page = await visit()
  // Closes every socket from the first page on: a page with a socket rarely asks, and would get no 304.
  await page.routeWebSocket('**/api/live', (socket) => socket.close())
  await signIn(page, 'student')
  const [cookie] = (await page.context().cookies(api)).filter(({ name }) => /session/.test(name))
  expect(cookie).toMatchObject({
    name: '__Host-session',
    domain: 'api.judge.localhost',
    httpOnly: true,
    secure: true,
    sameSite: 'Lax',
  })
  await page.goto('/course/Demo/problem/1/submit')
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  await page.getByRole('textbox', { name: 'Source code' }).click()
  await page.keyboard.insertText('print(sum(map(int, input().split())))')
  // No runner judges here, so the page asks each second and learns that nothing has changed.
  const unchanged = page.waitForResponse(
    (answer) => answer.url().startsWith(`${api}/api/submission/`) && answer.status() === 304,
  )
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  await unchanged
  await page.getByText(/In the queue at place \d+/).waitFor()
  expect(await page.getByText('Cannot reach the server.').count()).toBe(0)
  await signOut(page)
  await page.goto('/profile')
  await page.getByText('Please sign in to see that page.').waitFor()
})

test.each(['with the pages', 'on another host'])(
  'a browser a day ahead counts down by the clock of an API %s',
  async (where) => {
    const page = await (where === 'with the pages' ? newVisitor(api) : visit())
    await page.clock.install({ time: Date.now() + 86_400_000 })
    const answer = page.waitForResponse(`${api}/api/homework`)
    await signIn(page, 'student')
    const { data } = await (await answer).json()
    const shown = await page
      .getByText(/^due in /)
      .first()
      .textContent()
    const daysShown = Number(/(\d+) days?/.exec(shown ?? '')?.[1] ?? 0)
    const daysLeft = (data[0].end - Date.now() / 1000) / 86_400
    // The page shows whole days, and the server's header has whole seconds.
    expect(Math.abs(daysLeft - 0.5 - daysShown)).toBeLessThan(0.51)
  },
)

test('a teacher edits, uploads and takes a file along', async () => {
  const page = await visit()
  await signIn(page, 'teacher')
  await page.goto('/profile')
  const bio = page.getByLabel('About me')
  await bio.fill('Below two roofs.')
  const saved = page.waitForResponse(`${api}/api/profile`)
  await page.getByRole('button', { name: 'Save' }).first().click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  expect(await bio.inputValue()).toBe('Below two roofs.')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).url()).toBe(`${api}/api/auth/me/export`)
  await signOut(page)
})

test('staff read hostile texts on any screen, and nothing comes of it', async () => {
  const judge = await plantHostileTexts(stack.url, api)
  for (const [, viewport] of SCREENS)
    await readUnharmed(stack.url, web, judge, { viewport, apiOrigin: api })
})
