/** The main job in a real browser: a teacher makes a problem; a student hands in code and sees its verdict. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { problemPage } from '#contract/problems'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS_NAMES } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'
import { VERDICT_PROGRAMS } from './verdict-programs.ts'

const COURSE = 'Demo'
const PROBLEM = 'Double it'
/** Large enough for several parts of 8 MiB. */
const PADDING_BYTES = 9_000_000

let stack: TestStack
let folder: string
let problemId: number

beforeAll(async () => {
  // One slot, so that a second submission has to wait; no rate limit, so that nine verdicts fit.
  stack = await startTestStack({
    demo: true,
    runnerEnvironment: { RUNNER_SLOTS: '1' },
    variables: { SUBMIT_LIMIT_PER_MINUTE: '0' },
  })
  folder = await temporaryFolder()
})

/** A zip with a sample subtask of one case and a subtask of three, one of them with a long input. */
async function writeZip(): Promise<string> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, number] of Object.entries({ '0000': 1, '0100': 2, '0101': 21, '0102': 1000 })) {
    await writer.add(`${name}.out`, new TextReader(`${number * 2}\n`))
    if (name !== '0102') await writer.add(`${name}.in`, new TextReader(`${number}\n`))
  }
  const padded = Buffer.concat([Buffer.from('1000\n'), randomBytes(PADDING_BYTES)])
  await writer.add('0102.in', new Uint8ArrayReader(new Uint8Array(padded)))
  const file = join(folder, 'test-data.zip')
  await writeFile(file, await writer.close())
  return file
}

/** Records every text of the live status, even those that show for a moment only. */
async function watchStatus(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seenTexts: seen })
    new MutationObserver(() => {
      const text = document.querySelector('main')?.textContent ?? ''
      const match = /In the queue at place \d+|Compiling …|Running case \d+ of \d+/.exec(text)
      if (match && seen.at(-1) !== match[0]) seen.push(match[0])
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** Hands in code through the submit page and waits on the submission's own page. */
async function submitThroughPage(page: Page, language: string, code: string): Promise<void> {
  await page.goto(`/course/${COURSE}/problem/${problemId}`)
  await page.getByRole('link', { name: 'Submit' }).click()
  await page.getByRole('main').getByLabel('Language').selectOption({ label: language })
  const editor = page.getByRole('textbox', { name: 'Source code' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(code)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(/\/submission\/[0-9a-f]{24}$/)
}

/** Hands in code over the API and waits for its verdict. */
async function judge(api: ApiClient, languageType: number, code: string): Promise<number> {
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType, code },
  })
  await expect
    .poll(
      async () => (await api.call('GET', `/submission/${submissionId}`, submissionDetail)).status,
      { interval: 200 },
    )
    .not.toBe(-1)
  return (await api.call('GET', `/submission/${submissionId}`, submissionDetail)).status
}

test('a teacher creates a problem and uploads its test data in several parts', async () => {
  const page = await newVisitor(stack.url)
  const parts = new Set<string>()
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('test-case-upload'))
      parts.add(request.url())
  })
  await enter(page, 'teacher')
  await page.goto(`/course/${COURSE}/problems`)
  await page.getByRole('link', { name: 'New problem' }).click()
  await page.getByLabel('Problem name').fill(PROBLEM)
  await page.getByRole('switch', { name: 'Hidden' }).uncheck({ force: true })
  await page.getByRole('textbox', { name: 'Description' }).fill('Read $n$, print $2n$.')
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(await writeZip())
  await page.getByText('will be uploaded on saving').waitFor()
  await page.getByLabel('Samples: students see input and output').first().check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: new RegExp(PROBLEM) }).waitFor()
  expect(parts.size).toBeGreaterThan(1)

  const api = await clientOf(stack.url, 'student')
  const { items } = await api.call('GET', `/problem?course=${COURSE}`, problemPage)
  problemId = items.find((item) => item.problemName === PROBLEM)?.problemId ?? 0
  expect(problemId).toBeGreaterThan(0)
})

test('a bad zip is refused before it is sent, with every file of it', async () => {
  const page = await newVisitor(stack.url)
  await enter(page, 'teacher')
  await page.goto(`/course/${COURSE}/problem/${problemId}/edit`)
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const name of ['0000.in', 'readme.txt', '1.in']) await writer.add(name, new TextReader('x'))
  const file = join(folder, 'bad.zip')
  await writeFile(file, await writer.close())
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(file)
  const alert = page.getByRole('alert', { name: 'This zip cannot be used' })
  await alert.waitFor()
  await page.getByText('2 files have no partner').waitFor()
  for (const name of ['0000.in', 'readme.txt', '1.in'])
    await page.getByText(name, { exact: true }).first().waitFor()
})

test('a student sees queue, compiling, cases and verdict without reloading', async () => {
  const page = await newVisitor(stack.url)
  await watchStatus(page)
  await signIn(page, 'student')
  // The only judge host is stopped until the page has shown that this submission waits.
  const hostPid = stack.runners[0]?.pid() ?? 0
  process.kill(hostPid, 'SIGSTOP')
  const code = `#include <bits/stdc++.h>
int main() {
  long long n;
  std::cin >> n;
  while (clock() < CLOCKS_PER_SEC / 2) {}
  std::cout << 2 * n << std::endl;
}`
  await submitThroughPage(page, 'C++', code)
  const url = page.url()
  await page.getByText(/In the queue at place \d+/).waitFor()
  process.kill(hostPid, 'SIGCONT')
  await page.getByText(STATUS_NAMES['0']).first().waitFor()
  const seen: string[] = await page.evaluate(() => Reflect.get(globalThis, 'seenTexts'))
  expect(seen[0]).toMatch(/^In the queue at place \d+$/)
  expect(seen).toContain('Compiling …')
  expect(seen.filter((text) => /^Running case \d of 4$/.test(text)).length).toBeGreaterThan(1)
  expect(page.url()).toBe(url)
})

test('a student submits C and is accepted', async () => {
  const page = await newVisitor(stack.url)
  await signIn(page, 'student')
  const code = '#include <stdio.h>\nint main(void){long n;scanf("%ld",&n);printf("%ld\\n",2*n);}'
  await submitThroughPage(page, 'C', code)
  await page.getByText(STATUS_NAMES['0']).first().waitFor()
})

test('every verdict occurs, under its name and in a colour of its own', async () => {
  const api = await clientOf(stack.url, 'student')
  for (const { status, languageType, code } of VERDICT_PROGRAMS)
    expect(await judge(api, languageType, code), code).toBe(status)
  const page = await newVisitor(stack.url)
  await enter(page, 'student')
  await page.goto(`/course/${COURSE}/submissions`)
  const colours = new Map<string, string>()
  for (const { status } of VERDICT_PROGRAMS) {
    const badge = page.locator(`main [data-status="${status}"]`).first()
    await badge.waitFor()
    expect(await badge.textContent()).toBe(STATUS_NAMES[`${status}`])
    colours.set(await badge.evaluate((element) => getComputedStyle(element).color), String(status))
  }
  expect(colours.size).toBe(new Set(VERDICT_PROGRAMS.map(({ status }) => status)).size)
})
