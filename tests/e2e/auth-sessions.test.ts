/** Sessions that end at the wrong moment, two tabs, lost connections, impatient clicks, odd addresses. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { submissionPage } from '#contract/submissions'
import { createApiClient } from '../../scripts/api-client.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { runWrangler } from '../../scripts/process/wrangler.ts'
import { answer, enter, newVisitor, tooManyRequests } from '../support/browser.ts'
import { noteSaid } from '../support/live-regions.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
})

/** Makes react-query read again, as when somebody comes back to the tab. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
}

async function fillSignIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('empty fields are named, and the focus is on the first', async () => {
  const page = await newVisitor(stack.url)
  await page.goto('/')
  await page.getByLabel('Username or email').fill('  ')
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await page.getByText('Value is required').count()).toBe(2)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('autocomplete')))
    .toBe('username')
})

test('an account that is not active reads where to go, one with too many failures when', async () => {
  const page = await newVisitor(stack.url, { refused: [/^4(03|29) \/api\/auth\/session$/] })
  await page.goto('/')
  await fillSignIn(page, 'student3', 'not the password')
  await page.getByText('Login Failed: Your username/email or password is incorrect.').waitFor()
  const sql = "UPDATE users SET active = 0 WHERE username = 'student3'"
  const local = ['--local', '--persist-to', `${stack.stateDir}/worker`, '--yes']
  await runWrangler('Changing an account', ['d1', 'execute', 'DB', ...local, '--command', sql])
  await fillSignIn(page, 'student3', DEMO_PASSWORD)
  await page
    .getByText(
      'Login Failed: Your account is not activated yet, please go to example.org to verify your email.',
    )
    .waitFor()
  const api = createApiClient(stack.url)
  for (let tries = 0; tries < 10; tries += 1)
    await api.send('POST', '/auth/session', { json: { username: 'student4', password: 'wrong' } })
  await fillSignIn(page, 'student4', DEMO_PASSWORD)
  await page
    .getByText(/^Too many failed sign-ins\. Try again in \d+ (second|minute)s?\.$/)
    .waitFor()
})

test('who waits for the check of their password is told so, and comes in by themselves', async () => {
  const page = await newVisitor(stack.url, { refused: [/^429 \/api\/auth\/session$/] })
  const SLOW = 'Signing you in. One moment, please.'
  const CROWDED =
    'Many people are signing in right now. Keep this page open; you will be signed in automatically.'
  const said = await noteSaid(page)
  let attempts = 0
  let spoken: string[] = []
  await page.route('**/api/auth/session', async (route) => {
    attempts += 1
    // The answer waits until the page has said that it is at work.
    await page.getByText(attempts === 1 ? SLOW : CROWDED).waitFor()
    if (attempts < 3) return route.fulfill(tooManyRequests(1))
    spoken = await said()
    return route.continue()
  })
  await page.goto('/')
  await fillSignIn(page, 'student2', DEMO_PASSWORD)
  await page.getByRole('button', { name: /Account menu of/ }).waitFor()
  expect(attempts).toBe(3)
  expect(spoken).toEqual([SLOW, CROWDED])
})

test('a session that ends while somebody types costs nothing that was typed', async () => {
  const page = await newVisitor(stack.url, { refused: [/^401 \/api\/ann$/] })
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/announcements/new`)
  await page.getByLabel('Title').fill('Written for an hour')
  await page.getByLabel('Description').fill('A long text.')
  await page.context().clearCookies()
  await comeBack(page)
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.waitFor()
  expect(await dialog.getByLabel('Username or email').inputValue()).toBe('teacher')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // The focus stays in the field, so the person just types on.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor()
  await page.getByText('Please sign in first.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Please sign in first.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Written for an hour' }).waitFor()
})

test('signing out waits for who wants to keep what they typed', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/announcements/new`)
  await page.getByLabel('Title').fill('Not yet')
  for (const choice of ['Stay', 'Leave']) {
    await page.getByRole('button', { name: /Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await answer(page, 'Leave this page?', choice)
    if (choice === 'Stay') expect(await page.getByLabel('Title').inputValue()).toBe('Not yet')
  }
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.goto(`${COURSE}/members`)
  await page.getByText('Please sign in to see that page.').waitFor()
})

test('a lost connection signs nobody out, and what was typed stays [PR3]', async () => {
  const page = await newVisitor(stack.url, {
    refused: [/^net::ERR_INTERNET_DISCONNECTED/, /dynamically imported module/],
  })
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/announcements/new`)
  await page.getByLabel('Description').fill('# Still here')
  await page.context().setOffline(true)
  await comeBack(page)
  await page.getByText('Cannot reach the server.').waitFor()
  // If the preview is not loaded yet, the page shows the text itself.
  const preview = page.getByRole('heading', { name: 'Still here' })
  const standIn = page.getByRole('paragraph').filter({ hasText: '# Still here' })
  await preview.or(standIn).waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('# Still here')
  await page.context().setOffline(false)
  await page.getByText('Cannot reach the server.').waitFor({ state: 'detached' })
})

test('a tab notices that another one has signed somebody else in', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problems`)
  await page.getByRole('link', { name: 'New problem' }).waitFor()
  await enter(page, 'student')
  await comeBack(page)
  await page.getByRole('button', { name: 'Account menu of Student', exact: false }).waitFor()
  await page.getByRole('link', { name: 'New problem' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '#1 A + B' }).waitFor()
})

test('what has happened never lies ahead, whatever the clocks say', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  const local = ['--local', '--persist-to', `${stack.stateDir}/worker`, '--yes']
  const sql = 'UPDATE sessions SET last_seen_at = last_seen_at + 120, created_at = created_at + 120'
  await runWrangler('Setting a clock ahead', ['d1', 'execute', 'DB', ...local, '--command', sql])
  await page.goto('/profile')
  await page.getByText('Last seen').first().waitFor()
  const times = page.getByRole('main').locator('time')
  const shown = await times.evaluateAll((all) =>
    all.map((time) => `${time.textContent} ${time.getAttribute('title')}`),
  )
  expect(shown.length).toBeGreaterThan(1)
  expect(shown.filter((text) => / in \d|^in \d/.test(text))).toEqual([])
  expect(shown.some((text) => text.startsWith('now '))).toBe(true)
})

test('impatient fingers submit once, and leaving is not undone by a late answer', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'student')
  await page.goto(`${COURSE}/problem/1/submit`)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Please paste your source code to submit.').waitFor()
  await page.getByRole('textbox', { name: 'Source code' }).click()
  await page.keyboard.insertText('print(3)')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('Please select the programming language.').waitFor()
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/submission', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Submit' }).dblclick()
  await page.getByRole('textbox', { name: 'Source code' }).press('ControlOrMeta+Enter')
  await page.getByRole('link', { name: 'Homeworks' }).click()
  const answered = page.waitForResponse('**/api/submission')
  release()
  await answered
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  const api = await clientOf(stack.url, 'student')
  const { submissions } = await api.call('GET', '/submission?course=Demo', submissionPage)
  expect(submissions).toHaveLength(1)
  expect(page.url()).toMatch(/\/homeworks$/)
})

test('who hands in while nobody judges reads that it is kept, and an admin where the hosts are', async () => {
  const NOBODY = /^No judge host is connected at the moment\. Submissions are kept/
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  await page.goto(`${COURSE}/problem/2/submit`)
  await page.getByText(NOBODY).waitFor()
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  await page.getByRole('textbox', { name: 'Source code' }).fill('print(2)')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  await page.getByText(NOBODY).waitFor()
  await page.getByText('In the queue at place').waitFor()
  await page.getByRole('link', { name: 'Judge hosts' }).click()
  await page.waitForURL(/\/admin\/dashboard$/)
})

test('addresses made up by others break nothing and do nothing', async () => {
  const page = await newVisitor(stack.url, {
    refused: [/^404 \/api\/(course\/%25E0%25A4%25A|ann\/%25|problem\/1000)$/],
  })
  await signIn(page, 'student')
  for (const path of [
    `${COURSE}/submission/..%2F..%2Fauth%2Fsession`,
    `${COURSE}/submission/..%2Fauth%2Fsession`,
    `${COURSE}/announcements/..%2F..%2Fauth%2Fsession`,
    '/course/%E0%A4%A',
    '/announcements/%',
    `${COURSE}/problem/1e3/submit`,
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('button', { name: /Account menu of/ }).waitFor()
  }
  await page.goto('/?redirect=https://evil.example/')
  await page.getByText('Welcome, ').waitFor()
})
