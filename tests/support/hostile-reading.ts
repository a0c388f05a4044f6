/** A member of staff reads hostile texts, which must have no effect. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { submissionDetail } from '#contract/submissions'
import { signIn } from '../../scripts/test/browser.ts'
import { newVisitor, type VisitorOptions } from './browser.ts'
import type { HostileJudge } from './hostile-texts.ts'
import { clientOf } from './stack.ts'

/** The two screen sizes for reading the texts. */
export const SCREENS: [string, { width: number; height: number }][] = [
  ['a wide screen', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
]

/** Requests that the texts try to make a browser send. */
const CALLS = /submission\/\w+\/rejudge$|auth\/session$|cat\.png$/

/** Checks the texts of a page: foreign images are mere links, and no link leads to a call. */
async function lookAt(page: Page, judge: HostileJudge, part: Locator): Promise<void> {
  await part.getByRole('link', { name: 'a cat' }).first().waitFor()
  for (const link of await part.getByRole('link', { name: 'a cat' }).all()) {
    expect(await link.getAttribute('href')).toBe(judge.foreignImage)
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toContain('noreferrer')
  }
  expect(await part.getByText('call').count()).toBeGreaterThan(0)
  expect(await part.getByRole('link', { name: 'call' }).count(), page.url()).toBe(0)
  expect(await part.locator('img').count(), page.url()).toBe(0)
}

async function openPreviews(page: Page): Promise<void> {
  const closed = page.getByRole('button', { name: 'Preview', pressed: false })
  while ((await closed.count()) > 0) await closed.first().click()
}

/** Inserts the saved reply into an answer, and checks its preview. */
async function previewSavedReply(page: Page, judge: HostileJudge): Promise<void> {
  await page.goto(judge.question)
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  const form = page.locator('form', { has: page.getByRole('textbox', { name: 'Reply' }) })
  await form.getByRole('combobox', { name: 'Insert a saved reply …' }).selectOption({ index: 1 })
  await form.getByRole('button', { name: 'Preview' }).click()
  await lookAt(page, judge, form)
}

/** A teaching assistant reads, edits and previews all texts. */
async function readAll(page: Page, judge: HostileJudge): Promise<void> {
  const main = page.getByRole('main')
  for (const path of judge.shown) {
    await page.goto(path)
    await lookAt(page, judge, main)
  }
  for (const path of judge.edited) {
    await page.goto(path)
    await main.locator('form').first().waitFor()
    await openPreviews(page)
    await lookAt(page, judge, main)
    const notice = main.getByText('These images appear as links').first()
    await notice.waitFor()
    expect(await notice.textContent()).toContain(judge.foreignImage)
  }
  await page.goto('/profile')
  await main.getByLabel('About me').waitFor()
  await previewSavedReply(page, judge)
}

/**
 * A teaching assistant, who may rejudge, reads everything in a fresh browser.
 * @param url the API's address for this test
 */
export async function readUnharmed(
  url: string,
  web: string,
  judge: HostileJudge,
  options: VisitorOptions,
): Promise<void> {
  const student = await clientOf(url, 'student')
  const judgements = async () => {
    const path = `/submission/${judge.submissionId}`
    return (await student.call('GET', path, submissionDetail)).judgements
  }
  const before = await judgements()
  const page = await newVisitor(web, options)
  const calls: string[] = []
  page.on('request', (request) => {
    if (CALLS.test(decodeURIComponent(request.url())))
      calls.push(`${request.method()} ${request.url()}`)
  })
  await signIn(page, 'ta')
  expect(calls.splice(0)).toEqual([expect.stringMatching(/^POST .*\/api\/auth\/session$/)])
  await readAll(page, judge)
  expect(calls).toEqual([])
  expect(judge.foreignRequests).toEqual([])
  expect(await judgements()).toEqual(before)
  // Agrees to leave the answer that is being written.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('/')
  await page.getByText('Welcome, ').waitFor()
}
