/** A real judge host gives the programs of the demo's term the verdicts that the term states. */
import { expect, test } from 'vitest'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { untilJudged } from '../../scripts/demo/fill.ts'
import { termProblems } from '../../scripts/demo/term/plan.ts'
import { termPrograms } from '../../scripts/demo/term/program-files.ts'
import { folderOf } from '../../scripts/demo/term/programs.ts'
import { resultOf } from '../../scripts/demo/term/results.ts'
import { clientOf, startTestStack } from '../support/stack.ts'

test('each program gets its verdict and score', async () => {
  const variables = { SUBMIT_LIMIT_PER_MINUTE: '0' }
  const stack = await startTestStack({ demo: 'term', variables })
  const teacher = await clientOf(stack.url, 'teacher')
  const programs = termPrograms()
  const wrong: string[] = []
  for (const [index, { form }] of termProblems().entries())
    for (const program of programs.get(folderOf(form.problemName)) ?? []) {
      const { languageType, code } = program
      const { submissionId } = await teacher.call('POST', '/submission', submissionCreated, {
        json: { problemId: index + 1, languageType, code },
      })
      await untilJudged(teacher, submissionId)
      const judged = await teacher.call('GET', `/submission/${submissionId}`, submissionDetail)
      const expected = resultOf(program, form.testCase, (min) => min)
      const given = `${judged.status}, ${judged.score}: ${judged.tasks?.map(({ status }) => status).join(' ')}`
      if (judged.status !== expected.status || judged.score !== expected.score)
        wrong.push(
          `${form.problemName}: ${given} instead of ${expected.status}, ${expected.score}\n${code}`,
        )
    }
  expect(wrong).toEqual([])
})
