/** Whole journeys without a mouse: every step is a key, and the focus is always visible. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { STATUS_NAMES } from '#contract/verdicts'
import { untilSignedIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { axeFaults } from '../support/axe.ts'
import { newVisitor } from '../support/browser.ts'
import { focus, tabTo } from '../support/keys.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** Follows a link or presses a button; a navigation moves the focus to the page. */
async function go(page: Page, name: string | RegExp, heading: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: heading }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null))
    .toBe(true)
}

async function signInByKeys(page: Page, username: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await tabTo(page, 'Username or email')
  await page.keyboard.type(username)
  await tabTo(page, 'Password')
  await page.keyboard.type(DEMO_PASSWORD)
  await untilSignedIn(page, () => page.keyboard.press('Enter'))
}

test('sign in, submit, read the verdict', async () => {
  const page = await newVisitor(judge.url)
  await signInByKeys(page, 'student')
  await go(page, 'Courses', 'Courses')
  await go(page, /^Demo/, 'Announcements')
  await go(page, 'Problems', 'Problems')
  await go(page, '#1 A + B', /^#1 /)
  await go(page, 'Submit', /^Submit/)
  await page.locator('.cm-editor').waitFor()
  await tabTo(page, 'Language')
  await page.keyboard.type('Python')
  await tabTo(page, 'Source code')
  await page.keyboard.type('print(sum(map(int, input().split())))')
  // Tab indents in the editor; Esc and then Tab leave it.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect((await focus(page)).name).not.toBe('Source code')
  await go(page, 'Submit', / · \d+(st|nd|rd|th) try$/)
  await page.getByText(STATUS_NAMES['0']).first().waitFor()
})

test('a teacher creates a homework', async () => {
  const page = await newVisitor(judge.url)
  await signInByKeys(page, 'teacher')
  await go(page, 'Courses', 'Courses')
  await go(page, /^Demo/, 'Announcements')
  await go(page, 'Homeworks', 'Homeworks')
  await go(page, 'New homework', 'New homework')
  await tabTo(page, 'Name')
  await page.keyboard.type('Made by keys')
  await tabTo(page, 'Problems')
  await page.keyboard.type('A + B')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await go(page, 'Save', 'Homeworks')
  await page.getByRole('heading', { name: 'Made by keys' }).waitFor()
})

test('who closes the account menu is back at its button, the first time as well', async () => {
  const page = await newVisitor(judge.url)
  await signInByKeys(page, 'student')
  await tabTo(page, /Account menu of Student$/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor({ state: 'hidden' })
  await expect.poll(async () => (await focus(page)).name).toMatch(/Account menu of Student$/)
})

test('the palette leads anywhere by a part of a name', async () => {
  const page = await newVisitor(judge.url)
  await signInByKeys(page, 'teacher')
  const palette = page.getByRole('combobox', { name: 'Go to' })
  const firstOption = page.getByRole('listbox').getByRole('option').first()

  async function goTo(text: string, found: string, heading: string | RegExp): Promise<void> {
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    expect(await palette.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.type(text)
    // The names come over the network.
    await firstOption.filter({ hasText: found }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: heading }).waitFor()
    await expect.poll(() => palette.count()).toBe(0)
  }

  await goTo('demo', 'demo', 'Announcements')
  await goTo('submit a + b', 'A + B', /^Submit/)
  await goTo('new home', 'New homework', 'New homework')
  await goTo('profile', 'Profile', 'Profile')
  // Outside a course, the palette finds things of all one's courses.
  await goTo('first st', 'First steps', 'Homeworks')
  await goTo('gradeb', 'Gradebook', 'Gradebook')
  await goTo('course sett', 'Course settings', 'Course settings')
  await goTo('profile', 'Profile', 'Profile')
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.type('no such name')
  await page.getByText('No matches.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => palette.count()).toBe(0)
})

test('an Enter that ends a word of an input method opens nothing', async () => {
  const page = await newVisitor(judge.url)
  await signInByKeys(page, 'teacher')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Go to' })
  await palette.fill('profile')
  await page.getByRole('option', { name: 'Profile' }).waitFor()
  // Safari sends this Enter when it ends a word of an input method; only the key code tells.
  await palette.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
  expect(await palette.inputValue()).toBe('profile')
  await palette.press('Enter')
  await page.locator('h1', { hasText: 'Profile' }).waitFor()
})
