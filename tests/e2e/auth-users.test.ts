/** People and their accounts: mailed links, profile, sessions, tokens, and what admins do with all of them. */
import { beforeAll, expect, test } from 'vitest'
import { signIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { answer, enter, fillNewPassword, newVisitor } from '../support/browser.ts'
import { mailedLink } from '../support/mails.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const NEW_PASSWORD = 'a much better one'

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
})

test('a guest resets a password by a mailed link, once; the secret leaves the address first [AU7]', async () => {
  const page = await newVisitor(stack.url, {
    refused: [/^404 \/api\/auth\/password-recovery$/, /^400 \/api\/auth\/password-reset$/],
  })
  const addresses: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) addresses.push(request.url(), request.frame().url())
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Registered email').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('No account with this email can be found.').waitFor()
  await page.getByLabel('Registered email').fill('student4@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Email sent, please check your inbox.').waitFor()
  const link = await mailedLink(stack.stateDir, 'student4@example.org')
  // As when a link is pasted into the open tab: only the part after # changes.
  await page.goto(link)
  await page.getByText('Choose a new password.').waitFor()
  await expect.poll(() => page.url()).toBe(`${stack.url}/password_reset`)
  await page.goto('about:blank')
  await page.goto(link)
  await fillNewPassword(page, NEW_PASSWORD, 'something else')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Password does not match.').waitFor()
  await fillNewPassword(page, 'password')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('This password is too easy to guess').waitFor()
  await fillNewPassword(page, NEW_PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password has been changed.').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'student4', NEW_PASSWORD)
  // Signed in or not, a person who opens a used link is told that it is used, and what to do.
  await page.goto(link)
  await fillNewPassword(page, 'yet another one')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('This link is invalid, expired or already used.').waitFor()
  await page.getByRole('button', { name: 'Ask for a new link' }).click()
  await page.getByLabel('Registered email').waitFor()
  expect(addresses.filter((address) => address.includes('token='))).toEqual([])
})

test('a profile is edited; one tab does not overwrite what another has saved', async () => {
  const page = await newVisitor(stack.url, { refused: [/^409 \/api\/profile$/] })
  await enter(page, 'student2')
  await page.goto('/profile')
  const other = await page.context().newPage()
  await other.goto('/profile')
  await other.getByLabel('Display name').waitFor()
  await page.getByLabel('Display name').fill('Second Student')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: /Account menu of Second Student/ }).waitFor()
  await page.getByLabel('About me').fill('Once more.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
    .toBe(true)
  await other.getByLabel('About me').fill('From the other tab.')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await other.getByText('Someone else has changed this since you opened it.').waitFor()
  await other.getByRole('button', { name: 'Save my version anyway' }).click()
  await other.getByText('Saved.').waitFor()
})

test('a session is ended from another one; a new password ends all, and says so', async () => {
  const page = await newVisitor(stack.url, { refused: [/^403 \/api\/auth\/change-password$/] })
  await signIn(page, 'student3')
  // Its page may make a call just as its session ends.
  const away = await newVisitor(stack.url, { refused: [/^401 /] })
  await signIn(away, 'student3')
  await page.goto('/profile')
  await page.getByText('This session').waitFor()
  await page.getByRole('button', { name: /^End: / }).click()
  await page.getByText('The session has been ended.').waitFor()
  await away.goto('/profile')
  await away.getByText('Please sign in to see that page.').waitFor()
  await page.getByLabel('Current password').fill('not my password')
  await fillNewPassword(page, NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Wrong Password').waitFor()
  await page.getByLabel('Current password').fill(DEMO_PASSWORD)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Change password' }).click()
  await page
    .getByText('Your password has been changed. Please sign in with the new password.')
    .waitFor()
  // What only members may read is not asked for any more.
  expect(asked.filter((path) => /^\/api\/(homework|submission|course)/.test(path))).toEqual([])
  await signIn(page, 'student3', NEW_PASSWORD)
})

test('an API token works until it is ended, and is shown once', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'student2')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Value is required').waitFor()
  await dialog.getByLabel('Name').fill('homework script')
  expect(await dialog.getByLabel('Administer').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Copy this secret now').waitFor()
  const token = (await dialog.locator('pre').textContent()) ?? ''
  const use = () =>
    fetch(`${stack.url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await use()).status).toBe(200)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'End the token homework script' }).click()
  await answer(page, 'End the token “homework script”?', 'End')
  await page.getByText('You have no API tokens.').waitFor()
  expect((await use()).status).toBe(401)
})

test('an admin makes an account, whose owner activates it; the last admin stays one', async () => {
  const page = await newVisitor(stack.url, { refused: [/^409 \/api\/user(\/admin)?$/] })
  await enter(page, 'admin')
  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('button', { name: 'New account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill('student')
  await dialog.getByLabel('Email').fill('freshman@example.org')
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await dialog.getByText('This username is taken.').waitFor()
  // Escape asks before it drops typed text, and so do the browser's own ways off the page.
  await page.keyboard.press('Escape')
  await answer(page, 'Close this window?', 'Cancel')
  // A second Escape cancels, and closes only the question.
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Close this window?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await page.evaluate('history.back()')
  await answer(page, 'Leave this page?', 'Stay')
  const asked: string[] = []
  page.once('dialog', (browsers) => {
    asked.push(browsers.type())
    void browsers.dismiss()
  })
  await page.evaluate('location.reload()')
  await expect.poll(() => asked).toEqual(['beforeunload'])
  expect(await dialog.getByLabel('Email').inputValue()).toBe('freshman@example.org')
  await dialog.getByLabel('Username').fill('freshman')
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await page
    .getByText('A link to activate the account was mailed to freshman@example.org.')
    .waitFor()

  const guest = await newVisitor(stack.url, { refused: [/^400 \/api\/auth\/activate$/] })
  await guest.goto(await mailedLink(stack.stateDir, 'freshman@example.org'))
  await guest.getByRole('button', { name: 'Activate account' }).click()
  await guest.getByText('Value is required').waitFor()
  await fillNewPassword(guest, NEW_PASSWORD)
  await guest.getByRole('button', { name: 'Activate account' }).click()
  await guest.getByText('Your account is active.').waitFor()
  await signIn(guest, 'freshman', NEW_PASSWORD)

  await page.getByRole('button', { name: 'Edit admin' }).click()
  await dialog.getByLabel('Role').selectOption({ label: 'Teacher' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This is the last active admin.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Search').fill('fresh')
  await page
    .getByRole('cell', { name: 'student2', exact: false })
    .first()
    .waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Erase freshman' }).click()
  await dialog.getByLabel('Type the name to confirm').fill('freshman')
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await page.getByText('freshman has been erased.').waitFor()
  await page.getByText('No accounts match.').waitFor()
  await guest.goto('/profile')
  await guest.getByText('Please sign in to see that page.').waitFor()
})

test('an admin signs a person out everywhere, once the question is answered; who comes back signs in again', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'admin')
  // Its page may make a call just as its session ends.
  const away = await newVisitor(stack.url, { refused: [/^401 /] })
  await enter(away, 'ta')
  // The list is longer than the screen.
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto('/admin/user')
  const button = page.getByRole('button', { name: 'Sign out ta everywhere' })
  await button.click()
  await answer(page, 'Sign out ta everywhere?', 'Cancel')
  await away.goto('/profile')
  await away.getByText('This session').waitFor()
  await button.click()
  await page.getByText('All sessions and API tokens of this account end.').waitFor()
  await answer(page, 'Sign out ta everywhere?', 'Sign out')
  const notice = page.getByText('ta has been signed out everywhere.')
  await notice.waitFor()
  const top = await notice.evaluate((text) => text.getBoundingClientRect().top)
  expect(top).toBeGreaterThan(50)
  expect(top).toBeLessThan(600)
  await away.goto('/profile')
  await away.getByText('Please sign in to see that page.').waitFor()
  await signIn(away, 'ta', DEMO_PASSWORD)
})

test('home says what is next; the settings are kept, the language is said to the browser', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'student')
  await page.getByRole('link', { name: 'First steps' }).waitFor()
  await page.getByText('0 / 300 points').waitFor()
  await page.getByText('You have not handed in anything yet.').waitFor()
  await page.getByRole('link', { name: 'Problems of Demo' }).waitFor()
  await page.goto('/settings')
  await page.getByLabel('Font size').selectOption('18')
  // The app loads the texts of the other language first.
  await page.getByLabel('中文').click()
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('zh-Hant-TW')
  await page.reload()
  await page.getByRole('heading', { name: '設定' }).waitFor()
  expect(await page.getByLabel('字型大小').inputValue()).toBe('18')
})

test('about names the licences of the libraries, which are loaded on demand only', async () => {
  const page = await newVisitor(stack.url)
  await page.goto('/about')
  await page.getByText(/judge host/).waitFor()
  await page.getByRole('heading', { name: 'Maintainers' }).waitFor()
  await page.getByRole('link', { name: 'Licences of the libraries in this app' }).click()
  await page
    .getByText(/react-dom/)
    .first()
    .waitFor()
})
