/** A question on a line, its answer and the badge: by keys and by pointer, on a wide screen and on a phone. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { questionCreated } from '#contract/questions'
import { submissionCreated } from '#contract/submissions'
import { axeFaults } from '../support/axe.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { visitorBy, WAYS } from '../support/hands.ts'
import { focus, tabTo } from '../support/keys.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'
import type { SharedJudge } from '../support/template.ts'

const CODE = 'int main(void)\n{\n    return 0;\n}\n'

/** In these tests only one test asks as this student. */
const STUDENT = 'student4'

let judge: SharedJudge

beforeAll(async () => {
  judge = await sharedJudge()
})

/** The number on the course's badge on the home page; 0 without a badge. */
async function badge(page: Page): Promise<number> {
  await page.goto('/')
  const courses = page.getByRole('region', { name: 'Your courses' })
  await courses.getByRole('link', { name: /^Demo/ }).waitFor()
  const link = courses.getByRole('link', { name: /^Questions: / })
  return (await link.count()) === 0 ? 0 : Number.parseInt(await link.innerText(), 10)
}

test.each(WAYS)(
  'a student asks about a line, a teacher answers there, both see it by the badge: by $by, $on',
  async (way) => {
    const api = await clientOf(judge.url, STUDENT)
    const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
      json: { problemId: 1, languageType: 0, code: CODE },
    })
    const question = `Why 0, asked by ${way.by} on ${way.on}?`
    const answer = `Because it went well, ${way.by} on ${way.on}.`
    const asking = await visitorBy(judge.url, way, STUDENT)
    const answering = await visitorBy(judge.url, way, 'teacher')
    const [student, teacher] = [asking.page, answering.page]
    const before = { student: await badge(student), teacher: await badge(teacher) }

    await student.goto(`/course/Demo/submission/${submissionId}`)
    await student.getByRole('button', { name: 'Ask about line 1' }).waitFor()
    if (way.by === 'keys') {
      // All lines are one stop for Tab; the arrow keys move between them.
      await tabTo(student, 'Ask about line 1')
      for (let line = 1; line < 3; line += 1) await student.keyboard.press('ArrowDown')
    }
    await asking.press('Ask about line 3')
    await asking.write(student.getByRole('textbox', { name: 'Ask about line 3' }), question)
    await asking.shortcut('Control+Enter', 'Send')
    await student.getByText(question).waitFor()
    await expect.poll(async () => (await focus(student)).name).toMatch(/^Line 3/)

    // The student is on another page of the course, which says that there is an answer.
    await student.goto('/course/Demo/problems')

    expect(await badge(teacher)).toBe(before.teacher + 1)
    await answering.open(/^Questions: /)
    await answering.open(question)
    await teacher.getByText('Line 3').waitFor()
    await expect.poll(async () => (await focus(teacher)).name).toMatch(/^Line 3/)
    expect(await axeFaults(teacher)).toEqual([])
    await answering.press('Reply')
    await answering.write(teacher.getByRole('textbox', { name: 'Reply' }), answer)
    await answering.shortcut('Control+Enter', 'Send')
    await teacher.getByText(answer).waitFor()
    await teacher.getByText('Answered').waitFor()
    expect(await badge(teacher)).toBe(before.teacher)

    await student.getByText(/^Staff have written to you about /).waitFor()
    expect(await axeFaults(student)).toEqual([])
    expect(await badge(student)).toBe(before.student + 1)
    await student.goto('/course/Demo/questions')
    await student.getByText('New answer').first().waitFor({ state: 'attached' })
    expect(await axeFaults(student)).toEqual([])
    await asking.open(question)
    await student.getByText(answer).waitFor()
    await asking.press('Resolve')
    await student.getByText('Resolved').waitFor()
    expect(await badge(student)).toBe(before.student)
    expect(asking.actions + answering.actions).toBeLessThanOrEqual(10)
  },
)

test('an answer that came with the resolution stands open until it was read, and on its own page', async () => {
  const [asking, answering] = [
    await clientOf(judge.url, STUDENT),
    await clientOf(judge.url, 'teacher'),
  ]
  const { submissionId } = await asking.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, languageType: 0, code: CODE },
  })
  const abouts = [
    [`/submission/${submissionId}/questions`, { line: 1 }],
    ['/problem/1/questions', {}],
  ] as const
  const answers: string[] = []
  const ids: string[] = []
  for (const [path, about] of abouts) {
    const json = { ...about, markdown: 'And this?' }
    const { questionId } = await asking.call('POST', path, questionCreated, { json })
    answers.push(`Because of ${questionId}.`)
    ids.push(questionId)
    const answer = { json: { markdown: answers.at(-1) } }
    await answering.call('POST', `/question/${questionId}/messages`, z.unknown(), answer)
    const resolved = { json: { state: 'resolved' } }
    await answering.call('PATCH', `/question/${questionId}`, z.unknown(), resolved)
  }
  const page = await newVisitor(judge.url)
  await enter(page, STUDENT)
  const isNoted = page.waitForResponse((response) => response.url().endsWith('/read'))
  await page.goto(`/course/Demo/submission/${submissionId}`)
  // Below the fold it is not read yet.
  await page.getByText(answers[0] ?? '').scrollIntoViewIfNeeded()
  await isNoted
  await page.reload()
  await page.getByText('Line 1 Resolved').waitFor()
  expect(await page.getByText(answers[0] ?? '').isVisible()).toBe(false)
  for (const visit of ['first', 'second']) {
    await page.goto(`/course/Demo/question/${ids[1]}`)
    await page.getByText(answers[1] ?? '', { exact: true }).waitFor()
    expect(await page.getByText('Resolved').isVisible(), visit).toBe(true)
  }
})

test('a question that is being typed stays when another line is pressed, and pressing back leads to it', async () => {
  const api = await clientOf(judge.url, STUDENT)
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, languageType: 0, code: CODE },
  })
  // Lines that were never in sight have no buttons.
  const page = await newVisitor(judge.url, { viewport: { width: 1280, height: 2000 } })
  await enter(page, STUDENT)
  await page.goto(`/course/Demo/submission/${submissionId}`)
  const press = (line: number) =>
    page.getByRole('button', { name: `Ask about line ${line}`, exact: true }).click()
  const field = (line: number) => page.getByRole('textbox', { name: `Ask about line ${line}` })

  await press(1)
  await field(1).waitFor()
  await press(2)
  await field(2).fill('Why a brace?')
  // The field of line 1 is empty, so it closes.
  await expect.poll(() => field(1).count()).toBe(0)
  await press(3)
  await field(3).fill('Why 0?')
  expect(await field(2).inputValue()).toBe('Why a brace?')
  await press(2)
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLTextAreaElement).value))
    .toBe('Why a brace?')
  expect(await field(3).inputValue()).toBe('Why 0?')

  await page.keyboard.press('Control+Enter')
  await field(2).waitFor({ state: 'detached' })
  await page.getByText('Why a brace?').waitFor()
  expect(await field(3).inputValue()).toBe('Why 0?')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await field(3).waitFor({ state: 'detached' })
  await press(3)
  expect(await field(3).inputValue()).toBe('')
})
