/** Whole journeys without a mouse: every step is a key, and one always sees where one is. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { STATUS_NAMES } from '#contract/verdicts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { newVisitor } from '../support/browser.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

/** More than any page here needs; then the keyboard is caught somewhere. */
const MOST_TABS = 80

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** The name of what has the focus, and whether one sees that it has. */
async function focus(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return { name: '', isSeen: true }
    const label =
      'labels' in element && element.labels instanceof NodeList ? element.labels[0] : null
    const name = element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent
    // The mark may be on a box around it, as with fields and the editor.
    // The page itself has it after a navigation; that is no place to mark.
    let isSeen = element.matches('body, main')
    for (let at: Element | null = element, up = 0; at && up < 4; at = at.parentElement, up += 1) {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(at)
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) isSeen = true
      if (
        boxShadow !== 'none' ||
        (up === 0 && at.matches('input, textarea, select') && borderColor !== '')
      )
        isSeen = true
    }
    return { name: name?.trim() ?? '', isSeen }
  })
}

/** Tabs on until something of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const at = await focus(page)
    expect(at.isSeen, `the focus on “${at.name}”`).toBe(true)
    if (typeof name === 'string' ? at.name.replace(/\s*\*$/, '') === name : name.test(at.name))
      return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not come to ${String(name)}.`)
}

/** Follows a link or presses a button; a navigation puts the focus on the page. */
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
  await page.keyboard.press('Enter')
  await page.getByText('Welcome, ').waitFor()
}

test('sign in, submit, read the verdict', async () => {
  const page = await newVisitor(judge.url)
  await signInByKeys(page, 'student')
  await go(page, 'Courses', 'Courses')
  await go(page, /^Demo/, 'Announcements')
  await go(page, 'Problems', 'Problems')
  await go(page, '#1 A + B', /^#1 /)
  await go(page, 'Submit', /^Submit/)
  await page.getByRole('textbox', { name: 'Source code' }).waitFor()
  await tabTo(page, 'Language')
  await page.keyboard.type('Python')
  await tabTo(page, 'Source code')
  await page.keyboard.type('print(sum(map(int, input().split())))')
  // Tab indents here; Esc, then Tab, leads out.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect((await focus(page)).name).not.toBe('Source code')
  await go(page, 'Submit', /^Submission /)
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
