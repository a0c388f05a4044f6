/** The editor: chosen keys and looks, drafts that nothing destroys, ways out for the keyboard. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { submissionPage } from '#contract/submissions'
import { signIn } from '../../scripts/test/browser.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { enter, newVisitor, type VisitorOptions } from '../support/browser.ts'
import { noteSaid } from '../support/live-regions.ts'
import { PRODUCT_MESSAGES } from '../support/product-messages.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const SUBMIT = '/course/Demo/problem/1/submit'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** Opens the submit page as a person with these editor settings. */
async function openEditor(
  person: string,
  settings: Record<string, unknown> = {},
  options: VisitorOptions = {},
): Promise<Page> {
  const page = await newVisitor(judge.url, options)
  await signIn(page, person)
  await page.evaluate(
    (text) => localStorage.setItem('editor-settings', text),
    JSON.stringify(settings),
  )
  await page.goto(SUBMIT)
  await untilReady(page, settings['plain'] === true)
  return page
}

/** Waits for the plain field, and for the editor that replaces it. */
async function untilReady(page: Page, plain = false): Promise<void> {
  const field = plain ? 'textarea:not(#early-code)' : '.cm-editor'
  // Boxes for own inputs have such fields, too.
  await page.locator(field).first().waitFor()
}

function codeOf(page: Page) {
  return page.getByRole('textbox', { name: 'Source code' })
}

function languageOf(page: Page) {
  return page.getByRole('main').getByLabel('Language')
}

/** Holds back the app's script, like a slow network. @returns a function that lets it arrive */
async function holdApp(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/vendor-[^/]*\.js$/, async (route) => {
    await released
    await route.continue()
  })
  return release
}

test.each([false, true])(
  'plain %s: Ctrl+Enter submits, Esc and Tab lead out, and back in',
  async (plain) => {
    const page = await openEditor('student4', { plain })
    const code = codeOf(page)
    await code.click()
    await page.keyboard.type('hello')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Please select the programming language.').waitFor()
    const text = plain ? await code.inputValue() : await code.textContent()
    expect(text).toBe('hello')
    if (!plain) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.role)).toBe('textbox')
    }
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Run samples')
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Source code',
    )
  },
)

test('a text field is there before the editor, which takes its place with text, cursor and focus', async () => {
  const page = await newVisitor(judge.url)
  await signIn(page, 'student4')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/code-editor-[^/]*\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(SUBMIT)
  await languageOf(page).selectOption({ label: 'C' })
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('int main(){}')
  for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press('ArrowLeft')
  expect(await page.locator('.cm-editor').count()).toBe(0)
  release()
  await page.locator('.cm-editor.cm-focused').waitFor()
  await page.keyboard.type(' ')
  expect(await codeOf(page).textContent()).toBe('int main() {}')
})

test('on a slow network one types before the app is there, and goes on in the editor', async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'student3')
  const release = await holdApp(page)
  await page.goto(SUBMIT, { waitUntil: 'commit' })
  await codeOf(page).click()
  await page.keyboard.type('abd')
  await page.keyboard.press('ArrowLeft')
  release()
  await page.locator('.cm-editor.cm-focused').waitFor()
  await page.keyboard.type('c')
  expect(await codeOf(page).textContent()).toBe('abcd')
  expect(await page.locator('#early-code').count()).toBe(0)
})

test('keys that come while the app takes over the field are kept', async () => {
  const page = await newVisitor(judge.url)
  await page.addInitScript(() => {
    if (location.protocol === 'about:') return
    localStorage.setItem('editor-settings', '{"plain":true}')
    localStorage.setItem('last-used-lang', 'py3')
    // Rendering reads the drafts, and keys may come meanwhile.
    const getItem = Storage.prototype.getItem
    Storage.prototype.getItem = function read(key: string) {
      const field = document.querySelector<HTMLTextAreaElement>('#early-code')
      if (field?.value === 'early' && key.startsWith('draft:')) {
        field.value = 'early and late'
        field.focus()
      }
      return getItem.call(this, key)
    }
  })
  await enter(page, 'student3')
  const release = await holdApp(page)
  await page.goto(SUBMIT, { waitUntil: 'commit' })
  await codeOf(page).fill('early')
  await codeOf(page).blur()
  release()
  await untilReady(page, true)
  expect(await codeOf(page).evaluate((code) => code === document.activeElement)).toBe(true)
  expect(await codeOf(page).inputValue()).toBe('early and late')
  expect(await page.evaluate(() => localStorage.getItem('draft:student3:1:py3'))).toBe(
    'early and late',
  )
  expect(await page.getByText('version of your program').count()).toBe(0)
})

test('one key runs samples and own inputs; what fails samples is submitted with a second press', async () => {
  const page = await openEditor('student4', { plain: true })
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).fill('print(3)')
  await page.keyboard.press("Control+'")
  await page.getByText('1 of 2 samples are not right.').waitFor()
  await page.getByRole('figure', { name: 'Expected output' }).getByText('0').waitFor()
  await codeOf(page).press('Control+Enter')
  await page.getByRole('alert').getByText('This program fails 1 of 2 samples').waitFor()
  await codeOf(page).fill('print(sum(map(int, input().split())))')
  await page.getByRole('button', { name: 'Another input' }).click()
  await page.getByLabel('Own input 2', { exact: true }).fill('40 2')
  await page.keyboard.press("Control+'")
  await page.getByText('All 2 samples are right.').waitFor()
  // The first box is empty, so it did not run; the second one keeps its number.
  await page
    .locator('summary', { hasText: 'Ended without an error' })
    .getByText('Own input 2')
    .waitFor()
  await page.getByRole('figure').getByText('42', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
})

test('font size and tab width are as chosen', async () => {
  const page = await openEditor('student4', { fontSizePx: 20, tabWidth: 8 })
  await languageOf(page).selectOption({ label: 'C' })
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('if (a)')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const content = page.locator('.cm-content')
  expect(await content.evaluate((element) => getComputedStyle(element).fontSize)).toBe('20px')
  expect(await content.evaluate((element) => getComputedStyle(element).tabSize)).toBe('8')
  expect(await page.locator('.cm-line').nth(1).textContent()).toMatch(/^( {8})+$/)
})

test('who reads by ear switches to a plain text field, and keeps it and what was typed', async () => {
  const page = await openEditor('student4')
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('one\ntwo')
  await page.getByRole('button', { name: 'Keys and help' }).click()
  await page.getByRole('switch', { name: /^Plain text field/ }).check({ force: true })
  await expect.poll(() => page.locator('.cm-editor').count()).toBe(0)
  expect(await codeOf(page).inputValue()).toBe('one\ntwo')
  await page.reload()
  await untilReady(page, true)
  expect(await page.locator('.cm-editor').count()).toBe(0)
  expect(await codeOf(page).inputValue()).toBe('one\ntwo')
})

test('a draft belongs to its person, problem and language, and says that it is back [BR3]', async () => {
  const page = await openEditor('student2')
  const restored = page.getByText('Your draft has been restored.')
  await codeOf(page).click()
  await page.keyboard.insertText('before any language')
  await page.reload()
  await restored.waitFor()
  await languageOf(page).selectOption({ label: 'C' })
  await expect.poll(() => codeOf(page).textContent()).toBe('before any language')
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('in Python')
  await page.reload()
  await restored.waitFor()
  await expect.poll(() => codeOf(page).textContent()).toBe('in Python')
  await languageOf(page).selectOption({ label: 'C' })
  await expect.poll(() => codeOf(page).textContent()).toBe('before any language')

  await page.goto('/course/Demo/problem/2/submit')
  await untilReady(page)
  expect(await codeOf(page).textContent()).not.toContain('language')

  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out and delete' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await enter(page, 'student3')
  await page.goto(SUBMIT)
  await untilReady(page)
  await languageOf(page).selectOption({ label: 'Python 3' })
  expect(await codeOf(page).textContent()).not.toContain('Python')
  expect(await restored.count()).toBe(0)
})

test('a session that ended and a network that went away lose no code', async () => {
  const page = await openEditor(
    'student',
    {},
    { refused: [/^401 \/api\//, /^net::ERR_INTERNET_DISCONNECTED/] },
  )
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).click()
  await page.keyboard.insertText('print(1)')
  await page.context().clearCookies()
  await page.keyboard.press('ControlOrMeta+Enter')
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page
    .getByText(
      'Your session has ended. Your code is kept here and sent as soon as you sign in again.',
    )
    .waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  await page.goBack()
  await expect.poll(() => codeOf(page).textContent()).toBe('print(1)')

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page
    .getByText('The judge cannot be reached. Your code is kept here while this page is open.')
    .waitFor()
  await page.getByText('Cannot reach the server.').waitFor()
  expect(await codeOf(page).textContent()).toBe('print(1)')
  await page.context().setOffline(false)
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)

  await page.goBack()
  await expect.poll(() => codeOf(page).textContent()).toBe('print(1)')
})

/** The answer of a judge without room. */
function noRoom(seconds: number) {
  const headers = { 'Retry-After': String(seconds) }
  const json = { status: 'err', code: 'internal', message: 'Busy.', data: null }
  return { status: 503, headers, json }
}

test('a busy judge gets the code by itself, once, across a reload', async () => {
  const api = await clientOf(judge.url, 'student4')
  const listOwn = async () => {
    const { submissions } = await api.call('GET', '/submission?course=Demo', submissionPage)
    return submissions.map(({ submissionId }) => submissionId)
  }
  const before = await listOwn()
  const page = await openEditor('student4', {}, { refused: [/^503 \/api\/submission$/] })
  const said = await noteSaid(page)
  await page.reload()
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).click()
  await page.keyboard.insertText('print(503)')
  const keys: (string | undefined)[] = []
  let spoken: string[] = []
  await page.route('**/api/submission', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 3) return route.continue()
    // The judge stores the submission, but its answer is lost.
    if (keys.length === 1) await route.fetch()
    if (keys.length === 3) spoken = await said()
    return route.fulfill(noRoom(keys.length < 3 ? 1 : 60))
  })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect.poll(() => keys.length).toBe(3)
  await page.getByText(/Sending again in \d\d s\./).waitFor()
  expect(spoken.filter((text) => text.startsWith('The judge is busy.'))).toEqual([
    'The judge is busy. Your code is kept here while this page is open.',
  ])
  await page.reload()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  expect(new Set(keys).size).toBe(1)
  const fresh = (await listOwn()).filter((id) => !before.includes(id))
  expect(fresh).toEqual([page.url().split('/').at(-1)])
})

/** Submits `print(n)` to a judge that answers the first try with 503 and `Retry-After`. @returns how many tries there were */
async function submitToBusy(page: Page, n: number, retryAfterSeconds: number) {
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(`print(${n})`)
  let sent = 0
  await page.route('**/api/submission', (route) => {
    sent += 1
    return sent === 1 ? route.fulfill(noRoom(retryAfterSeconds)) : route.continue()
  })
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Do not send' }).waitFor()
  return () => sent
}

test('whoever leaves the page of a busy judge and comes back submits once', async () => {
  const page = await openEditor('student3', {}, { refused: [/^503 \/api\/submission$/] })
  const sent = await submitToBusy(page, 1503, 60)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.getByText('Welcome, ').waitFor()
  expect(sent()).toBe(1)
  await page.goBack()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  expect(sent()).toBe(2)
})

test('code that waits for a busy judge is not sent in the name of somebody else', async () => {
  const page = await openEditor('student3', {}, { refused: [/^503 \/api\/submission$/] })
  const sent = await submitToBusy(page, 2503, 4)
  await page.evaluate(async (password) => {
    const body = JSON.stringify({ username: 'student2', password })
    const headers = { 'Content-Type': 'application/json' }
    await fetch('/api/auth/session', { method: 'POST', headers, body })
  }, DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Do not send' }).waitFor({ state: 'detached' })
  await page.getByText('Student 2').first().waitFor()
  expect(sent()).toBe(1)
})

test('code that a busy judge has not got is not sent when one does not want it any more', async () => {
  const page = await openEditor('student2', {}, { refused: [/^(503|404) \/api\/submission$/] })
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).click()
  await page.keyboard.insertText('print(1)')
  let sent = 0
  await page.route('**/api/submission', async (route) => {
    sent += 1
    return route.fulfill(sent === 1 ? noRoom(60) : { status: 404, body: 'nothing of ours' })
  })
  const submit = page.getByRole('button', { name: 'Submit' })
  await submit.click()
  await page.getByRole('button', { name: 'Do not send' }).click()
  await page
    .getByText(
      'Your code will not be sent again, but an earlier attempt may have arrived. The code is kept here.',
    )
    .waitFor()
  await page.reload()
  await expect.poll(() => codeOf(page).textContent()).toBe('print(1)')
  expect(sent).toBe(1)
  await submit.click()
  await page.getByText(PRODUCT_MESSAGES['submit.failed']).waitFor()
  expect(sent).toBe(2)
})

test('a submission is edited and submitted again with its code and language, and no other draft is lost', async () => {
  const page = await openEditor('student')
  await languageOf(page).selectOption({ label: 'Python 3' })
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('print(2)')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  const submission = page.url()
  await page.getByRole('link', { name: 'Edit and submit again' }).click()
  await expect.poll(() => codeOf(page).textContent()).toBe('print(2)')
  expect(await page.getByText(/version of your program/).count()).toBe(0)

  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('print(3)')
  await languageOf(page).selectOption({ label: 'C' })
  await page.goto(submission)
  await page.getByRole('link', { name: 'Edit and submit again' }).click()
  await expect.poll(() => codeOf(page).textContent()).toBe('print(2)')
  expect(await languageOf(page).locator('option:checked').textContent()).toBe('Python 3')
  await page.getByText('Another version of your program is kept here.').waitFor()
  await page.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => codeOf(page).textContent()).toBe('print(3)')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByText(/version of your program/).count()).toBe(0)
})

test('programs are coloured, in statements too, and stay as they were sent', async () => {
  const page = await openEditor('student')
  await languageOf(page).selectOption({ label: 'C' })
  await codeOf(page).click()
  const source = 'int main(void) {\n\treturn 0; // done\n}\n'
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(source)
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
  const program = page.locator('pre', { has: page.locator('.code-comment') })
  await program.locator('.code-comment', { hasText: '// done' }).waitFor()
  expect(await program.textContent()).toContain('\treturn 0; // done')
})

test('a file in Big5 is opened as text and named so, a compiled program is refused', async () => {
  const page = await openEditor('student4')
  const pick = (name: string, hex: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(hex, 'hex') })
  const text = 'puts("輸入")'
  await pick('main.cpp', '7075747328 22bfe9a44a 2229'.replaceAll(' ', ''))
  await page.getByText('main.cpp was read as Big5.').waitFor()
  expect(await codeOf(page).textContent()).toBe(text)
  await pick('main.exe', '4d5a900003000000')
  await page.getByText('main.exe is a compiled program (Windows).').waitFor()
  expect(await codeOf(page).textContent()).toBe(text)
})

test('signs that look like those of code are marked outside of strings and comments, and named when they do not compile', async () => {
  const page = await openEditor('student4')
  await languageOf(page).selectOption({ label: 'C++' })
  await codeOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('int\u00a0a；  // 好；\nauto s = "，\u200b"\u200b;')
  const marks = page.locator('.cm-misplaced')
  await expect
    .poll(() => marks.evaluateAll((all) => all.map((each) => (each as HTMLElement).title)))
    .toEqual(['U+00A0', 'U+FF1B → ;', 'U+200B'])
  await page.getByRole('button', { name: 'Run samples' }).click()
  await page.getByText('Line 1 has a full-width `；` (U+FF1B). Write `;`.').waitFor()
})
