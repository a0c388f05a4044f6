/** Several people use one browser, one after the other, and nobody sees what the person before wrote. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { axeFaults } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const SUBMIT = '/course/Demo/problem/1/submit'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

function codeOf(page: Page) {
  return page.getByRole('textbox', { name: 'Source code' })
}

function accountMenu(page: Page) {
  return page.getByRole('button', { name: /Account menu of/ })
}

function question(page: Page) {
  return page.getByRole('dialog', { name: 'Some code was never submitted' })
}

/** A browser whose editor is the plain text field. */
async function newBrowser(refused: RegExp[] = []): Promise<Page> {
  const page = await newVisitor(judge.url, { refused })
  await page.context().addInitScript(() => {
    // A new tab begins without a page, and so without storage.
    if (location.protocol !== 'about:') localStorage.setItem('editor-settings', '{"plain":true}')
  })
  return page
}

/** Types a program and waits until the browser has stored it. */
async function write(page: Page, code: string): Promise<void> {
  await page.goto(SUBMIT)
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  await codeOf(page).fill(code)
  await expect.poll(() => kept(page)).toContain(JSON.stringify(code).slice(1, -1))
}

/** Everything that the browser stores, as far as a tab can see it. */
async function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
}

async function pressSignOut(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

async function signInBy(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await accountMenu(page).waitFor()
}

test('signing out asks before code that was never submitted is deleted, and leaves nothing to the next person', async () => {
  const page = await newBrowser()
  await enter(page, 'student2')
  await write(page, 'print(1)\nprint(2)')

  await pressSignOut(page)
  await question(page).getByText('#1 A + B').waitFor()
  expect(await question(page).getByRole('listitem').allTextContents()).toEqual([
    '#1 A + B · Python 3 · 2 lines',
  ])
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Stay signed in')
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await question(page).waitFor({ state: 'detached' })
  expect(await codeOf(page).inputValue()).toBe('print(1)\nprint(2)')

  await pressSignOut(page)
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'DELETE' && response.url().endsWith('/session'),
  )
  await question(page).getByRole('button', { name: 'Sign out and delete' }).click()
  expect(await (await answered).headerValue('Clear-Site-Data')).toBe('"cache"')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await kept(page)).not.toContain('student2')

  await signInBy(page, 'student3')
  await page.goto(SUBMIT)
  await codeOf(page).waitFor()
  await page.getByRole('main').getByLabel('Language').selectOption({ label: 'Python 3' })
  expect(await codeOf(page).inputValue()).toBe('')
  expect(await page.getByText('Your draft has been restored.').count()).toBe(0)
})

test('signing out without a connection asks, says that nobody can be reached, and keeps the code', async () => {
  const page = await newBrowser([/^net::ERR_INTERNET_DISCONNECTED /])
  await enter(page, 'student2')
  await write(page, 'print("kept")')
  await accountMenu(page).click()
  const item = page.getByRole('menuitem', { name: 'Sign out' })
  await item.waitFor()
  await page.context().setOffline(true)
  await item.click()
  await question(page).getByRole('button', { name: 'Sign out and delete' }).click()
  await page.getByText('Cannot reach the server.').waitFor()
  expect(await kept(page)).toContain('print(\\"kept\\")')
  await page.context().setOffline(false)
})

test('code that was submitted goes without a question', async () => {
  const page = await newBrowser()
  await enter(page, 'student2')
  await write(page, `print(${Date.now()})`)
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  expect(await kept(page)).toContain('draft:student2:')
  await pressSignOut(page)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await question(page).count()).toBe(0)
  expect(await kept(page)).not.toContain('student2')
})

test('a session on a shared computer goes with the browser, and the next person who signs in finds nothing', async () => {
  const page = await newBrowser()
  await page.goto('/')
  const shared = page.getByRole('checkbox', { name: 'This is a shared computer' })
  expect(await shared.isChecked()).toBe(false)
  await shared.check()
  expect(await axeFaults(page)).toEqual([])
  await signInBy(page, 'student2')
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === '__Host-session')?.expires).toBe(-1)
  await write(page, 'print("mine")')

  // The person closes the browser without signing out.
  await page.context().clearCookies()
  await page.goto('/')
  await shared.waitFor()
  // The box is still ticked.
  expect(await shared.isChecked()).toBe(true)
  expect(await kept(page)).toContain('draft:student2:')
  await signInBy(page, 'student3')
  await expect.poll(() => kept(page)).not.toContain('student2')
})

test('on a computer of one’s own a session outlives the browser, and drafts wait for their person', async () => {
  const page = await newBrowser()
  await page.goto('/')
  await signInBy(page, 'student2')
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === '__Host-session')?.expires).toBeGreaterThan(0)
  await write(page, 'print("mine")')
  await page.context().clearCookies()
  await page.goto('/')
  await signInBy(page, 'student3')
  await page.goto(SUBMIT)
  await codeOf(page).waitFor()
  expect(await codeOf(page).inputValue()).toBe('')
  await page.context().clearCookies()
  await enter(page, 'student2')
  await page.goto(SUBMIT)
  await expect.poll(() => codeOf(page).inputValue()).toBe('print("mine")')
})

test('who signs out in one tab is signed out in the others, and leaves nothing there', async () => {
  const page = await newBrowser([/^401 \/api\//])
  await enter(page, 'student2')
  await write(page, 'print("first tab")')
  const other = await page.context().newPage()
  await write(other, 'print("other tab")')
  await pressSignOut(other)
  await question(other).waitFor()
  await pressSignOut(page)
  await question(page).getByRole('button', { name: 'Sign out and delete' }).click()
  await other.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await question(other).count()).toBe(0)
  await expect.poll(() => kept(other)).not.toContain('student2')
})

test('who signs in over somebody else’s open page finds nothing that was typed there', async () => {
  const page = await newBrowser([/^401 \/api\//, /^404 \/api\//])
  await enter(page, 'teacher')
  await page.goto('/course/Demo/announcements/new')
  await page.getByLabel('Title').fill('Written by the teacher')
  await page.context().clearCookies()
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Username or email').fill('admin')
  await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('')
})
