import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RESULT_LIMITS, resultFault } from '#contract/judging/result-check'
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
/** The longest time that a run may report: it may go on a little before it is stopped. */
const MOST_TIME = RESULT_LIMITS.timeFactor * TIME_LIMIT + RESULT_LIMITS.timeMs

/** A result with these cases, in subtasks that share a hundred points. */
function reportOf(cases: CaseResult[][]) {
  const outcome = judgeOutcome(cases.map((list) => judgeSubtask(list, 100 / cases.length)))
  return { ...outcome, compileMessage: null, reason: null, outputs: [] }
}

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
      runTime: MOST_TIME + 1,
      memoryUsage: 1,
    },
    'took 20001 ms where',
  ],
  [{ status: STATUS.MLE, runTime: 1, memoryUsage: RESULT_LIMITS.memoryKb + 1 }, 'KB of memory'],
  [{ status: STATUS.WA, runTime: null, memoryUsage: 1 }, 'without a time'],
  [{ status: STATUS.WA, runTime: 1, memoryUsage: null }, 'without a time'],
  [{ status: STATUS.CE, runTime: 1, memoryUsage: 1 }, 'which no case can have'],
])('a case that cannot be %j is a fault', (result, words) => {
  const subtasks = [{ caseCount: 1, taskScore: 100, timeLimit: TIME_LIMIT }]
  expect(resultFault(subtasks, reportOf([[result]]))).toContain(words)
})

test.each([
  { status: STATUS.AC, runTime: TIME_LIMIT, memoryUsage: 1 },
  { status: STATUS.TLE, runTime: MOST_TIME, memoryUsage: 1 },
  { status: STATUS.MLE, runTime: 1, memoryUsage: RESULT_LIMITS.memoryKb },
  { status: STATUS.JE, runTime: null, memoryUsage: null },
])('a case that can just be is none: %j', (result) => {
  const subtasks = [{ caseCount: 1, taskScore: 100, timeLimit: TIME_LIMIT }]
  expect(resultFault(subtasks, reportOf([[result]]))).toBeNull()
})

describe('of several subtasks', () => {
  const subtask = { caseCount: 1, taskScore: 50, timeLimit: TIME_LIMIT }
  const accepted = { status: STATUS.AC, runTime: 1, memoryUsage: 1 }

  test('each is looked at', () => {
    const slow = { ...accepted, runTime: TIME_LIMIT + 1 }
    const fault = resultFault([subtask, subtask], reportOf([[accepted], [slow]]))
    expect(fault).toContain('subtask 1, case 0: an accepted case took')
  })

  test.each([SKIPPED, { ...SKIPPED, runTime: 1, memoryUsage: 1 }])(
    'each has run if one has: %j',
    (skipped) => {
      const fault = resultFault([subtask, subtask], reportOf([[accepted], [skipped]]))
      expect(fault).toContain('subtask 1, case 0: skipped')
    },
  )

  test('none has a case that ran where the whole is a Judge Error', () => {
    const report = reportOf([[accepted], [SKIPPED]])
    const without = outcomeWithoutRun(STATUS.JE, [1, 1])
    const tasks = without.tasks.map((task, index) => ({
      ...task,
      cases: report.tasks[index]?.cases ?? [],
    }))
    expect(resultFault([subtask, subtask], { ...report, ...without, tasks })).not.toBeNull()
  })

  test('each has the verdict of its cases', () => {
    const report = reportOf([[accepted], [{ ...accepted, status: STATUS.WA }]])
    const tasks = report.tasks.map((task) =>
      task.status === STATUS.WA ? { ...task, status: STATUS.RE } : task,
    )
    expect(resultFault([subtask, subtask], report)).toBeNull()
    expect(resultFault([subtask, subtask], { ...report, tasks })).toContain('subtask 1 does not')
  })
})

test.each([
  ['a verdict', { ...SKIPPED, status: STATUS.AC, runTime: 1, memoryUsage: 1 }],
  ['nothing but a verdict', { ...SKIPPED, status: STATUS.AC }],
  ['a time', { ...SKIPPED, runTime: 1 }],
  ['a peak of memory', { ...SKIPPED, memoryUsage: 1 }],
])('a case after a failed one that has %s is a fault', (_, after) => {
  const wrong = { status: STATUS.WA, runTime: 1, memoryUsage: 1 }
  const tasks = [{ caseCount: 2, taskScore: 100, timeLimit: TIME_LIMIT }]
  expect(resultFault(tasks, reportOf([[wrong, after]]))).toContain('after a case that failed')
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
  expect(without(STATUS.CE, {})).toContain('compile message')
  expect(without(STATUS.JE, { compileMessage: 'no' })).toContain('compile message')
  expect(without(STATUS.WA, {})).not.toBeNull()
  expect(without(STATUS.JE, { score: 3 })).not.toBeNull()
})

test.each([
  { compileMessage: 'x\ud83d', status: STATUS.CE },
  { reason: '\ude00x', status: STATUS.JE },
])('half a character in a text is a fault: %j', ({ status, ...texts }) => {
  const subtasks = [{ caseCount: 2, taskScore: 100, timeLimit: TIME_LIMIT }]
  const report = { ...outcomeWithoutRun(status, [2]), compileMessage: null, reason: null }
  expect(resultFault(subtasks, { ...report, outputs: [], ...texts })).toContain('half a character')
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
