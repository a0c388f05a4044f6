/** Test data as teachers have them: everyday zips, made on a Mac. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BlobReader,
  TextReader,
  TextWriter,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { problemCreated, type NewProblem } from '#contract/problems'
import { sampleRunStarted } from '#contract/judging/sample-runs'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { textCase } from '../../scripts/demo/problem.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'
import { axeFaults } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { visitorBy, WAYS, waysOf } from '../support/hands.ts'
import { focus } from '../support/keys.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'
import { failAt } from './states/state.ts'

/** The files of each layout: inputs, their outputs, and the form's message about them. */
const LAYOUTS: [string, [string, string][], string][] = [
  ['1.in 1.out', pairs('1.in 1.out 2.in 2.out 10.in 10.out'), 'Subtasks: 1 · cases: 3'],
  ['1.in 1.ans', pairs('1.in 1.ans 2.in 2.ans'), 'Subtasks: 1 · cases: 2'],
  ['input1.txt', pairs('input1.txt output1.txt input2.txt output2.txt'), 'Subtasks: 1 · cases: 2'],
  [
    'input folder',
    pairs('input/1.txt output/1.txt input/2.txt output/2.txt'),
    'Subtasks: 1 · cases: 2',
  ],
  ['test1.in', pairs('test1.in test1.out test2.in test2.out'), 'Subtasks: 1 · cases: 2'],
  ['Kattis', pairs('sample/1.in sample/1.ans secret/1.in secret/1.ans'), 'Subtasks: 2 · cases: 2'],
  [
    'subtask folders',
    pairs(
      'subtask1/01.in subtask1/01.out subtask2/01.in subtask2/01.out subtask2/02.in subtask2/02.out',
    ),
    'Subtasks: 2 · cases: 3',
  ],
  [
    'groups in names',
    pairs('1-01.in 1-01.out 1-02.in 1-02.out 2-01.in 2-01.out'),
    'Subtasks: 2 · cases: 3',
  ],
]

function pairs(names: string): [string, string][] {
  const list = names.split(' ')
  return list.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [],
  )
}

let judge: SharedJudge
let folder: string

beforeAll(async () => {
  judge = await sharedJudge()
  folder = await temporaryFolder()
})

/** A zip of numbers and their doubles, as the Finder makes it; answers its path. */
async function macZip(layout: string, cases: [string, string][]): Promise<string> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    dataDescriptor: true,
  })
  await writer.add('Double/', undefined, { directory: true })
  await writer.add('Double/.DS_Store', new TextReader('Bud1'))
  for (const [index, [input, output]] of cases.entries())
    for (const [name, number] of [
      [input, index],
      [output, 2 * index],
    ] as const) {
      await writer.add(`Double/${name}`, new TextReader(`${number}\n`))
      await writer.add(`__MACOSX/Double/${name.replace(/[^/]+$/, '._$&')}`, new TextReader('Mac'))
    }
  const file = join(folder, `${layout}.zip`)
  await writeFile(file, await writer.close())
  return file
}

/** The field for a zip: by drop, key or press. */
function zipField(page: Page) {
  return page.getByLabel(/^Drop the test data zip here/)
}

/** The id of the problem whose page is open. */
function problemOf(page: Page): number {
  return Number(/problem\/(\d+)/.exec(page.url())?.[1])
}

/** Hands in a program and waits for its verdict; answers the submission's id. */
async function judged(api: ApiClient, problemId: number, code: string): Promise<string> {
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType: 2, code },
  })
  const isOver = () => statusOf(api, submissionId)
  await expect.poll(isOver, { interval: 200 }).toBeGreaterThanOrEqual(0)
  return submissionId
}

async function statusOf(api: ApiClient, submissionId: string): Promise<number> {
  return (await api.call('GET', `/submission/${submissionId}`, submissionDetail)).status
}

async function verdictOf(api: ApiClient, problemId: number, code: string): Promise<number> {
  return statusOf(api, await judged(api, problemId, code))
}

test.each(waysOf(LAYOUTS))(
  'a zip from a Mac becomes a problem that judges: $file.0, by $by, $on',
  async ({ file: [layout, cases, found], ...way }) => {
    const hands = await visitorBy(judge.url, way, 'teacher')
    const { page } = hands
    const name = `Double from ${layout}, ${way.by} ${way.on}`
    await page.goto('/course/Demo/problem/new')
    await hands.write(page.getByLabel('Problem name'), name)
    await hands.pick(zipField(page), await macZip(layout, cases))
    await page.getByText(found).waitFor()
    await page.getByText('will be uploaded on saving').waitFor()
    await hands.press('Save')
    await page.getByRole('heading', { name }).waitFor()
    expect(hands.actions).toBe(3)
    const problemId = problemOf(page)
    const api = await clientOf(judge.url, 'teacher')
    expect(await verdictOf(api, problemId, 'print(2 * int(input()))')).toBe(STATUS.AC)
    expect(await verdictOf(api, problemId, 'print(0)')).toBe(STATUS.WA)
  },
)

test('what is recognised wrongly is corrected by hand, and by patterns', async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'teacher')
  await page.goto('/course/Demo/problem/new')
  const cases = pairs('small-1.in small-1.out large-1.in large-1.out large-2.in large-2.out')
  const zip = await macZip('by hand', [...cases, ['what.txt', 'answer-of-what.txt']])
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(zip)
  await page.getByText('Subtasks: 1 · cases: 3').waitFor()
  await page.getByText('Subtask 0 · 3 cases').click()
  await page.getByLabel('Subtask of Double/small-1.in').selectOption('New subtask')
  await page.getByText('Subtask 1 · 1 case').click()
  await page.getByRole('button', { name: 'Move subtask 1 up' }).click()
  await page.getByText('Subtask 0 · 1 case').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Input', { exact: true }).last().selectOption('Double/what.txt')
  await page.getByLabel('Output', { exact: true }).last().selectOption('Double/answer-of-what.txt')
  await page.getByRole('button', { name: 'Make the pair a case' }).click()
  await page.getByText('Subtask 0 · 2 cases').waitFor()
  await page.getByLabel('Names of inputs').fill('{subtask}-{case}.in')
  await page.getByLabel('Names of outputs').fill('{subtask}-{case}.out')
  await page.keyboard.press('Enter')
  await page.getByText('Subtasks: 2 · cases: 3').waitFor()
  expect(await page.getByLabel('Test cases').first().inputValue()).toBe('2')
})

test('files with Windows line ends, a mark or in UTF-16 are named, and plain at a press', async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'teacher')
  const numbers = Array.from({ length: 50_000 }, (_, index) => (index * 7_919) % 100_003)
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  await writer.add('1.in', new TextReader(numbers.join('\r\n')))
  await writer.add('1.out', new TextReader('\u{feff}2\n'))
  await writer.add('2.in', new Uint8ArrayReader(Buffer.from('\u{feff}3\r\n', 'utf16le')))
  await writer.add('2.out', new TextReader('4\n'))
  const zip = join(folder, 'odd.zip')
  await writeFile(zip, await writer.close())
  await page.goto('/course/Demo/problem/new')
  await page.getByLabel('Problem name').fill('Odd files')
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(zip)
  const ends = page.getByText('2 files have Windows line ends (CR LF): 1.in2.in')
  await ends.waitFor()
  await page.getByText('1 file begins with a byte order mark: 1.out').waitFor()
  await page.getByText('1 file is in UTF-16: 2.in').waitFor()
  await page.getByRole('button', { name: 'Convert to plain UTF-8' }).click()
  await ends.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Odd files' }).waitFor()
  const api = await clientOf(judge.url, 'teacher')
  const stored = await api.send('GET', `/problem/${problemOf(page)}/testcase`)
  const texts: string[] = []
  const files = new ZipReader(new BlobReader(await stored.blob()), { useWebWorkers: false })
  for (const entry of await files.getEntries())
    if (!entry.directory) texts.push(await entry.getData(new TextWriter()))
  expect(texts).toEqual([numbers.join('\n'), '2\n', '3\n', '4\n'])
})

test('a problem is made without a zip: its cases are typed, changed, and judge', async () => {
  const page = await newVisitor(judge.url)
  await enter(page, 'teacher')
  const api = await clientOf(judge.url, 'teacher')
  await page.goto('/course/Demo/problem/new')
  await page.getByLabel('Problem name').fill('Double by hand')
  await page.getByLabel('Sample input 1').fill('3')
  await page.getByLabel('Sample output 1').fill('6')
  await page.getByText('Type or paste', { exact: true }).click()
  await page.getByRole('button', { name: "Copy the statement's samples" }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Fill in this case, or remove it.').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Input of subtask 1, case 0').fill('21')
  await page.getByLabel('Output of subtask 1, case 0').fill('43')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Double by hand' }).waitFor()
  const problemId = problemOf(page)
  const double = 'print(2 * int(input()))'
  expect(await verdictOf(api, problemId, double)).toBe(STATUS.WA)
  await page.goto(`/course/Demo/problem/${problemId}/edit`)
  await page.getByText('Type or paste', { exact: true }).click()
  await page.getByRole('button', { name: 'Fill in the stored cases' }).click()
  await expect.poll(() => page.getByLabel('Output of subtask 1, case 0').inputValue()).toBe('43\n')
  await page.getByText('Make the outputs with a solution').click()
  await page.getByLabel('Language of the solution').selectOption({ label: 'Python 3' })
  await page.getByLabel('Solution', { exact: true }).fill(double)
  await page.getByRole('button', { name: 'Make the outputs of 2 cases' }).click()
  await expect.poll(() => page.getByLabel('Output of subtask 1, case 0').inputValue()).toBe('42\n')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Double by hand' }).waitFor()
  expect(await verdictOf(api, problemId, double)).toBe(STATUS.AC)
})

test('making outputs outlasts a failed read, and ends when one cancels, leaves or runs something else', async () => {
  const page = await newVisitor(judge.url, { refused: [/^(404|500) \/api\/run\//] })
  await enter(page, 'teacher')
  const api = await clientOf(judge.url, 'teacher')
  const limits = { caseCount: 1, memoryLimit: 65_536, timeLimit: 1_000 }
  const json: NewProblem = {
    course: 'Demo',
    problemName: 'Double by a solution',
    description: { description: 'Print the double.' },
    testCase: [{ ...limits, taskScore: 100 }],
  }
  const { problemId } = await api.call('POST', '/problem/manage', problemCreated, { json })
  const output = page.getByLabel('Output of subtask 0, case 0')
  const make = page.getByRole('button', { name: 'Make the output of 1 case' })
  const isRead = (call: { url: () => string }) => call.url().includes('/api/run/')
  const lets = () => page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`/course/Demo/problem/${problemId}/edit`)
  await page.getByText('Type or paste', { exact: true }).click()
  await page.getByLabel('Input of subtask 0, case 0').fill('21')
  await page.getByText('Make the outputs with a solution').click()
  await page.getByLabel('Language of the solution').selectOption({ label: 'Python 3' })
  await page.getByLabel('Solution', { exact: true }).fill('print(2 * int(input()))')

  await failAt(page, 'GET /run/*', 'internal')
  await Promise.all([page.waitForResponse(isRead), make.click()])
  await lets()
  await expect.poll(() => output.inputValue()).toBe('42\n')
  await output.fill('1')

  await failAt(page, 'GET /run/*', 'slow')
  await Promise.all([page.waitForRequest(isRead), make.click()])
  expect(await axeFaults(page)).toEqual([])
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  await Promise.all([page.waitForEvent('requestfailed', isRead), cancel.click()])
  await expect.poll(async () => (await focus(page)).name).toBe('Make the output of 1 case')
  await lets()

  const replaced = Promise.withResolvers<void>()
  await page.route('**/api/run/*', async (route) => {
    await replaced.promise
    await route.fallback()
  })
  await Promise.all([page.waitForRequest(isRead), make.click()])
  await api.call('POST', `/problem/${problemId}/run`, sampleRunStarted, {
    json: { languageType: 2, code: 'print(1)', inputs: ['1'] },
  })
  replaced.resolve()
  await page.getByText('Another run of yours replaced it').waitFor()
  expect(await output.inputValue()).toBe('1')
  await lets()

  await failAt(page, 'GET /run/*', 'slow')
  await Promise.all([page.waitForRequest(isRead), make.click()])
  const leave = page.getByText('Upload a zip', { exact: true })
  await Promise.all([page.waitForEvent('requestfailed', isRead), leave.click()])
})

test.each(WAYS)(
  'a wrong case is mended: what would change is seen before students see it, then applied: by $by, $on',
  async (way) => {
    const [api, student] = [
      await clientOf(judge.url, 'teacher'),
      await clientOf(judge.url, 'student'),
    ]
    const limits = { caseCount: 1, memoryLimit: 65_536, timeLimit: 1_000 }
    const json: NewProblem = {
      course: 'Demo',
      problemName: `Squares by ${way.by} ${way.on}`,
      status: 0,
      description: { description: 'Print the square.' },
      testCase: [{ ...limits, taskScore: 100 }],
    }
    const { problemId } = await api.call('POST', '/problem/manage', problemCreated, { json })
    await api.uploadTestData(problemId, await packTestData([[textCase('3\n', '6\n')]]))
    const right = await judged(student, problemId, 'print(int(input()) ** 2)')
    const wrong = await judged(student, problemId, 'print(2 * int(input()))')
    expect([await statusOf(api, right), await statusOf(api, wrong)]).toEqual([STATUS.WA, STATUS.AC])

    const hands = await visitorBy(judge.url, way, 'teacher')
    const { page } = hands
    await page.goto(`/course/Demo/problem/${problemId}`)
    await hands.open('Edit')
    const zip = join(folder, 'squares.zip')
    await writeFile(zip, await packTestData([[textCase('3\n', '9\n')]]))
    await hands.pick(zipField(page), zip)
    await page.getByText('will be uploaded on saving').waitFor()
    await hands.press('Save')
    const banner = page.getByRole('region', { name: 'Results of earlier test data' })
    await banner.getByText('2 submissions were judged with earlier test data').waitFor()
    await hands.press('Judge again')
    const panel = page.getByRole('region', { name: 'Rejudge', exact: true })
    await panel.getByText('2 of 2 results would change').waitFor()
    await panel.getByText(/The rejudge is cancelled at [-\d]+ [:\d]+ unless/).waitFor()
    await hands.press('Show who changes')
    const rows = panel.getByRole('row')
    // The rows are in the order of judging, which is any order.
    await expect
      .poll(async () => (await rows.allInnerTexts()).toSorted())
      .toEqual([
        expect.stringMatching(/Accepted\s*100 points[^]*Wrong Answer\s*0 points/),
        expect.stringMatching(/Wrong Answer\s*0 points[^]*Accepted\s*100 points/),
        expect.stringMatching(/^User/),
      ])
    expect(await axeFaults(page)).toEqual([])
    expect(await statusOf(student, right)).toBe(STATUS.WA)
    await hands.press('Apply')
    await panel.getByText('2 submissions were judged again. 2 results changed.').waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await statusOf(student, right)).toBe(STATUS.AC)
    expect(await statusOf(student, wrong)).toBe(STATUS.WA)
    expect(hands.actions).toBeLessThanOrEqual(6)
  },
)
