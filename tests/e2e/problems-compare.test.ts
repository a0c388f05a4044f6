/** A teacher chooses how outputs are compared; students see what that means for them, but never the checker's program. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { textCase } from '../../scripts/demo/problem.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'
import { axeFaults } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const CHECKER = `import sys
words = open(sys.argv[2]).read().split()
if words[0] == 'odd':
    raise ValueError('an odd output')
sys.exit(0 if sum(map(int, words)) == 7 else 1)
`

let judge: SharedJudge
let folder: string
beforeAll(async () => {
  judge = await sharedJudge()
  folder = await temporaryFolder()
})
test('a checker is chosen, refused while empty, taken from a file, and judges', async () => {
  const page = await newVisitor(judge.url, { refused: [/^409 \/api\/submission\/\w+\/rejudge$/] })
  const sourceShown = () => page.getByLabel('Source of the checker').inputValue()
  await enter(page, 'teacher')
  await page.goto('/course/Demo/problem/new')
  await page.getByLabel('Problem name').fill('Seven')
  await page.getByLabel('Hidden').uncheck()
  const zip = join(folder, 'cases.zip')
  await writeFile(zip, await packTestData([[textCase('', '')]]))
  await page.getByLabel('Test data zip', { exact: true }).setInputFiles(zip)
  await page.getByText('will be uploaded on saving').waitFor()
  await page.getByRole('combobox', { name: 'Comparison' }).click()
  await page.getByRole('option', { name: 'Checker program' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Value is required').waitFor()
  expect(await axeFaults(page)).toEqual([])
  const file = join(folder, 'seven.py')
  await writeFile(file, CHECKER)
  const choose = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a file' }).click()
  await (await choose).setFiles(file)
  await expect.poll(sourceShown).toBe(CHECKER)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A program checks the output').waitFor()
  const address = page.url()
  await page.goto(`${address}/edit`)
  expect(await sourceShown()).toBe(CHECKER)
  expect(
    await page.getByRole('main').getByRole('combobox', { name: 'Language' }).inputValue(),
  ).toBe('Python 3')

  const student = await newVisitor(judge.url)
  await enter(student, 'student')
  await student.goto(address)
  await student.getByText('A program checks the output').waitFor()
  for (const [code, verdict] of [
    ['print(3, 4)', 'Accepted'],
    ['print(3)', 'Wrong Answer'],
    ['print("odd")', 'Judge Error'],
  ] as const) {
    await student.goto(`${address}/submit`)
    const language = student.getByRole('main').getByRole('combobox', { name: 'Language' })
    await language.selectOption({ label: 'Python 3' })
    await student.getByRole('textbox', { name: 'Source code' }).click()
    await student.keyboard.press('ControlOrMeta+a')
    await student.keyboard.insertText(code)
    await student.getByRole('button', { name: 'Submit' }).click()
    await student.waitForURL(/\/submission\//)
    await student.getByText(verdict).first().waitFor()
  }
  expect(await student.getByText('an odd output').count()).toBe(0)
  // The page names the case that could not be judged, so the verdicts of other cases can stand beside it.
  await student.getByRole('heading', { name: 'Subtasks' }).waitFor()
  await page.goto(student.url())
  await page.getByText(/on case 0000.*: ValueError: an odd output/).waitFor()
  expect(await axeFaults(page)).toEqual([])

  // A teacher mends the problem in its form; until its data fit, a rejudge says why it cannot begin.
  await page.getByRole('link', { name: /^Edit problem #/ }).click()
  await page.getByLabel('Test cases').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('no test data for its subtasks').waitFor()
  await page.goto(student.url())
  await page.getByRole('button', { name: 'Rejudge' }).click()
  await page.getByText('no test data for its subtasks').waitFor()
  await student.goto(`${address}/submit`)
  await student.getByText('no test data for its subtasks').waitFor()
})
