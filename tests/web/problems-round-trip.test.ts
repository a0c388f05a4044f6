/** The problem form: the body that it sends, and how a stored problem fills it in again. */
import { expect, it } from 'vitest'
import { problemForm } from '#contract/problems'
import { emptyProblem, toForm, toValues } from '../../web/features/problems/edit/form-values.ts'
import { newSubtask } from '../../web/features/problems/edit/subtask-values.ts'

/** Fields of a read problem that are not in the form. */
const READ_ONLY = {
  problemId: 1,
  course: 'Demo',
  quotaUsed: 0,
  ownQuota: -1,
  submitCount: 0,
  highScore: null,
  solved: false,
  hasTestData: true,
  owner: 'teacher',
  files: [],
  testDataVersion: null,
  quotaResetAt: 0,
  hasJudgeHost: true,
  homeworks: [],
  neighbours: { previous: null, next: null },
  canManage: true,
}

it('each field of the problem form arrives in its own field of the body, and fills the form in again', () => {
  const values = {
    ...emptyProblem(),
    problemName: 'Sum',
    hidden: false,
    unlimited: false,
    quota: 5,
    tags: 'a, b',
    languages: ['0', '2'],
    description: 'Add the numbers.',
    input: 'Two numbers.',
    output: 'Their sum.',
    hint: 'Use +.',
    samples: [{ input: '1 2\n', output: '3\n' }],
    subtasks: [
      { ...newSubtask(2, 0), sample: true, timeMs: 500, memoryMb: 64.5, outputKb: 100 },
      { ...newSubtask(3, 100), timeMs: 1000, memoryMb: 256, outputKb: 65_536 },
    ],
    limits: null,
  }
  const stored = problemForm.parse(toForm(values))
  const [first, second] = stored.testCase
  expect(stored).toMatchObject({
    problemName: 'Sum',
    status: 0,
    quota: 5,
    tags: ['a', 'b'],
    allowedLanguage: 5,
    description: {
      description: 'Add the numbers.',
      input: 'Two numbers.',
      output: 'Their sum.',
      hint: 'Use +.',
      sampleInput: ['1 2\n'],
      sampleOutput: ['3\n'],
    },
  })
  expect(first).toEqual({
    caseCount: 2,
    taskScore: 0,
    sample: true,
    timeLimit: 500,
    memoryLimit: 66_048,
    outputLimit: 100,
  })
  expect(second).toMatchObject({ caseCount: 3, taskScore: 100, sample: false })
  expect(toValues({ ...stored, ...READ_ONLY })).toEqual(values)
})

it('a problem without a quota offers one of ten', () => {
  const stored = problemForm.parse(
    toForm({ ...emptyProblem(), problemName: 'Sum', description: 'Add.', quota: 3 }),
  )
  expect(stored.quota).toBe(-1)
  expect(toValues({ ...stored, ...READ_ONLY })).toMatchObject({ unlimited: true, quota: 10 })
})

it('time and memory typed once are those of every subtask, and open as one pair of fields again', () => {
  const values = {
    ...emptyProblem(),
    problemName: 'Sum',
    description: 'Add.',
    subtasks: [newSubtask(1, 40), { ...newSubtask(1, 60), timeMs: 9 }],
    limits: { timeMs: 1_500, memoryMb: 64 },
  }
  const stored = problemForm.parse(toForm(values))
  expect(stored.testCase).toMatchObject([
    { timeLimit: 1_500, memoryLimit: 65_536 },
    { timeLimit: 1_500, memoryLimit: 65_536 },
  ])
  expect(toValues({ ...stored, ...READ_ONLY }).limits).toEqual(values.limits)
})
