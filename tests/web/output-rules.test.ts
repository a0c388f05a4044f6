import { expect, it } from 'vitest'
import { type CaseResult, judgeSubtask, STATUS, type Verdict } from '#contract/verdicts'
import { hasOutput } from '../../web/features/submissions/output-rules.ts'

function cases(...statuses: (Verdict | null)[]): CaseResult[] {
  return statuses.map((status) => ({ status, runTime: null, memoryUsage: null }))
}

it('a case that could not be judged shows no output, the sample before it does', () => {
  const task = judgeSubtask(cases(STATUS.AC, STATUS.JE, null), 0)
  expect([0, 1, 2].map((index) => hasOutput(task, index, true, true))).toEqual([true, false, false])
})

it('staff see the first failing case, the submitter only samples', () => {
  const task = judgeSubtask(cases(STATUS.AC, STATUS.WA, null), 40)
  expect([0, 1, 2].map((index) => hasOutput(task, index, false, true))).toEqual([
    false,
    true,
    false,
  ])
  expect(hasOutput(task, 1, false, false)).toBe(false)
})
