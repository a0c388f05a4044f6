/** The real browser of journeys and screenshots: Debian's Chromium, driven by Playwright. */
import { chromium, type Browser, type Page } from 'playwright-core'
import { DEMO_PASSWORD } from './demo/accounts.ts'

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

/** Signs in through the panel on the home page, as a person would. */
export async function signIn(
  page: Page,
  username: string,
  password: string = DEMO_PASSWORD,
): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Welcome, ').waitFor()
}
