/** A program in two tabs: neither overwrites the other's draft. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { enter, newVisitor } from '../support/browser.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const SUBMIT = '/course/Demo/problem/1/submit'
const NOTICE = 'Another tab has a different version of this program. Both versions are kept.'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

function codeOf(page: Page) {
  return page.getByRole('textbox', { name: 'Source code' })
}

function draftOf(page: Page) {
  return page.evaluate(() => localStorage.getItem('draft:student3:1:py3'))
}

/** Waits until the notice of another program in the other tab shows, or is gone. */
async function untilNotified(page: Page, isShown = true): Promise<void> {
  await page.getByText(NOTICE).waitFor({ state: isShown ? 'visible' : 'detached' })
}

/** Two tabs of one person on the submit page, with the same draft. */
async function twoTabs(): Promise<[Page, Page]> {
  const first = await newVisitor(judge.url)
  await first.context().addInitScript(() => {
    // A new tab begins without a page, and so without storage.
    if (location.protocol === 'about:') return
    localStorage.setItem('editor-settings', '{"plain":true}')
    localStorage.setItem('last-used-lang', 'py3')
  })
  await enter(first, 'student3')
  await first.goto(SUBMIT)
  await codeOf(first).fill('begun')
  await expect.poll(() => draftOf(first)).toBe('begun')
  const second = await first.context().newPage()
  await second.goto(SUBMIT)
  await expect.poll(() => codeOf(second).inputValue()).toBe('begun')
  return [first, second]
}

test('two tabs that type in turn keep both programs, also over a reload, and the second one chooses', async () => {
  const [first, second] = await twoTabs()
  const regions = await second.evaluateHandle(() => [...document.querySelectorAll('output')])
  await codeOf(first).fill('first 1')
  await untilNotified(second)
  // Screen readers do not announce a region that appears together with its text.
  const heard = (all: Element[], text: string) =>
    all.some((each) => each.textContent.includes(text))
  expect(await regions.evaluate(heard, NOTICE)).toBe(true)
  await codeOf(second).fill('second 1')
  await expect
    .poll(() => second.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain('second 1')
  await codeOf(first).fill('first 2')
  await expect.poll(() => draftOf(first)).toBe('first 2')
  await codeOf(second).fill('second 2')
  await expect
    .poll(() => second.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain('second 2')
  expect(await draftOf(second)).toBe('first 2')
  expect(await first.getByText(NOTICE).count()).toBe(0)

  await second.reload()
  await untilNotified(second)
  expect(await codeOf(second).inputValue()).toBe('second 2')
  await first.reload()
  await expect.poll(() => codeOf(first).inputValue()).toBe('first 2')

  await second.getByRole('button', { name: "Use the other tab's" }).click()
  await untilNotified(second, false)
  expect(await codeOf(second).inputValue()).toBe('first 2')
  expect(await codeOf(second).evaluate((code) => code === document.activeElement)).toBe(true)
  // The tab still keeps its last program, but no earlier one.
  await second.getByText('Another version of your program is kept here.').waitFor()
  await second.getByRole('button', { name: 'Switch' }).click()
  expect(await codeOf(second).inputValue()).toBe('second 2')
})

test('a tab that keeps its own program leaves the other one the choice', async () => {
  const [first, second] = await twoTabs()
  await codeOf(first).fill('first')
  await untilNotified(second)
  await codeOf(second).fill('second')
  await second.getByRole('button', { name: 'Keep mine' }).click()
  await untilNotified(second, false)
  expect(await draftOf(second)).toBe('second')
  await second.getByText('Another version of your program is kept here.').waitFor()
  await untilNotified(first)
  expect(await codeOf(first).inputValue()).toBe('first')
  await first.getByRole('button', { name: "Use the other tab's" }).click()
  expect(await codeOf(first).inputValue()).toBe('second')
  await untilNotified(first, false)
})

test('a tab that submits takes nothing from the other one, which goes on with its own', async () => {
  const [first, second] = await twoTabs()
  await codeOf(first).fill('print("first")')
  await untilNotified(second)
  await codeOf(second).fill('print("second")')
  await first.getByRole('button', { name: 'Submit', exact: true }).click()
  await first.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  expect(await codeOf(second).inputValue()).toBe('print("second")')
  await untilNotified(second)
  await second.getByRole('button', { name: 'Submit', exact: true }).click()
  await second.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  // The draft is the program submitted last; the other program is kept beside it.
  expect(await draftOf(second)).toBe('print("second")')
  await second.goto(SUBMIT)
  await second.getByText('Another version of your program is kept here.').waitFor()
  await untilNotified(second, false)
})
