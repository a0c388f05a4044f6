/** A class whose members are named like properties of `Object.prototype`, as the teacher sees it. */
import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import { beforeAll, expect, test } from 'vitest'
import { batchSignupResult } from '#contract/people/auth'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { OBJECT_USERNAMES } from '../support/object-names.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const SUM = 'print(sum(map(int, input().split())))\n'
/** Members who hand in; the scoreboard has no results of the rest. */
const BUSY = ['__proto__', 'constructor', 'toString']

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  const teacher = await clientOf(stack.url, 'teacher')
  const rows = OBJECT_USERNAMES.map(
    (name, index) => `${name},${DEMO_PASSWORD},o${index}@example.test`,
  )
  const newUsers = ['username,password,email', ...rows].join('\n')
  await teacher.call('POST', '/auth/batch-signup', batchSignupResult, {
    json: { newUsers, course: 'Demo' },
  })
  for (const name of BUSY) {
    const api = await clientOf(stack.url, name)
    const json = { problemId: 1, languageType: 2, code: SUM }
    const { submissionId } = await api.call('POST', '/submission', submissionCreated, { json })
    await eventually(async () => {
      const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
      expect(status).toBe(0)
    })
  }
})

test('the members page has each with the own address', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/members`)
  for (const [index, name] of OBJECT_USERNAMES.entries()) {
    await page.getByLabel('Filter by name').fill(`o${index}@example.test`)
    await page.getByText(/^1 of \d+ members$/).waitFor()
    await page.getByRole('row', { name }).waitFor()
  }
})

test('the scoreboard and its CSV have what each has reached', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`${COURSE}/homeworks`)
  await page.getByRole('link', { name: 'Scoreboard' }).click()
  const board = page.getByRole('table', { name: 'Scoreboard of First steps' })
  for (const name of BUSY)
    await board.getByRole('row', { name }).getByRole('link', { name: '100' }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  const rows = Papa.parse<string[]>(text.slice(1).trimEnd()).data
  const scores = new Map(rows.map(([name = '', , score]) => [name, score]))
  expect(OBJECT_USERNAMES.map((name) => [name, scores.get(name)])).toEqual(
    OBJECT_USERNAMES.map((name) => [name, BUSY.includes(name) ? '100' : '']),
  )
})

test('a student with such a name sees what is theirs', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, '__proto__')
  await page.goto('/')
  await page.getByText('Welcome, __proto__').waitFor()
  await page
    .getByText(/^1 of \d+ solved/)
    .first()
    .waitFor()
})
