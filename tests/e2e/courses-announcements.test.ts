/** A teacher's first evening: courses, members, announcements, and long lists. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { problem } from '#contract/problems'
import { signIn } from '../../scripts/test/browser.ts'
import { axeFaults } from '../support/axe.ts'
import { answer, chooseFor, enter, newVisitor, tooManyRequests } from '../support/browser.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { visitorBy, waysOf } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

let stack: TestStack
let folder: string

beforeAll(async () => {
  stack = await startTestStack({ demo: true, runners: 0 })
  folder = await temporaryFolder()
})

test('a teacher creates a course, and finds people in it by name', async () => {
  const page = await newVisitor(stack.url, {
    refused: [/^409 \/api\/course$/, /^404 .*\/members$/],
  })
  await enter(page, 'teacher')
  await page.goto('/courses')
  await page.getByRole('link', { name: 'New course' }).click()
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText('Value is required').waitFor()
  await page.getByLabel('Course name').fill('Demo')
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText('A course with this name already exists.').waitFor()
  // Phones add a space at the end.
  await page.getByLabel('Course name').fill('資料結構 2026 ')
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByText('No announcements yet.').waitFor()
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByLabel('Add people').fill('student, nobody-here')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/^No account found for nobody-here\./).waitFor()
  await page.getByLabel('Add people').fill('student student2@example.org')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('3 members').waitFor()
  await chooseFor(page, 'student2', 'Make TA')
  await page.getByRole('row', { name: /student2.*Teaching assistant/ }).waitFor()
  await chooseFor(page, 'student', 'Remove')
  await answer(page, 'Remove student from this course?', 'Remove')
  await page.getByText('2 members').waitFor()
})

test('a CSV file is mended, picked again and imported', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/members`)
  await page.getByText('Import members from a CSV file').click()
  const file = join(folder, 'members.csv')
  const input = page.locator('details input[type=file]')
  await writeFile(file, 'username,password,email\n4.11E+10,long-password,x\n')
  await input.setInputFiles(file)
  await page.getByText('4.11E+10 in row 2 looks like a number shortened by a spreadsheet').waitFor()
  await page.getByText('Some rows are invalid; nothing was stored.').waitFor()
  await writeFile(file, 'username,password,email\nnewcomer,long-password,newcomer@example.org\n')
  await input.setInputFiles(file)
  await page.getByText('This would happen: 1 new').waitFor()
  await page.getByRole('button', { name: 'Import members.csv' }).click()
  await page.getByText('Imported: 1 new').waitFor()
  await page.getByRole('cell', { name: 'newcomer' }).first().waitFor()
})

test('a large file is imported in parts: it goes on after a break, and a name that was taken stops one part', async () => {
  const page = await newVisitor(stack.url, {
    refused: [/^net::ERR_FAILED .*batch-signup/, /^400 .*batch-signup/],
  })
  const admin = await clientOf(stack.url, 'admin')
  await admin.call('POST', '/course', anything, { json: { course: 'Parts', teacher: 'teacher' } })
  await enter(page, 'teacher')
  await page.goto('/course/Parts/members')
  await page.getByText('Import members from a CSV file').click()
  const file = join(folder, 'parts.csv')
  const names = Array.from({ length: 60 }, (_, index) => `part${index}`)
  const write = () =>
    writeFile(file, ['username,email', ...names.map((name) => `${name},${name}@x.test`)].join('\n'))
  const input = page.locator('details input[type=file]')
  const sent: { rows: number; dryRun: boolean }[] = []
  let isLost = true
  await page.route('**/auth/batch-signup', (route) => {
    const { newUsers, dryRun } = route.request().postDataJSON()
    sent.push({ rows: newUsers.split('\n').length - 1, dryRun })
    return isLost && sent.length === 3 ? route.abort() : route.fallback()
  })
  await write()
  await input.setInputFiles(file)
  await page.getByText('This would happen: 60 new').waitFor()
  await page.getByRole('button', { name: 'Import parts.csv' }).click()
  const stopped = page.getByText(
    'The import of parts.csv stopped. The rows up to row 51 are stored.',
  )
  await stopped.waitFor()
  await page.getByRole('button', { name: 'Continue with parts.csv' }).waitFor()
  isLost = false
  await page.reload()
  await stopped.waitFor()
  await page.getByText('To continue, choose the same file.').waitFor()
  await input.setInputFiles(file)
  await page.getByText('This would happen: 10 new, 0 updated, 0 enrolled, 50 unchanged.').waitFor()
  const taken = { username: 'part54', email: 'another@x.test', password: 'some long words' }
  await admin.call('POST', '/user', anything, { json: taken })
  await page.getByRole('button', { name: 'Continue with parts.csv' }).click()
  await page.getByText('The part of the file with these rows was not stored.').waitFor()
  await page.getByRole('row', { name: /^56 part54/ }).waitFor()
  await stopped.waitFor()
  names[54] = 'other54'
  await write()
  await input.setInputFiles(file)
  await page.getByText('This would happen: 10 new, 0 updated, 0 enrolled, 50 unchanged.').waitFor()
  await page.getByRole('button', { name: 'Import parts.csv' }).click()
  await page.getByText('Imported: 10 new, 0 updated, 0 enrolled, 50 unchanged.').waitFor()
  await page.getByText('61 members').waitFor()
  expect(await stopped.count()).toBe(0)
  expect(sent.map(({ rows, dryRun }) => `${dryRun ? 'checks' : 'stores'} ${rows}`)).toEqual([
    'checks 60',
    'stores 50',
    'stores 10',
    'checks 10',
    'stores 10',
    'checks 60',
    'stores 10',
  ])
})

/** Files as Excel writes them in Germany, in Taiwan (Big5) and in English; people without a password get a link. The test fills in `%`. */
const EXCEL_FILES = [
  {
    name: 'mitglieder.csv',
    bytes: Buffer.from(
      'Benutzername;Nachname;Vorname;E-Mail\r\nweiss%;Weiß;Jürgen;weiss%@uni.test\r\n',
      'latin1',
    ),
    person: 'Jürgen Weiß',
  },
  {
    name: 'members-big5.csv',
    bytes: Buffer.concat([
      Buffer.from('bec7b8b92ca96da6572cb971a46cb66ca5f30d0a', 'hex'),
      Buffer.from('b01%,'),
      Buffer.from('a4fda470a9fa', 'hex'),
      Buffer.from(',b01%@ntnu.test\r\n'),
    ]),
    person: '王小明',
  },
  {
    name: 'roster.csv',
    bytes: Buffer.from(
      '\u{feff}Student ID,Name,Email\r\ns901%,"Lovelace, Ada",s901%@school.test\r\n',
    ),
    person: 'Lovelace, Ada',
  },
]

test.each(waysOf(EXCEL_FILES))(
  'a CSV file as Excel writes it becomes members: $file.name, by $by, $on',
  async ({ file: { name, bytes, person }, ...way }) => {
    const teacher = await clientOf(stack.url, 'teacher')
    const course = `${name} ${way.by} ${way.on}`
    await teacher.call('POST', '/course', anything, { json: { course, teacher: 'teacher' } })
    const file = join(folder, name)
    // One byte is one character here, so the replacement keeps the encoding.
    const text = bytes.toString('latin1').replaceAll('%', way.by.slice(0, 1) + way.on)
    await writeFile(file, text, 'latin1')
    const hands = await visitorBy(stack.url, way, 'teacher')
    const { page } = hands
    await page.goto(`/course/${encodeURIComponent(course)}/members`)
    await hands.use(page.getByText('Import members from a CSV file'))
    await hands.pick(page.getByRole('button', { name: 'Choose a CSV file' }), file)
    await page.getByText('This would happen: 1 new').waitFor()
    await page.getByRole('cell', { name: person }).waitFor()
    expect(await page.getByLabel('Mail a link').isChecked()).toBe(true)
    if (name === 'roster.csv') expect(await axeFaults(page)).toEqual([])
    await hands.press(`Import ${name}`)
    await page.getByText('Imported: 1 new').waitFor()
    await hands.write(page.getByLabel('Filter by name'), person)
    await page.getByText(/^1 of 2 members$/).waitFor()
    expect(hands.actions).toBeLessThanOrEqual(5)
  },
)

test('a file with heads nobody knows is matched by hand', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/members`)
  await page.getByText('Import members from a CSV file').click()
  const file = join(folder, 'odd.csv')
  await writeFile(file, 'wer\twohin\nhand1\thand1@school.test\nhand1\thand2@school.test\n')
  await page.locator('details input[type=file]').setInputFiles(file)
  await page.getByText('Choose the columns for: Username, Email.').waitFor()
  await page.getByLabel('Meaning of wer').selectOption('Username')
  await page.getByLabel('Meaning of wohin').selectOption('Email')
  await page.getByRole('button', { name: 'Check odd.csv' }).click()
  await page.getByText('Username: occurs twice in this file').waitFor()
  await page.getByRole('cell', { name: 'hand2@school.test' }).waitFor()
})

test('a stale edit is told, and both ways out are open; consent holds until something changes', async () => {
  const teacher = await clientOf(stack.url, 'teacher')
  const page = await newVisitor(stack.url, { refused: [/^409 \/api\/problem\/manage\/2$/] })
  await enter(page, 'ta')
  await page.goto(`${COURSE}/problem/2/edit`)
  await page.getByLabel('Problem name').fill('Named by the assistent')
  const samples = page.getByLabel('Samples: students see input and output')
  for (const position of [1, 2]) await samples.nth(position).check()
  const form = await teacher.call('GET', '/problem/manage/2', problem)
  await teacher.call('PUT', '/problem/manage/2', anything, {
    json: { ...form, problemName: 'Named by the teacher' },
  })
  const stale = page.getByText('Someone else has changed this since you opened it.')
  const question = page.getByText(
    'Students would see input and output of the cases of these subtasks: 1, 2.',
  )
  const reveal = page.getByRole('button', { name: 'Save and show these tests to students' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await question.waitFor()
  await reveal.click()
  await stale.waitFor()
  const [stored] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Show the stored version' }).click(),
  ])
  await stored.getByRole('heading', { name: 'Named by the teacher' }).waitFor()
  expect(await page.getByLabel('Problem name').inputValue()).toBe('Named by the assistent')
  const overwrite = page.getByRole('button', { name: 'Save my version anyway' })
  // Another form than the one that students may see: it is asked again, and not for the same form.
  await page.getByLabel('Problem name').fill('Named by the assistant')
  await overwrite.click()
  await question.waitFor()
  await reveal.click()
  await stale.waitFor()
  await overwrite.click()
  await page.getByRole('heading', { name: 'Named by the assistant' }).waitFor()
})

test('a zip that is none is refused at once; the empty form says what it needs', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/problem/new`)
  const file = join(folder, 'photo.zip')
  await writeFile(file, 'no zip at all')
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(file)
  await page.getByText('This is not a zip, or it is damaged.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Some fields are invalid.').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('maxlength')))
    .toBe('64')
})

test('long lists go on page by page, and the drawer leads around on a phone', async () => {
  const teacher = await clientOf(stack.url, 'teacher')
  const form = {
    course: 'Demo',
    description: { description: 'x' },
    status: 0,
    testCase: [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 }],
  }
  for (let number = 1; number <= 50; number += 1)
    await teacher.call('POST', '/problem/manage', anything, {
      json: { ...form, problemName: `Exercise ${number}` },
    })
  const page = await newVisitor(stack.url, { refused: [/^429 \/api\/problem\?/] })
  await page.setViewportSize({ width: 375, height: 700 })
  await enter(page, 'student')
  await page.goto(`${COURSE}/announcements`)
  const menu = page.getByRole('button', { name: 'Open the menu' })
  await menu.click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.getByRole('link', { name: 'Problems' }).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await drawer.getByRole('link', { name: 'Problems' }).click()
  await drawer.waitFor({ state: 'detached' })
  const rows = page.getByRole('main').locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(50)
  await page.route(/\/api\/problem\?/, (route) => route.fulfill(tooManyRequests(5)))
  await page.getByRole('button', { name: 'Load more' }).click()
  // The failure is told once, beside the button that was pressed.
  const failure = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
  await failure
    .getByText('Too many requests in a short time. Try again in 5 seconds.', { exact: true })
    .waitFor()
  expect(await failure.count()).toBe(1)
  expect(
    await failure.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return bottom > 0 && top < window.innerHeight
    }),
  ).toBe(true)
  await page.unrouteAll()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.poll(() => again.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBeGreaterThan(50)
  await failure.waitFor({ state: 'detached' })
  await again.waitFor({ state: 'detached' })
  const total = await rows.count()
  await page.getByText(`${total - 50} more rows loaded. All ${total} are shown.`).waitFor()
  const firstNew = rows.nth(50).getByRole('link').first()
  await expect.poll(() => firstNew.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('an admin edits a system announcement from the home page', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'admin')
  // By key: loading above the list may move the link between the two halves of a click.
  await page.getByRole('link', { name: 'Edit “Welcome”' }).press('Enter')
  await page.getByLabel('Description').fill('## Changed by the admin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Changed by the admin', level: 3 }).waitFor()
  const guest = await newVisitor(stack.url)
  await guest.goto('/')
  await guest.getByRole('link', { name: 'Welcome' }).click()
  await guest.getByRole('heading', { name: 'Changed by the admin' }).waitFor()
})
