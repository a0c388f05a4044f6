/** The product's messages where they are hard to come by: each is provoked once in a browser. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { TOAST_MS } from '#contract/limits'
import { signIn } from '../../scripts/browser.ts'
import { enter, newVisitor, noteText } from '../support/browser.ts'
import { PRODUCT_MESSAGES } from '../support/product-messages.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** Lets the server fail for one call. */
async function failAt(page: Page, path: string, method: string): Promise<void> {
  const isCalled = (url: URL) => url.pathname === `/api${path}`
  await page.route(isCalled, (route) =>
    route.request().method() === method
      ? route.fulfill({
          status: 500,
          json: { status: 'err', code: 'internal', message: 'Internal error', data: null },
        })
      : route.fallback(),
  )
}

test('a server that fails: the toast for 2.4 s, and the error where it belongs', async () => {
  const page = await newVisitor(judge.url, { refused: [/^500 /] })
  await signIn(page, 'teacher')
  await failAt(page, '/course', 'POST')
  await page.goto('/courses/new')
  await page.getByLabel('Course name').fill('Never made')
  const times = await noteText(page, PRODUCT_MESSAGES['common.serverFailure'])
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText(PRODUCT_MESSAGES['courses.unknownError']).waitFor()
  const { shown, gone } = await times.evaluate(({ over }) => over)
  // The observer hears of it a moment after the page's own clock has started.
  expect(gone - shown).toBeGreaterThan(TOAST_MS - 100)
  expect(await page.getByLabel('Course name').inputValue()).toBe('Never made')

  await failAt(page, '/course/Demo/homework', 'GET')
  await page.goto('/course/Demo/homeworks')
  const box = page.getByRole('alert').filter({ hasText: PRODUCT_MESSAGES['common.wrong'] })
  await box.waitFor()
  await page.unrouteAll()
  await box.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
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
