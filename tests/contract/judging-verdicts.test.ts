import { describe, expect, test } from 'vitest'
import {
  judgeOutcome,
  judgeSubtask,
  outcomeWithoutRun,
  STATUS,
  STATUS_NAMES,
  submissionStatus,
  type CaseResult,
  verdict,
} from '#contract/verdicts'

const accepted: CaseResult = { status: STATUS.AC, runTime: 10, memoryUsage: 100 }
const slow: CaseResult = { status: STATUS.TLE, runTime: 1000, memoryUsage: 50 }
const wrong: CaseResult = { status: STATUS.WA, runTime: 5, memoryUsage: 900 }
const skipped: CaseResult = { status: null, runTime: null, memoryUsage: null }

describe('a subtask', () => {
  test('scores in full when every case is accepted', () => {
    const more = { ...accepted, runTime: 11, memoryUsage: 99 }
    expect(judgeSubtask([accepted, more], 40)).toEqual({
      status: STATUS.AC,
      score: 40,
      runTime: 11,
      memoryUsage: 100,
      cases: [accepted, more],
    })
  })

  test('scores nothing and takes the verdict of its first failure', () => {
    expect(judgeSubtask([accepted, slow, skipped], 40)).toMatchObject({
      status: STATUS.TLE,
      score: 0,
      runTime: 1000,
      memoryUsage: 100,
    })
    expect(judgeSubtask([accepted, slow, wrong], 40)).toMatchObject({
      status: STATUS.TLE,
      memoryUsage: 900,
    })
  })

  test('does not fail by a case that was skipped', () => {
    expect(judgeSubtask([skipped, wrong], 40).status).toBe(STATUS.WA)
  })

  test('has no time and no memory when none of its cases has', () => {
    const broken: CaseResult = { ...skipped, status: STATUS.JE }
    expect(judgeSubtask([broken, skipped], 40)).toMatchObject({ runTime: null, memoryUsage: null })
  })
})

test('verdicts have the numbers and names of the wire', () => {
  const { CLAIMED, PENDING, AC, WA, CE, TLE, MLE, RE, JE, OLE } = STATUS
  expect([CLAIMED, PENDING, AC, WA, CE, TLE, MLE, RE, JE, OLE]).toEqual([
    -2, -1, 0, 1, 2, 3, 4, 5, 6, 7,
  ])
  expect(Object.entries(STATUS_NAMES)).toHaveLength(9)
  expect([STATUS_NAMES[-1], STATUS_NAMES[3], STATUS_NAMES[4], STATUS_NAMES[7]]).toEqual([
    'Pending',
    'Time Limit Exceed',
    'Memory Limit Exceed',
    'Output Limit Exceed',
  ])
  for (const status of [-2, 8, 0.5]) expect(submissionStatus.safeParse(status).success).toBe(false)
  expect([verdict.safeParse(-1).success, verdict.safeParse(7).success]).toEqual([false, true])
})

describe('a submission', () => {
  test('takes the first failed subtask’s verdict, the sum of scores and the largest figures', () => {
    const subtasks = [
      judgeSubtask([accepted], 0),
      judgeSubtask([wrong, skipped], 40),
      judgeSubtask([slow], 60),
    ]
    expect(judgeOutcome(subtasks)).toEqual({
      status: STATUS.WA,
      score: 0,
      runTime: 1000,
      memoryUsage: 900,
      tasks: subtasks,
    })
  })

  test('keeps the score of the subtasks that passed', () => {
    const subtasks = [
      judgeSubtask([accepted], 0),
      judgeSubtask([accepted], 40),
      judgeSubtask([wrong], 60),
    ]
    expect(judgeOutcome(subtasks)).toMatchObject({ status: STATUS.WA, score: 40 })
  })

  test('is a Judge Error when a subtask is one, and keeps the score of the others', () => {
    const broken: CaseResult = { ...skipped, status: STATUS.JE }
    const subtasks = [
      judgeSubtask([wrong, skipped], 30),
      judgeSubtask([accepted, broken, skipped], 30),
      judgeSubtask([accepted], 40),
    ]
    expect(subtasks[1]).toMatchObject({ status: STATUS.JE, score: 0, runTime: 10 })
    expect(judgeOutcome(subtasks)).toMatchObject({ status: STATUS.JE, score: 40, runTime: 10 })
  })

  test('that did not compile shows every case as skipped and no figures', () => {
    const outcome = outcomeWithoutRun(STATUS.CE, [1, 2])
    expect(outcome).toMatchObject({ status: STATUS.CE, score: 0, runTime: null, memoryUsage: null })
    const subtask = { status: STATUS.CE, score: 0, runTime: null, memoryUsage: null }
    expect(outcome.tasks).toEqual([
      { ...subtask, cases: [skipped] },
      { ...subtask, cases: [skipped, skipped] },
    ])
  })
})
