/** Forms about people, members, judge hosts, questions and programs: the bodies that they send, and the page afterwards. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { runnerList } from '#contract/judging/runners'
import type { ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import {
  answer,
  chooseFor,
  enter,
  fillNewPassword,
  newVisitor,
  untilFocused,
} from '../support/browser.ts'
import { askedWhen, sentBy, sentWhen } from '../support/forms.ts'
import { mailedLink } from '../support/mails.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const NEW_PASSWORD = 'a much better one'
const anything = z.unknown()

let stack: TestStack
let admin: ApiClient
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  admin = await clientOf(stack.url, 'admin')
  teacher = await clientOf(stack.url, 'teacher')
})

/** Opens a page of the app as somebody. The test answers the browser's questions with yes. */
async function open(username: string, path: string): Promise<Page> {
  const page = await newVisitor(stack.url)
  page.on('dialog', (dialog) => void dialog.accept())
  await enter(page, username)
  await page.goto(path)
  return page
}

/** The token of the newest mail to an address. */
async function tokenTo(address: string): Promise<{ link: string; token: string }> {
  const link = await mailedLink(stack.stateDir, address)
  return { link, token: link.split('=').at(-1) ?? '' }
}

test('an account is made and changed field by field, and the list follows', async () => {
  const page = await open('admin', '/admin/user')
  await page.getByRole('button', { name: 'New account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill('newbie')
  await dialog.getByLabel('Email').fill('newbie@example.org')
  await dialog.getByLabel('Display name').fill('New Bie')
  await dialog.getByLabel('Role').selectOption('Teacher')
  await dialog.getByLabel(/^Password/).fill(DEMO_PASSWORD)
  expect(await sentBy(page, 'POST /user', 'Create account')).toEqual({
    username: 'newbie',
    email: 'newbie@example.org',
    displayedName: 'New Bie',
    role: 1,
    password: DEMO_PASSWORD,
  })
  await page.getByText('newbie has been created and can sign in.').waitFor()
  const row = page.getByRole('row', { name: /^newbie/ })
  await row.getByText('Teacher').waitFor()
  const search = () => page.getByLabel('Search', { exact: true }).fill('newb')
  expect(await askedWhen(page, '/user', search)).toEqual({ search: 'newb' })
  const role = () => page.getByRole('form').getByLabel('Role').selectOption('Teacher')
  expect(await askedWhen(page, '/user', role)).toEqual({ search: 'newb', role: '1' })
  await page.getByRole('form').getByLabel('Role').selectOption('All')

  await page.getByRole('button', { name: 'Edit newbie' }).click()
  await dialog.getByLabel('Email').fill('renamed@example.org')
  await dialog.getByLabel('Display name').fill('Re Named')
  await dialog.getByLabel('Role').selectOption('Student')
  await dialog.getByLabel(/^New password/).fill(NEW_PASSWORD)
  await dialog.getByLabel('Active').uncheck()
  expect(await sentBy(page, 'PATCH /user/newbie', 'Save')).toEqual({
    email: 'renamed@example.org',
    displayedName: 'Re Named',
    role: 2,
    password: NEW_PASSWORD,
    active: false,
  })
  await page.getByText('newbie has been saved.').waitFor()
  await row.getByText('Not active').waitFor()
  expect(await row.innerText()).toMatch(/Re Named[^]*renamed@example\.org[^]*Student/)
  await page.getByRole('button', { name: 'Sign out newbie everywhere' }).click()
  expect(
    await sentWhen(page, 'DELETE /user/newbie/sessions', () =>
      answer(page, 'Sign out newbie everywhere?', 'Sign out'),
    ),
  ).toBeNull()
  await page.getByText('newbie has been signed out everywhere.').waitFor()

  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('cell', { name: 'user.update' }).first().waitFor()
  const field = (name: string, text: string) => () =>
    page.getByLabel(name, { exact: true }).fill(text)
  const actor = { actor: 'admin' }
  expect(await askedWhen(page, '/audit', field('Actor', 'admin'))).toEqual(actor)
  const both = { ...actor, action: 'user.update' }
  expect(await askedWhen(page, '/audit', field('Action', 'user.update'))).toEqual(both)
})

test('an admin who changes or signs out their own account sees that at once', async () => {
  const person = { username: 'ada', email: 'ada@example.org', role: 0, password: DEMO_PASSWORD }
  await admin.call('POST', '/user', anything, { json: person })
  const page = await open('ada', '/admin/user')
  await page.getByRole('button', { name: 'Edit ada' }).click()
  await page.getByRole('dialog').getByLabel('Display name').fill('Ada Min')
  expect(await sentBy(page, 'PATCH /user/ada', 'Save')).toEqual({ displayedName: 'Ada Min' })
  await page.getByRole('button', { name: 'Account menu of Ada Min' }).waitFor()
  await page.getByRole('button', { name: 'Sign out ada everywhere' }).click()
  await answer(page, 'Sign out ada everywhere?', 'Sign out')
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
})

test('people change their profile, tokens, address and password, and sign in with what they chose', async () => {
  const person = { username: 'prof', email: 'prof@example.org', role: 1, password: DEMO_PASSWORD }
  await admin.call('POST', '/user', anything, { json: person })
  const page = await open('prof', '/profile')
  await page.getByLabel('Display name').fill('Prof Essor')
  await page.getByLabel('About me').fill('I teach.')
  const profile = { displayedName: 'Prof Essor', bio: 'I teach.' }
  expect(await sentBy(page, 'POST /profile', 'Save')).toEqual(profile)
  await page.getByRole('button', { name: /Account menu of Prof Essor/ }).waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('About me').inputValue()).toBe('I teach.')

  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('cron')
  await dialog.getByLabel('Read', { exact: true }).uncheck()
  for (const scope of ['Submit', 'Manage']) await dialog.getByLabel(scope, { exact: true }).check()
  await dialog.getByLabel('Days until it expires').fill('7')
  const token = { name: 'cron', scopes: ['submit', 'manage'], days: 7 }
  expect(await sentBy(page, 'POST /auth/tokens', 'Create token')).toEqual(token)
  await dialog.getByText('Copy this secret now').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('listitem').filter({ hasText: 'cron' }).getByText('Manage').waitFor()

  await page.getByRole('button', { name: 'Change the email address' }).click()
  await dialog.getByLabel('New email address').fill('essor@example.org')
  const address = { email: 'essor@example.org' }
  expect(await sentBy(page, 'POST /auth/email', 'Send the link')).toEqual(address)
  await dialog.getByText('The mail is on its way to essor@example.org.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.getByLabel('Current password').fill(DEMO_PASSWORD)
  await fillNewPassword(page, NEW_PASSWORD)
  const passwords = { oldPassword: DEMO_PASSWORD, newPassword: NEW_PASSWORD }
  expect(await sentBy(page, 'POST /auth/change-password', 'Change password')).toEqual(passwords)
  await page.getByText('Please sign in with the new password.').waitFor()
  await page.getByLabel('Username or email').fill('prof@example.org')
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('This is a shared computer').check()
  expect(await sentBy(page, 'POST /auth/session', 'Sign in')).toEqual({
    username: 'prof@example.org',
    password: NEW_PASSWORD,
    sharedComputer: true,
  })
  await page.getByText('Welcome, Prof Essor').waitFor()
})

test('mailed links send their secret with the password that was chosen', async () => {
  const email = 'fresh@example.org'
  await admin.call('POST', '/user', anything, { json: { username: 'fresh', email, role: 2 } })
  const activation = await tokenTo(email)
  const page = await newVisitor(stack.url)
  await page.goto(activation.link)
  await fillNewPassword(page, NEW_PASSWORD)
  expect(await sentBy(page, 'POST /auth/activate', 'Activate account')).toEqual({
    token: activation.token,
    password: NEW_PASSWORD,
  })
  await page.getByText('Your account is active. You can sign in now.').waitFor()
  await page.goto('/password_reset')
  await page.getByLabel('Registered email').fill('student3@example.org')
  const recovery = { email: 'student3@example.org' }
  expect(await sentBy(page, 'POST /auth/password-recovery', 'Send the link')).toEqual(recovery)
  const reset = await tokenTo('student3@example.org')
  await page.goto('about:blank')
  await page.goto(reset.link)
  await fillNewPassword(page, NEW_PASSWORD)
  expect(await sentBy(page, 'POST /auth/password-reset', 'Set the password')).toEqual({
    token: reset.token,
    newPassword: NEW_PASSWORD,
  })
  await page
    .getByText('Your password has been changed. You can sign in with the new password now.')
    .waitFor()
})

test('a judge host is added, drained, activated and limited by its own buttons', async () => {
  const page = await open('admin', '/admin/dashboard')
  await page.getByRole('button', { name: 'Add judge host' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('lab-9')
  expect(await sentBy(page, 'POST /runners', 'Add judge host')).toEqual({ name: 'lab-9' })
  await page.getByRole('dialog').getByText('Copy this secret now').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  const [host] = await admin.call('GET', '/runners', runnerList)
  const PATCH = `PATCH /runners/${host?.runnerId}`
  await page.getByRole('button', { name: 'Drain lab-9' }).waitFor()
  expect(await sentBy(page, PATCH, 'Drain lab-9')).toEqual({ state: 'draining' })
  await page.getByRole('button', { name: 'Activate lab-9' }).waitFor()
  expect(await sentBy(page, PATCH, 'Activate lab-9')).toEqual({ state: 'active' })
  await page.getByRole('button', { name: 'Drain lab-9' }).waitFor()
  await page.getByRole('button', { name: 'Limit slots of lab-9' }).click()
  await page.getByLabel('Slots at most').fill('3')
  expect(await sentBy(page, PATCH, 'Save')).toEqual({ slotLimit: 3 })
  const requeue = 'Judge every Judge Error again'
  await page.getByRole('button', { name: requeue }).click()
  expect(
    await sentWhen(page, 'POST /runners/requeue', () =>
      answer(page, 'Judge every Judge Error again?', 'Judge again'),
    ),
  ).toEqual({ status: 6 })
  await page.getByText('0 of 0 judged again.').waitFor()
  await page.getByRole('button', { name: 'Remove lab-9' }).click()
  expect(
    await sentWhen(page, `DELETE /runners/${host?.runnerId}`, () =>
      answer(page, 'Remove lab-9?', 'Remove'),
    ),
  ).toBeNull()
  await page.getByText('No judge host yet.').waitFor()
})

test('a question is asked, answered with a saved reply and resolved', async () => {
  await teacher.call('PUT', '/saved-replies', anything, { json: { replies: ['One.', 'Two.'] } })
  const asking = await open('student', '/course/Demo/problem/1')
  await asking.getByRole('button', { name: 'Ask a question' }).click()
  await asking.getByLabel('Your question about this problem').fill('Why *so*?')
  const question = { markdown: 'Why *so*?' }
  expect(await sentBy(asking, 'POST /problem/1/questions', 'Send')).toEqual(question)
  await asking.getByText('Sent. The answer will appear here').waitFor()
  await asking.getByRole('link', { name: 'Why *so*?' }).waitFor()

  const page = await open('teacher', '/course/Demo/questions')
  await page.getByRole('link', { name: 'Why *so*?' }).click()
  await page.waitForURL('**/question/*')
  const id = page.url().split('/').at(-1)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('Because: ')
  await page.getByLabel('Insert a saved reply').selectOption('Two.')
  const reply = { markdown: 'Because:\n\nTwo.' }
  expect(await sentBy(page, `POST /question/${id}/messages`, 'Send')).toEqual(reply)
  await page.getByText('Answered').waitFor()
  const resolved = { state: 'resolved' }
  expect(await sentBy(page, `PATCH /question/${id}`, 'Resolve')).toEqual(resolved)
  await page.getByText('Resolved').waitFor()
  await page.getByRole('link', { name: 'Questions', exact: true }).first().click()
  await page.getByText('No question matches.').waitFor()
})

test('a program runs on the inputs that are filled in, and is handed in as it stands', async () => {
  const page = await newVisitor(stack.url)
  await page.addInitScript(() => localStorage.setItem('editor-settings', '{"plain":true}'))
  await enter(page, 'student2')
  await page.goto('/course/Demo/problem/1/submit')
  await page.getByRole('main').getByLabel('Language').selectOption('C++')
  const code = 'int main() {}\n'
  await page.getByRole('textbox', { name: 'Source code' }).fill(code)
  await page.getByRole('button', { name: 'Results and own inputs' }).click()
  for (let more = 0; more < 2; more += 1)
    await page.getByRole('button', { name: 'Another input' }).click()
  for (const [number, text] of [
    [1, 'first'],
    [3, 'third'],
  ])
    await page.getByLabel(`Own input ${number}`, { exact: true }).fill(String(text))
  expect(await sentBy(page, 'POST /problem/1/run', 'Run samples')).toEqual({
    languageType: 1,
    code,
    inputs: ['first', 'third'],
    samples: true,
  })
  await page.getByText('Waiting for a judge host …').waitFor()
  const handedIn = { problemId: 1, languageType: 1, code }
  expect(await sentBy(page, 'POST /submission', 'Submit')).toEqual(handedIn)
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  await page.getByText('In the queue at place').waitFor()
})

test('people are added in the role that was chosen', async () => {
  await teacher.call('POST', '/course', anything, { json: { course: 'Logic', teacher: 'teacher' } })
  const page = await open('teacher', '/course/Logic/members')
  await page.getByLabel('Add people').fill('student2, student3')
  const form = page.locator('form', { has: page.getByLabel('Add people') })
  await form.getByLabel('Role in the course').selectOption('Teaching assistant')
  expect(await sentBy(page, 'PATCH /course/Logic/members', 'Add')).toEqual({
    add: [
      { user: 'student2', role: 'ta' },
      { user: 'student3', role: 'ta' },
    ],
  })
})

test('members change roles and leave one by one, and are found by role', async () => {
  await teacher.call('POST', '/course', anything, { json: { course: 'Roles', teacher: 'teacher' } })
  const add = ['student', 'student2', 'student3'].map((user) => ({ user, role: 'student' }))
  await teacher.call('PATCH', '/course/Roles/members', anything, { json: { add } })
  const page = await open('teacher', '/course/Roles/members')
  const PATCH = 'PATCH /course/Roles/members'
  const role = (user: string, role: string) => ({ add: [{ user, role }] })
  const chosen = (user: string, item: string) =>
    sentWhen(page, PATCH, () => chooseFor(page, user, item))
  expect(await chosen('student2', 'Make TA')).toEqual(role('student2', 'ta'))
  await page.getByRole('row', { name: /student2.*Teaching assistant/ }).waitFor()
  // After “Cancel” nobody is removed, and the focus is back where it was.
  await chooseFor(page, 'student3', 'Remove')
  await untilFocused(page, /^Cancel/)
  await page.keyboard.press('Escape')
  await untilFocused(page, /^Actions for student3/)
  await chooseFor(page, 'student3', 'Remove')
  expect(
    await sentWhen(page, PATCH, () => answer(page, 'Remove student3 from this course?', 'Remove')),
  ).toEqual({ remove: ['student3'] })
  await page.getByText('3 members').waitFor()
  await page.getByLabel('Role in the course').last().selectOption('Teaching assistant')
  await page.getByText('1 of 3 members').waitFor()
  expect(await page.getByRole('row').nth(1).innerText()).toContain('student2')
  expect(await chosen('student2', 'Make student')).toEqual(role('student2', 'student'))
  await page.getByText('No members match.').waitFor()
})

test('a file of members is checked and imported with the options that are ticked', async () => {
  await teacher.call('POST', '/course', anything, { json: { course: 'Lists', teacher: 'teacher' } })
  const page = await open('teacher', '/course/Lists/members')
  await page.getByText('Import members from a CSV file').click()
  const text = 'username,password,email\nimported,long-password-1,imported@example.org\n'
  const file = { name: 'm.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  const newUsers =
    'username,password,email,displayedName,role\nimported,long-password-1,imported@example.org,,'
  const options = { mailLinks: false, force: false, uppercase: false }
  const body = { newUsers, course: 'Lists', ...options }
  const CALL = 'POST /auth/batch-signup'
  const picked = await sentWhen(page, CALL, () =>
    page.locator('details input[type=file]').setInputFiles(file),
  )
  expect(picked).toEqual({ ...body, dryRun: true })
  await page.getByLabel('Update existing users').check()
  expect(await sentBy(page, CALL, 'Check m.csv')).toEqual({ ...body, force: true, dryRun: true })
  await page.getByLabel('Update existing users').uncheck()
  await page.getByLabel('Uppercase usernames').check()
  const upper = { ...body, uppercase: true }
  expect(await sentBy(page, CALL, 'Check m.csv')).toEqual({ ...upper, dryRun: true })
  expect(await sentBy(page, CALL, 'Import m.csv')).toEqual({ ...upper, dryRun: false })
  await page.getByText('2 members').waitFor()
})

test('a meaning that one column of a file gets is no longer that of another', async () => {
  await teacher.call('POST', '/course', anything, { json: { course: 'Sheet', teacher: 'teacher' } })
  const page = await open('teacher', '/course/Sheet/members')
  await page.getByText('Import members from a CSV file').click()
  const text = 'username,email,contact\nmoved,old@example.org,new@example.org\n'
  const file = { name: 'm.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  const CALL = 'POST /auth/batch-signup'
  await sentWhen(page, CALL, () => page.locator('details input[type=file]').setInputFiles(file))
  await page.getByText('Read 1 person as').click()
  await page.getByLabel('Meaning of contact').selectOption('Email')
  expect(await page.getByLabel('Meaning of email').inputValue()).toBe('')
  expect(await sentBy(page, CALL, 'Check m.csv')).toMatchObject({
    newUsers: 'username,password,email,displayedName,role\nmoved,,new@example.org,,',
  })
})
