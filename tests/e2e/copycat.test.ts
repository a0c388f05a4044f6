/** Copy detection as staff use it: search, report, two programs side by side. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { handInCopies } from '../../scripts/demo/copies.ts'
import { REFUSAL_HEADING } from '../../scripts/demo/pages.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { enter, newVisitor, type VisitorOptions } from '../support/browser.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

let stack: TestStack
let problemId: number

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  problemId = await handInCopies(await clientOf(stack.url, 'teacher'))
})

/** A tab of somebody on the page of a problem. */
async function open(username: string, id: number, options?: VisitorOptions): Promise<Page> {
  const page = await newVisitor(stack.url, {
    // The first look at a problem without a report, and at a problem that does not exist.
    refused: [/^404 \/api\/copycat\?/, /^404 \/api\/problem\//],
    ...options,
  })
  await enter(page, username)
  await page.goto(`/course/Demo/problem/${id}/copycat`)
  return page
}

/** The label of a part in the older (0) or the newer (1) program. */
function labelIn(page: Page, side: 0 | 1, part: number) {
  return page
    .locator('pre')
    .nth(side)
    .locator(`[data-label-of="${part - 1}"]`)
}

test('a teacher looks for copies, finds the pair and sees what is shared, side by side', async () => {
  const page = await open('teacher', problemId)
  await page.getByText('Copy detection has not been run yet.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Look for copies' }).click()
  const rows = page.getByRole('table', { name: 'Pairs', exact: true }).locator('tbody tr')
  await rows.first().waitFor()
  expect(await rows.first().innerText()).toMatch(/student2[^]*student3[^]*\d %/)
  await page.getByText('Last compared').waitFor()
  await page.getByText('Pairs by similarity').waitFor()
  expect(await axeFaults(page)).toEqual([])
  const all = await rows.count()
  await page.getByLabel('Find a student').fill('nobody')
  await page.getByText(`Shown: 0 of ${all}`).waitFor()
  await page.getByLabel('Find a student').fill('student3')
  await page.getByRole('link', { name: 'Compare student2 and student3' }).click()
  await page.getByRole('heading', { name: 'student2 and student3', level: 1 }).waitFor()
  expect(await page.title()).toMatch(/^student2 and student3 · /)
  expect(await axeFaults(page)).toEqual([])
  const texts = await page
    .locator('pre')
    .evaluateAll((boxes) =>
      boxes.map((box) =>
        [...box.querySelectorAll('mark')].map(({ textContent }) => textContent).join(' '),
      ),
    )
  expect(texts[0]).toContain('divisor_sum')
  expect(texts[1]).toContain('addUp')
  await labelIn(page, 0, 1).click()
  expect(await labelIn(page, 1, 1).evaluate((label) => label === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await labelIn(page, 0, 1).evaluate((label) => label === document.activeElement)).toBe(true)
  await page.locator('pre').nth(1).getByText('total += i;').click()
  const chosen = await page.locator(':focus').getAttribute('aria-label')
  expect(chosen).toMatch(/^Part \d+: go to it in the newer program$/)
  // The functions changed places: the first part at the left is later at the right.
  const last = page.getByRole('button', { name: /^Part \d+: \d+ tokens/ }).last()
  await last.click()
  expect(await last.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Copy detection').click()
  await page.getByRole('button', { name: 'Look again' }).waitFor()
})

test('on a phone the two programs stand one below the other', async () => {
  const page = await open('ta', problemId, {
    viewport: { width: 375, height: 812 },
    colorScheme: 'dark',
  })
  // The test before this one has made the report, unless this one runs alone.
  await page.getByRole('button', { name: /^Look/ }).click()
  await page.getByRole('link', { name: 'Compare student2 and student3' }).click()
  await page.locator('pre').nth(1).waitFor()
  const tops = await page
    .locator('pre')
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().top))
  expect(tops[1]).toBeGreaterThan((tops[0] ?? 0) + 100)
  expect(await fitsScreen(page)).toBe(true)
  expect(await axeFaults(page)).toEqual([])
  await labelIn(page, 0, 2).click()
  expect(await labelIn(page, 1, 2).evaluate((label) => label === document.activeElement)).toBe(true)
  const seen = await labelIn(page, 1, 2).evaluate((label) => {
    const { top, bottom } = label.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })
  expect(seen).toBe(true)
})

test('a problem without submissions says so; students are told that there is no such page', async () => {
  const page = await open('teacher', 1)
  await page.getByRole('button', { name: 'Look for copies' }).click()
  await page.getByText('There are no submissions to compare yet').waitFor()
  const student = await open('student', problemId)
  await student.getByRole('heading', { name: REFUSAL_HEADING }).waitFor()
  await page.goto(`/course/Demo/problem/${problemId + 100}/copycat`)
  await page.getByRole('heading', { name: REFUSAL_HEADING }).waitFor()
})
