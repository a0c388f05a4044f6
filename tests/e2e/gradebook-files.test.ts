/** Marks go into a file of another system: only the intended cells of its bytes change. */
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { marksEdited } from '#contract/gradebook'
import type { ApiClient } from '../../scripts/api-client.ts'
import { axeFaults } from '../support/axe.ts'
import { readColumns, setColumns } from '../support/gradebook-columns.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

/** An export of Canvas with what other programs would change: a mark of the byte order, both kinds of line ends, quotes, blanks. */
const CANVAS = [
  '\uFEFFStudent,ID,SIS User ID,SIS Login ID,Section,Notes,Oral exam (8102),"Trees, graphs (8103)",Final Score',
  ',,,,,,Manual Posting,,',
  '    Points Possible,,,,,,20.00,100.00,(read only)',
  '"Student",301,s01,student,Lab A,"says:\n""ill""",1.00, 40.00 ,80.00',
  'Student 2,302,s02,student2@example.org,Lab A,,,,',
  '"3, Student",303,s03,student3,Lab B,,7,,',
  '"Gone, Gil",304,s04,gil,Lab B,,12.5,,25.00',
  '"Student, Test",305,,f00ba7,Lab A,,0.00,,0.00',
  '',
].join('\r\n')

/** The same file with the marks of the gradebook. */
const FILLED = CANVAS.replace('""ill""",1.00,', '""ill""",15.5,')
  .replace('student2@example.org,Lab A,,,', 'student2@example.org,Lab A,,EX,')
  .replace('student3,Lab B,,7,', 'student3,Lab B,,8,')

let stack: TestStack
let teacher: ApiClient

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  await setColumns(teacher, [{ name: 'Oral exam', max: 20 }])
  const { columns } = await readColumns(teacher)
  const columnId = columns.find(({ kind }) => kind === 'manual')?.id ?? 0
  const edits = [
    { username: 'student', columnId, points: 15.5 },
    { username: 'student2', columnId, points: null, excused: true },
    { username: 'student3', columnId, points: 8 },
  ]
  await teacher.call('PATCH', '/course/Demo/gradebook', marksEdited, { json: { edits } })
})

/** Drops a file, which counts as one press: the browser's own dialog of files is not the page's. */
async function give(hands: Awaited<ReturnType<typeof visitorBy>>, text: string, name: string) {
  hands.actions += 1
  const field = hands.page.getByRole('button', { name: 'File of another system' })
  await field.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

test.each(WAYS)('a Canvas file is filled in six presses: by $by, $on', async (way) => {
  const hands = await visitorBy(stack.url, way, 'ta')
  const { page } = hands
  await page.goto('/course/Demo')
  await hands.open('Gradebook')
  await hands.open('Other systems')
  await give(hands, CANVAS, 'canvas.csv')
  await page
    .getByText('canvas.csv is a gradebook of Canvas. 3 students were found in it.')
    .waitFor()
  await page.getByText('3 cells change.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    hands.press('Download the filled file'),
  ])
  expect(hands.actions).toBeLessThanOrEqual(6)
  expect(download.suggestedFilename()).toBe('canvas.csv')
  expect(await readFile(await download.path(), 'utf8')).toBe(FILLED)
})

test('marks of a file come into the gradebook, with the reason that students read', async () => {
  const hands = await visitorBy(stack.url, { by: 'pointer', on: 'wide' }, 'ta')
  const { page } = hands
  await page.goto('/course/Demo/gradebook/files')
  const text = CANVAS.replace('""ill""",1.00,', '""ill""",15.5,').replace(',,7,', ',,9.25,')
  await give(hands, text, 'exam.csv')
  await page.getByText('Read marks from the file', { exact: true }).click()
  await page.getByText('1 mark would change.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await hands.write(page.getByLabel('Reason (optional)'), 'Exam of Monday')
  await hands.press('Store 1 mark')
  await page.getByText('1 mark is stored.').waitFor()
  await page.goto('/course/Demo/gradebook')
  // The other one is the total.
  await page.getByRole('gridcell', { name: '9.25' }).first().click()
  const why = page.getByRole('region', { name: 'Why this mark' })
  await why.getByText('Staff set 9.25 of 20 points, which count: “Exam of Monday”.').waitFor()
})
