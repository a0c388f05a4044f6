/** The same mistake of many: staff find it, answer all at once, and each student reads the answer under the own verdict. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { homeworkCreated } from '#contract/homeworks'
import { batchSignupResult } from '#contract/people/auth'
import { problemCreated } from '#contract/problems'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { textCase } from '../../scripts/demo/problem.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'
import { axeFaults, fitsScreen } from '../support/axe.ts'
import { answer, enter, newVisitor } from '../support/browser.ts'
import { untilShown } from '../support/demo-visitor.ts'
import { visitorBy } from '../support/hands.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const COURSE = '/course/Demo'
const HIDDEN_INPUT = '-30 -10 -20'
/** The refusal of a hint that names the hidden input. */
const NAMES_SECRET = /^409 \/api\/problem\/\d+\/hints$/
const C = 0
const CPP = 1
const PYTHON = 2

/** The largest number found by a search that starts at 0, in each language and twice in one. */
const STARTS_AT_ZERO = [
  [
    C,
    '#include <stdio.h>\nint main(void) { int n, x, most = 0; scanf("%d", &n);\n  while (n-- > 0) { scanf("%d", &x); if (x > most) most = x; }\n  printf("%d\\n", most); }\n',
  ],
  [
    CPP,
    '#include <algorithm>\n#include <iostream>\nint main() { int n, most = 0; std::cin >> n;\n  for (int x; std::cin >> x;) most = std::max(most, x);\n  std::cout << most; }\n',
  ],
  [
    PYTHON,
    'input()\nmost = 0\nfor x in map(int, input().split()):\n    most = max(most, x)\nprint(most)\n',
  ],
] as const
const FRESH = 'input()\nprint(max([0] + [int(x) for x in input().split()]))\n'
/** The first number in place of the largest. */
const FIRST = [
  [PYTHON, 'input()\nprint(input().split()[0])\n'],
  [
    C,
    '#include <stdio.h>\nint main(void) { int n, x; scanf("%d %d", &n, &x); printf("%d", x); }\n',
  ],
] as const
const RIGHT = 'input()\nprint(max(map(int, input().split())))\n'

/** The students with the first mistake, and those with the other. */
const SAME = ['student', 'student2', 'student3']
const OTHERS = ['student4', 'student5']
/** A student without a submission at first. */
const LATE = 'student6'

let stack: TestStack
let teacher: ApiClient
let problemId: number
let homeworkId: string
/** The newest submission of each student. */
const submissions = new Map<string, string>()

const mistakesPath = () => `${COURSE}/problem/${problemId}/mistakes`
const submissionPath = (student: string) =>
  `${COURSE}/submission/${submissions.get(student) ?? 'none'}`

/** A student submits; resolves with the verdict. */
async function handIn(student: string, languageType: number, code: string): Promise<void> {
  const api = await clientOf(stack.url, student)
  const json = { problemId, languageType, code }
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, { json })
  submissions.set(student, submissionId)
  await untilJudged(api, submissionId)
}

/** Three students make one mistake, each in another language, and two make another one. */
async function makeMistakes(): Promise<void> {
  await Promise.all([
    ...STARTS_AT_ZERO.map(([language, code], index) => handIn(SAME[index] ?? '', language, code)),
    ...FIRST.map(([language, code], index) => handIn(OTHERS[index] ?? '', language, code)),
  ])
}

beforeAll(async () => {
  stack = await startTestStack({ demo: true })
  teacher = await clientOf(stack.url, 'teacher')
  const rows = [5, 6].map((n) => `student${n},${DEMO_PASSWORD},student${n}@example.test`)
  await teacher.call('POST', '/auth/batch-signup', batchSignupResult, {
    json: { newUsers: ['username,password,email', ...rows].join('\n'), course: 'Demo' },
  })
  const limits = { memoryLimit: 65_536, timeLimit: 5_000 }
  const created = await teacher.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: 'Demo',
      problemName: 'The largest',
      status: 0,
      description: {
        description: 'Print the largest number.',
        sampleInput: ['3\n1 3 2\n'],
        sampleOutput: ['3\n'],
      },
      testCase: [
        { caseCount: 1, taskScore: 0, ...limits },
        { caseCount: 2, taskScore: 100, ...limits },
      ],
    },
  })
  problemId = created.problemId
  const hidden = [textCase('2\n7 4\n', '7\n'), textCase(`3\n${HIDDEN_INPUT}\n`, '-10\n')]
  await teacher.uploadTestData(
    problemId,
    await packTestData([[textCase('3\n3 1 2\n', '3\n')], hidden]),
  )
  const now = Math.floor(Date.now() / 1_000)
  const homework = await teacher.call('POST', '/homework', homeworkCreated, {
    json: {
      courseName: 'Demo',
      name: 'Largest',
      start: now - 3_600,
      end: now + 86_400,
      problemIds: [problemId],
    },
  })
  homeworkId = homework.id
  await makeMistakes()
})

const groups = (page: Page) => page.locator('main li:has(> button[aria-expanded])')
const group = (page: Page, printed: string) =>
  groups(page).filter({
    has: page.getByRole('button', { name: new RegExp(`printed ${printed}$`) }),
  })

test('staff find the largest group, look into it, and answer all of it at once; students read the hint and say whether it helped', async () => {
  const students = new Map<string, Page>()
  for (const name of ['student', 'student4']) {
    const page = await newVisitor(stack.url)
    await enter(page, name)
    await page.goto(submissionPath(name))
    await page.getByText('Wrong Answer').first().waitFor()
    expect(
      await page.getByRole('heading', { name: /^Hints? from your course|^A hint from/ }).count(),
    ).toBe(0)
    students.set(name, page)
  }
  const [student, other] = [students.get('student'), students.get('student4')]
  if (!student || !other) throw new Error('no pages')

  const hands = await visitorBy(stack.url, { by: 'pointer', on: 'wide' }, 'ta', {
    refused: [NAMES_SECRET],
  })
  const { page } = hands
  await page.goto(`${COURSE}/problem/${problemId}`)
  await hands.press('More')
  await hands.open('Same mistakes')
  await untilShown(page, 'Same mistakes in')
  await page.getByText('5 people with failing tries, 2 groups').waitFor()
  const rows = groups(page)
  await expect.poll(() => rows.count()).toBe(2)
  const largest = rows.first()
  await largest
    .getByRole('button', { name: /^3 people.*Wrong Answer.*Subtask 1, case 1.*printed 0$/ })
    .waitFor()
  await rows
    .nth(1)
    .getByRole('button', { name: /^2 people.*printed -30$/ })
    .waitFor()
  await hands.use(largest.getByRole('button').first())
  await largest.getByRole('figure', { name: 'Input' }).getByText(HIDDEN_INPUT).waitFor()
  await largest.getByRole('figure', { name: 'Expected output' }).getByText('-10').waitFor()
  await expect
    .poll(() => largest.getByRole('figure', { name: 'Source' }).count())
    .toBe(STARTS_AT_ZERO.length)
  await expect
    .poll(() =>
      largest
        .getByRole('region', { name: /^People/ })
        .getByRole('link')
        .count(),
    )
    .toBe(SAME.length)

  await hands.press('Write a hint')
  const dialog = page.getByRole('dialog', { name: 'Write a hint' })
  const text = dialog.getByRole('textbox', { name: 'Hint' })
  await hands.write(text, `Try \`${HIDDEN_INPUT}\`.`)
  await hands.press('Show the hint')
  await answer(page, 'Show the hint all the same?', 'Change the text')
  await dialog.getByText('The hint is not saved yet.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await hands.write(text, 'What is the largest of numbers that are **all negative**?')
  await hands.press('Show the hint')
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByText(
      'The hint is saved. Students whose result is of the present test data see it at once.',
    )
    .first()
    .waitFor()
  await largest.getByText('all negative').first().waitFor()

  // The open page gets the hint by itself.
  const hint = student.getByRole('region', { name: 'A hint from your course' })
  await hint.getByText('all negative').waitFor()
  expect(await axeFaults(student)).toEqual([])
  await hint.getByRole('button', { name: 'Yes', exact: true }).click()
  await hint.getByText('Thank you. You can change your answer.').waitFor()
  await student.reload()
  await hint.getByRole('button', { name: 'Yes', exact: true, pressed: true }).waitFor()
  await handIn('student', PYTHON, RIGHT)
  await student.goto(submissionPath('student'))
  await student.getByText('Accepted').first().waitFor()
  expect(await hint.count()).toBe(0)

  // The other mistake has no hint, also when the page is read again.
  await other.reload()
  await other.getByText('Wrong Answer').first().waitFor()
  expect(await other.getByText('all negative').count()).toBe(0)

  // A fresh program with the same mistake gets the hint with its verdict.
  const late = await visitorBy(stack.url, { by: 'pointer', on: 'phone' }, LATE)
  await late.page.goto(`${COURSE}/problem/${problemId}/submit`)
  await late.page.locator('.cm-editor').waitFor()
  await late.choose(late.page.getByRole('main').getByLabel('Language'), 'Python 3')
  await late.write(late.page.getByRole('textbox', { name: 'Source code' }), FRESH)
  await late.press('Submit')
  const lateHint = late.page.getByRole('region', { name: 'A hint from your course' })
  await lateHint.getByText('all negative').waitFor()
  expect(await axeFaults(late.page)).toEqual([])
  expect(await fitsScreen(late.page)).toBe(true)

  await page.reload()
  await page.getByText('6 people with failing tries, 2 groups').waitFor()
  await largest.getByText('1 solved it since').waitFor()
  await hands.use(largest.getByRole('button').first())
  await largest.getByText('Did it help? yes: 1, no: 0').waitFor()
})

test('a hint may name a hidden case if staff say so; groups merge, get a comment each, and separate', async () => {
  const hands = await visitorBy(stack.url, { by: 'pointer', on: 'wide' }, 'teacher', {
    refused: [NAMES_SECRET],
  })
  const { page } = hands
  await page.goto(mistakesPath())
  const open = async (printed: string) => {
    const row = group(page, printed)
    await row.waitFor()
    await hands.use(row.getByRole('button').first())
    return row
  }
  const second = await open('-30')
  await hands.use(second.getByRole('button', { name: 'Write a hint', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Write a hint' })
  await hands.write(dialog.getByRole('textbox', { name: 'Hint' }), `Try ${HIDDEN_INPUT}.`)
  await hands.press('Show the hint')
  await answer(page, 'Show the hint all the same?', 'Show it')
  await dialog.waitFor({ state: 'detached' })
  const student = await newVisitor(stack.url)
  await enter(student, 'student5')
  await student.goto(submissionPath('student5'))
  await student
    .getByRole('region', { name: 'A hint from your course' })
    .getByText(`Try ${HIDDEN_INPUT}.`)
    .waitFor()

  await hands.use(second.getByRole('button', { name: 'The same mistake as …' }))
  const merging = page.getByRole('dialog', { name: 'The same mistake as …' })
  await hands.use(merging.getByRole('checkbox'), 'Space')
  expect(await axeFaults(page)).toEqual([])
  await hands.use(merging.getByRole('button', { name: 'Merge', exact: true }))
  await merging.waitFor({ state: 'detached' })
  await page.getByText('6 people with failing tries, 1 group').waitFor()
  const merged = groups(page).first()
  await merged.getByText('2 mistakes count as one').waitFor()
  // Both hints are now for everybody in the group.
  await student.reload()
  await student
    .getByRole('region', { name: 'Hints from your course' })
    .getByText('all negative')
    .waitFor()

  await hands.use(merged.getByRole('button', { name: 'Comment to all', exact: true }))
  const comment = page.getByRole('dialog', { name: 'Comment to all' })
  await hands.write(
    comment.getByRole('textbox', { name: 'Comment' }),
    'Come to the exercise on Monday.',
  )
  await hands.use(comment.getByRole('button', { name: 'Send to 5 people' }))
  await comment.waitFor({ state: 'detached' })
  await page.getByText('5 people got the comment.').first().waitFor()
  // Each got a thread of their own, so the person who solved the problem got none.
  for (const name of ['student2', 'student3', ...OTHERS, LATE]) {
    await enter(student, name)
    await student.goto(`${COURSE}/questions`)
    await student.getByRole('link', { name: 'Come to the exercise on Monday.' }).first().waitFor()
    expect(await student.getByText('Come to the exercise on Monday.').count(), name).toBe(1)
  }

  await hands.use(merged.getByRole('button', { name: 'Separate again', exact: true }))
  await answer(page, 'Separate 2 mistakes?', 'Separate again')
  await page.getByText('6 people with failing tries, 2 groups').waitFor()
  await enter(student, 'student5')
  await student.goto(submissionPath('student5'))
  await student.getByRole('region', { name: 'A hint from your course' }).waitFor()
  expect(await student.getByText('all negative').count()).toBe(0)
})

/** `npm run test:full` looks at the pages in each scheme, width and language. */
const IS_FULL = Reflect.get(import.meta, 'env').MODE === 'full'
const ALL_LOOKS = (['english', 'chinese', 'taiwanese'] as const).flatMap((locale) =>
  [1280, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ locale, width, colorScheme })),
  ),
)
/** Otherwise in four of these, with each scheme, width and language. */
const LOOKS = ALL_LOOKS.filter((_, index) => IS_FULL || [0, 3, 6, 9].includes(index))

test.each(LOOKS)(
  'axe finds nothing on pages of mistakes: $locale, $width px, $colorScheme',
  async ({ locale, width, colorScheme }) => {
    const faults: string[] = []
    async function look(page: Page, name: string) {
      faults.push(...(await axeFaults(page)).map((fault) => `${name}: ${fault}`))
      if (!(await fitsScreen(page))) faults.push(`${name}: wider than the screen`)
    }
    const visit = async (person: string, path: string) => {
      const page = await newVisitor(stack.url, { viewport: { width, height: 844 }, colorScheme })
      await page.addInitScript((name) => localStorage.setItem('locale', name), locale)
      await enter(page, person)
      await page.goto(path)
      await untilShown(page, /./)
      return page
    }
    const paths = [mistakesPath(), `${COURSE}/homeworks/${homeworkId}/mistakes`]
    for (const path of paths) {
      const page = await visit('teacher', path)
      await groups(page).first().waitFor()
      await look(page, path)
      await groups(page).first().getByRole('button').first().click()
      await groups(page).first().locator('pre').last().waitFor()
      await untilShown(page, /./)
      await look(page, `${path}, opened`)
    }
    const page = await visit('student2', submissionPath('student2'))
    await page.locator('#hints').waitFor()
    await page.locator('section[aria-labelledby=hints] fieldset').waitFor()
    await look(page, 'a submission with a hint')
    expect(faults).toEqual([])
  },
)
