/** The browser of end-to-end tests and screenshots: Debian's Chromium, driven by Playwright. */
import { chromium, type Browser, type Page } from 'playwright-core'
import { DEMO_PASSWORD } from '../demo/accounts.ts'

/** Arguments that keep a headless Chromium quiet and offline. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser that the set-up has installed, or the one that `CHROMIUM` names. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: QUIET,
  })
}

/** Submits the sign-in on the home page and waits until the app has reloaded: anything done before that would be lost. */
export async function untilSignedIn(page: Page, submit: () => Promise<void>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), submit()])
  await page.getByText('Welcome, ').waitFor()
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
  await untilSignedIn(page, () => page.getByRole('button', { name: 'Sign in' }).click())
}
