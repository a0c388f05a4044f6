/** Messages that rarely appear: the test provokes each of them once in a browser. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ERRORS } from '#contract/errors'
import { enter, newVisitor, noteText } from '../support/browser.ts'
import { noteSaid } from '../support/live-regions.ts'
import { PRODUCT_MESSAGES } from '../support/product-messages.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const TOAST = PRODUCT_MESSAGES['common.serverFailure']

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** Makes the server fail or refuse one call. */
async function failAt(
  page: Page,
  path: string,
  method: string,
  code: 'internal' | 'stale_edit' = 'internal',
): Promise<void> {
  const isCalled = (url: URL) => url.pathname === `/api${path}`
  await page.route(isCalled, (route) =>
    route.request().method() === method
      ? route.fulfill({
          status: ERRORS[code][0],
          json: { status: 'err', code, message: ERRORS[code][1], data: null },
        })
      : route.fallback(),
  )
}

test('a server that fails says so once, where it belongs; nothing typed or read is lost [PR3]', async () => {
  const page = await newVisitor(judge.url, { refused: [/^500 /] })
  const said = await noteSaid(page)
  await enter(page, 'teacher')
  await failAt(page, '/course', 'POST')
  await page.goto('/courses/new')
  await page.getByLabel('Course name').fill('Never made')
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText(PRODUCT_MESSAGES['courses.unknownError']).waitFor()
  expect(await page.getByLabel('Course name').inputValue()).toBe('Never made')
  expect(await said()).toEqual([PRODUCT_MESSAGES['courses.unknownError']])

  await failAt(page, '/course/Demo/homework', 'GET')
  await page.goto('/course/Demo/homeworks')
  const box = page.getByRole('alert').filter({ hasText: PRODUCT_MESSAGES['common.wrong'] })
  await box.waitFor()
  expect(await said()).toEqual([await box.textContent()])
  await page.unrouteAll()
  await box.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
})

test('a failure behind what is shown: the page stays, the toast says so for 2.4 s [PR3]', async () => {
  const page = await newVisitor(judge.url, { refused: [/^(409|500) /] })
  const said = await noteSaid(page)
  await enter(page, 'teacher')
  await page.goto(`/course/Demo/announcements/${judge.ids.announcement}`)
  const pin = page.getByRole('button', { name: /^(Pin to the top|Unpin)$/ })
  await pin.waitFor()
  await failAt(page, '/ann', 'PUT', 'stale_edit')
  await failAt(page, `/ann/Demo/${judge.ids.announcement}`, 'GET')
  const times = await noteText(page, TOAST)
  await pin.click()
  const { shown, gone } = await times.evaluate(({ over }) => over)
  // The observer reports a moment after the page's own clock has started.
  expect(gone - shown).toBeGreaterThan(2_300)
  expect((await said()).filter((text) => text === TOAST)).toHaveLength(1)
  await pin.waitFor()
})

test('a sign-in that fails for reasons of nobody’s', async () => {
  const page = await newVisitor(judge.url, { refused: [/^500 /, /^net::ERR_FAILED/] })
  await page.goto('/')
  for (const failure of ['answer', 'connection']) {
    await page.unrouteAll()
    if (failure === 'answer') await failAt(page, '/auth/session', 'POST')
    else await page.route('**/api/auth/session', (route) => route.abort())
    await page.getByLabel('Username or email').fill('student')
    await page.getByLabel('Password', { exact: true }).fill('some password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(PRODUCT_MESSAGES['signIn.UNKNOWN']).waitFor()
  }
})

test('a sign-in that fails by a fault of the app is shown and reported', async () => {
  const page = await newVisitor(judge.url, { refused: [/No headers today/] })
  await page.goto('/')
  await page.getByLabel('Username or email').fill('student')
  await page.getByLabel('Password', { exact: true }).fill('some password')
  await page.evaluate(() => {
    // The test itself checks the reports; they do not fail the visitor.
    addEventListener('error', (event) => {
      document.title = String(event.error)
      event.preventDefault()
    })
    Headers.prototype.set = () => {
      throw new Error('No headers today')
    }
  })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(PRODUCT_MESSAGES['signIn.UNKNOWN']).waitFor()
  expect(await page.title()).toBe('Error: No headers today')
})

test('passwords: wrong, unequal, and a server that fails', async () => {
  const page = await newVisitor(judge.url, { refused: [/^(403|500) .*change-password/] })
  await enter(page, 'student2')
  await page.goto('/profile')
  const current = page.locator('input[autocomplete=current-password]')
  const [next, repeat] = [0, 1].map((index) =>
    page.locator('input[autocomplete=new-password]').nth(index),
  )
  await current.fill('not the password')
  await next?.fill('a new password 1')
  await repeat?.fill('a new password 2')
  const save = page.getByRole('button', { name: 'Change password' })
  await save.click()
  await page.getByText(PRODUCT_MESSAGES['password.mismatch']).waitFor()
  await repeat?.fill('a new password 1')
  await save.click()
  await page.getByText(PRODUCT_MESSAGES['password.wrong']).waitFor()
  await failAt(page, '/auth/change-password', 'POST')
  await current.fill('some password')
  await save.click()
  await page.getByText(PRODUCT_MESSAGES['password.failed']).waitFor()
})

test('a forgotten password: nobody’s address, and one that gets a mail', async () => {
  const page = await newVisitor(judge.url, { refused: [/^404 .*password-recovery$/] })
  await page.goto('/password_reset')
  await page.getByLabel('Registered email').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(PRODUCT_MESSAGES['passwordReset.notFound']).waitFor()
  await page.getByLabel('Registered email').fill('student@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(PRODUCT_MESSAGES['passwordReset.sent']).waitFor()
})
