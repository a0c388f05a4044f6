/** Changes by a rejudge: staff see them, cancel them, or apply them; some apply themselves. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { problemCreated } from '#contract/problems'
import { submissionCreated } from '#contract/submissions'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { packTestData } from '../../scripts/demo/test-data-zip.ts'
import { textCase } from '../../scripts/demo/problem.ts'
import { enter, newVisitor } from '../support/browser.ts'
import { clientOf, sharedJudge } from '../support/stack.ts'

const COURSE = 'Rejudges'

test('results of earlier test data are judged again, looked over, cancelled and applied', async () => {
  const { url } = await sharedJudge()
  const teacher = await clientOf(url, 'teacher')
  await teacher.call('POST', '/course', z.unknown(), {
    json: { course: COURSE, teacher: 'teacher' },
  })
  const limits = { memoryLimit: 65_536, timeLimit: 1_000 }
  const { problemId } = await teacher.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: COURSE,
      problemName: 'Echo',
      description: { description: 'Print 1.' },
      testCase: [{ caseCount: 1, taskScore: 100, ...limits }],
    },
  })
  const expected = async (output: string) =>
    teacher.uploadTestData(problemId, await packTestData([[textCase('', output)]]))
  await expected('1\n')
  const { submissionId } = await teacher.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType: 2, code: 'print(1)\n' },
  })
  await untilJudged(teacher, submissionId)
  await expected('2\n')

  const page = await newVisitor(url)
  await enter(page, 'teacher')
  await page.goto(`/course/${COURSE}/problem/${problemId}`)
  const earlier = page.getByRole('region', { name: 'Results of earlier test data' })
  const panel = page.getByRole('region', { name: 'Rejudge', exact: true })
  const press = (name: string) => panel.getByRole('button', { name, exact: true }).press('Enter')
  const again = earlier.getByRole('button', { name: 'Judge again' })
  await earlier.getByText('1 submission was judged with earlier test data').waitFor()
  await again.click()
  await press('Cancel rejudging')
  const focus = page.locator(':focus')
  await focus.filter({ hasText: 'Cancelled. Every submission keeps its result.' }).waitFor()
  await press('Dismiss')
  await page.locator('#main:focus').waitFor()
  await again.click()
  await panel.getByText('1 of 1 results would change.').waitFor()
  await press('Show who changes')
  const change = panel.getByRole('row', { name: /^Teacher / })
  expect((await change.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /Accepted 100 points Wrong Answer 0 points/,
  )
  await press('Hide the list')
  await change.waitFor({ state: 'detached' })
  await press('Apply')
  await focus.filter({ hasText: '1 submission was judged again. 1 result changed.' }).waitFor()
  await page.reload()
  await panel.getByText('1 result changed.').waitFor()
  expect(await earlier.count()).toBe(0)

  // A rejudge of all submissions applies itself.
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Rejudge all' }).click()
  await page.getByRole('button', { name: 'Rejudge', exact: true }).click()
  await panel.getByText('1 submission was judged again. No result changed.').waitFor()
  await page.goto(`/course/${COURSE}/submission/${submissionId}`)
  await page.getByRole('main').getByText('Wrong Answer').first().waitFor()
})
