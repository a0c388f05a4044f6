/** The real browser of the journeys: Debian's Chromium, driven by Playwright. */
import { chromium, type Browser, type Page } from 'playwright-core'

/** What keeps a headless Chromium quiet and offline. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser that the set-up installed; `CHROMIUM` names another one. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: QUIET,
  })
}

/** A fresh visitor on a page of the app, with what went wrong in its scripts. */
export async function newVisitor(
  browser: Browser,
  url: string,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /content security policy/i.test(message.text()))
      errors.push(message.text())
  })
  return { page, errors }
}

/** Signs in through the panel on the home page. */
export async function signIn(
  page: Page,
  username: string,
  password = 'demo-password',
): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(`Welcome, `).waitFor()
}
