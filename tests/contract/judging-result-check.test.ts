import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RESULT_LIMITS } from '#contract/limits'
import { resultFault } from '#contract/result-check'
import {
  judgeOutcome,
  judgeSubtask,
  outcomeWithoutRun,
  STATUS,
  type CaseResult,
  type Verdict,
} from '#contract/verdicts'

const SKIPPED: CaseResult = { status: null, runTime: null, memoryUsage: null }
const TIME_LIMIT = 1_000

/** Cases as a runner makes them: in order up to the first failure. */
const subtasks = fc.array(
  fc.record({
    taskScore: fc.integer({ min: 0, max: 50 }),
    statuses: fc.array(fc.constantFrom<Verdict[]>(0, 0, 0, 1, 3, 4, 5, 6, 7), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
  { minLength: 1, maxLength: 4 },
)

function honest(list: { taskScore: number; statuses: Verdict[] }[]) {
  const subtasks = list.map(({ taskScore, statuses }) => ({
    caseCount: statuses.length,
    taskScore,
    timeLimit: TIME_LIMIT,
  }))
  const results = list.map(({ taskScore, statuses }) => {
    const failure = statuses.findIndex((status) => status !== STATUS.AC)
    const cases = statuses.map((status, index) =>
      failure !== -1 && index > failure
        ? SKIPPED
        : { status, runTime: status === STATUS.TLE ? 1_100 : 7 + index, memoryUsage: 900 + index },
    )
    return judgeSubtask(cases, taskScore)
  })
  const report = { ...judgeOutcome(results), compileMessage: null, reason: null, outputs: [] }
  return { tasks: subtasks, report }
}

test('whatever an honest runner found is no fault', () => {
  fc.assert(
    fc.property(subtasks, (list) => {
      const { tasks: subtasks, report } = honest(list)
      expect(resultFault(subtasks, report)).toBeNull()
    }),
  )
})

test('any number or verdict that is changed by itself is a fault', () => {
  fc.assert(
    fc.property(subtasks, fc.nat(), fc.integer({ min: 1, max: 5 }), (list, at, by) => {
      const { tasks: subtasks, report } = honest(list)
      const index = at % subtasks.length
      const subtask = report.tasks[index]
      if (!subtask) return
      const lies = [
        { ...report, score: report.score + by },
        { ...report, status: report.status === STATUS.AC ? STATUS.WA : STATUS.AC },
        { ...report, runTime: (report.runTime ?? 0) + by },
        { ...report, memoryUsage: (report.memoryUsage ?? 0) + by },
        { ...report, tasks: report.tasks.with(index, { ...subtask, score: subtask.score + by }) },
        {
          ...report,
          tasks: report.tasks.with(index, { ...subtask, cases: [...subtask.cases, SKIPPED] }),
        },
        { ...report, tasks: [...report.tasks, subtask] },
      ]
      for (const lie of lies) expect(resultFault(subtasks, lie)).not.toBeNull()
    }),
  )
})

test.each([
  [{ status: STATUS.AC, runTime: TIME_LIMIT + 1, memoryUsage: 1 }, 'an accepted case took'],
  [
    {
      status: STATUS.TLE,
      runTime: RESULT_LIMITS.timeFactor * TIME_LIMIT + RESULT_LIMITS.timeMs + 1,
      memoryUsage: 1,
    },
    'took 20001 ms where',
  ],
  [{ status: STATUS.MLE, runTime: 1, memoryUsage: RESULT_LIMITS.memoryKb + 1 }, 'KB of memory'],
  [{ status: STATUS.WA, runTime: null, memoryUsage: 1 }, 'without a time'],
  [{ status: STATUS.CE, runTime: 1, memoryUsage: 1 }, 'Compile Error'],
])('a case that cannot be %j is a fault', (result, words) => {
  const subtasks = [{ caseCount: 1, taskScore: 100, timeLimit: TIME_LIMIT }]
  const outcome = judgeOutcome([judgeSubtask([result], 100)])
  const report = { ...outcome, compileMessage: null, reason: null, outputs: [] }
  expect(resultFault(subtasks, report)).toContain(words)
})

test.each([
  ['a verdict', { ...SKIPPED, status: STATUS.AC, runTime: 1, memoryUsage: 1 }],
  ['a time', { ...SKIPPED, runTime: 1 }],
  ['a peak of memory', { ...SKIPPED, memoryUsage: 1 }],
])('a case after a failed one that has %s is a fault', (_, after) => {
  const wrong = { status: STATUS.WA, runTime: 1, memoryUsage: 1 }
  const outcome = judgeOutcome([judgeSubtask([wrong, after], 100)])
  const report = { ...outcome, compileMessage: null, reason: null, outputs: [] }
  const tasks = [{ caseCount: 2, taskScore: 100, timeLimit: TIME_LIMIT }]
  expect(resultFault(tasks, report)).toContain('after a case that failed')
})

test('nothing runs after a Compile Error or a Judge Error of the whole, and only after those', () => {
  const subtasks = [{ caseCount: 2, taskScore: 100, timeLimit: TIME_LIMIT }]
  const without = (status: Verdict, texts: object) =>
    resultFault(subtasks, {
      ...outcomeWithoutRun(status, [2]),
      compileMessage: null,
      reason: null,
      outputs: [],
      ...texts,
    })
  expect(without(STATUS.CE, { compileMessage: 'no' })).toBeNull()
  expect(without(STATUS.JE, { reason: 'no' })).toBeNull()
  expect(without(STATUS.CE, {})).not.toBeNull()
  expect(without(STATUS.WA, {})).not.toBeNull()
  expect(without(STATUS.JE, { score: 3 })).not.toBeNull()
})

test.each([
  [STATUS.TLE, 'wall', true],
  [STATUS.RE, 'SIGFPE', true],
  [STATUS.RE, 'cpu', false],
  [STATUS.WA, 'exit', false],
  [STATUS.AC, 'signal', false],
] as const)('verdict %i may say that the run ended by %s: %s', (status, end, may) => {
  const { tasks: subtasks, report } = honest([{ taskScore: 100, statuses: [status] }])
  const told = report.tasks.map((task) => ({
    ...task,
    cases: task.cases.map((result) => ({ ...result, end })),
  }))
  expect(resultFault(subtasks, { ...report, tasks: told }) === null).toBe(may)
})
