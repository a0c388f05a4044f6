/** Help: the pages of `docs/` inside the app. */
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newVisitor } from '../support/browser.ts'
import { newViewer } from '../support/demo-visitor.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

async function isInView(part: Locator): Promise<boolean> {
  const box = await part.boundingBox()
  const height = part.page().viewportSize()?.height ?? 0
  return box !== null && box.y >= 0 && box.y + box.height <= height
}

test('links between guides stay in the app and lead to the section they name', async () => {
  const page = await newVisitor(judge.url)
  await page.goto('/about')
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('link', { name: 'Help' }).click()
  await page.locator('h1', { hasText: "Student's guide" }).waitFor()
  await page.getByRole('link', { name: "Operator's guide" }).click()
  await page.getByRole('link', { name: 'uninstall' }).click()
  await page.locator('h1', { hasText: 'Deploying' }).waitFor()
  const section = page.getByRole('heading', { name: 'Uninstalling' })
  await expect.poll(() => isInView(section)).toBe(true)
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
  await page.reload()
  await expect.poll(() => isInView(section)).toBe(true)
})

test('everybody’s menu has the guide of their role', async () => {
  const page = await newViewer(judge.url, 'teacher')
  await page.goto('/')
  await page.getByRole('button', { name: 'Account menu of' }).click()
  await page.getByRole('menuitem', { name: 'Help' }).click()
  await page.locator('h1', { hasText: "Teacher's guide" }).waitFor()
})

test('a guide that is not there is a page that is not there', async () => {
  const page = await newVisitor(judge.url)
  await page.goto('/help/nothing')
  await page.locator('h1', { hasText: 'Page not found' }).waitFor()
})
