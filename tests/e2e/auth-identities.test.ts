/** An email address's owner: what staff, the owner and admins see of it, and the mails by which a person proves to be its owner. */
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { batchSignupResult } from '#contract/people/auth'
import { signIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { enter, newVisitor, fillNewPassword } from '../support/browser.ts'
import { ageSessions } from '../support/changed-database.ts'
import { mailedLink } from '../support/mails.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const MAKERS_WORDS = 'known to the maker'
const OWNERS_WORDS = 'known to the owner'

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  const teacher = await clientOf(stack.url, 'teacher')
  const newUsers = ['claim', 'vouched']
    .map((name) => `\n${name},${MAKERS_WORDS},${name}@example.org`)
    .join('')
  await teacher.call('POST', '/auth/batch-signup', batchSignupResult, {
    json: { newUsers: `username,password,email${newUsers}`, course: 'Demo' },
  })
  const json = { course: 'Second', teacher: 'teacher' }
  await teacher.call('POST', '/course', z.unknown(), { json })
})

test('staff see who is unconfirmed; the owner confirms by a mail, and moves to another address', async () => {
  const staff = await newVisitor(stack.url, {
    refused: [/^40[49] \/api\/course\/Second\/members$/],
  })
  await enter(staff, 'teacher')
  await staff.goto('/course/Demo/members')
  await staff.getByRole('row', { name: /claim/ }).getByText('Email not confirmed').waitFor()
  await staff.goto('/course/Second/members')
  const field = staff.getByLabel('Add people')
  const add = staff.getByRole('button', { name: 'Add', exact: true })
  await field.fill('claim')
  await add.click()
  await staff.getByText('have not confirmed their email address').waitFor()
  await field.fill('claim@example.org')
  await add.click()
  await staff.getByText('ask these people to confirm their email').waitFor()

  const page = await newVisitor(stack.url)
  await signIn(page, 'claim', MAKERS_WORDS)
  await page.goto('/profile')
  await page.getByText('claim@example.org (not confirmed)').waitFor()
  await page.getByRole('button', { name: 'Send the confirmation mail' }).click()
  await page.getByText('The mail is on its way to claim@example.org.').waitFor()
  await page.goto(await mailedLink(stack.stateDir, 'claim@example.org'))
  await fillNewPassword(page, OWNERS_WORDS)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Your email address is confirmed').waitFor()
  await signIn(page, 'claim@example.org', OWNERS_WORDS)
  await page.goto('/profile')
  await page.getByText('claim@example.org (confirmed)').waitFor()
  await add.click()
  await staff.getByRole('row', { name: /claim/ }).waitFor()

  await page.getByRole('button', { name: 'Change the email address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New email address').fill('moved@example.org')
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  await dialog.getByText('The mail is on its way to moved@example.org.').waitFor()
  const link = await mailedLink(stack.stateDir, 'moved@example.org')
  const elsewhere = await newVisitor(stack.url)
  await elsewhere.goto(link)
  await elsewhere.getByText('First sign in to the account in this browser').waitFor()
  await page.goto(link)
  await page.getByRole('button', { name: 'Use this address' }).click()
  await page.getByText('Your account has the new email address.').waitFor()
  await page.goto('/profile')
  await page.getByText('moved@example.org (confirmed)').waitFor()
})

test('an admin vouches for an address, and its owner chooses a password', async () => {
  const page = await newVisitor(stack.url, { refused: [/^409 \/api\/user\/vouched$/] })
  await enter(page, 'admin')
  await page.goto('/admin/user?search=vouched')
  await page
    .getByRole('row', { name: /^vouched/ })
    .getByText('Email not confirmed')
    .waitFor()
  await page.getByRole('button', { name: 'Edit vouched' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Role').selectOption({ label: 'Teacher' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('an admin must vouch for it').waitFor()
  await dialog.getByLabel('I vouch for this email address').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('vouched has been saved.').waitFor()
  const owner = await newVisitor(stack.url)
  await owner.goto(await mailedLink(stack.stateDir, 'vouched@example.org'))
  await fillNewPassword(owner, OWNERS_WORDS)
  await owner.getByRole('button', { name: 'Activate account' }).click()
  await owner.getByText('Your account is active.').waitFor()
  await signIn(owner, 'vouched@example.org', OWNERS_WORDS)
})

test('the password is asked for over the dialog that needs it, and Escape closes the upper one alone', async () => {
  const page = await newVisitor(stack.url, { refused: [/^403 \/api\/auth\//] })
  await enter(page, 'student2')
  ageSessions(stack.stateDir)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'New token' }).click()
  const below = page.getByRole('dialog', { name: 'New token' })
  await below.getByLabel('Name').fill('homework script')
  const create = below.getByRole('button', { name: 'Create token' })
  await create.click()
  const upper = page.getByRole('dialog', { name: 'Confirm your password' })
  const password = upper.getByLabel('Current password')
  await password.waitFor()
  await page.keyboard.press('Escape')
  await below.getByText('Nothing was changed').waitFor()
  // Escape closes only the upper dialog, and asks nothing about the text in the lower one.
  expect(await page.getByRole('dialog').count()).toBe(1)
  await expect.poll(() => below.evaluate((it) => it.contains(document.activeElement))).toBe(true)
  await create.click()
  await password.fill('not this one')
  await upper.getByRole('button', { name: 'Confirm' }).click()
  await upper.getByText('Wrong Password').waitFor()
  await password.fill(DEMO_PASSWORD)
  await upper.getByRole('button', { name: 'Confirm' }).click()
  await below.getByText('Copy this secret now').waitFor()
})
