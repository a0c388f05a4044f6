import { describe, expect, it } from 'vitest'
import { type CaseResult, judgeSubtask, STATUS, type Verdict } from '#contract/verdicts'
import { operationPollMs } from '../../web/lib/queries/operations.ts'
import { isFiltered, readFilter } from '../../web/features/submissions/filter.ts'
import { hasOutput } from '../../web/features/submissions/output-rules.ts'
import { pollingIntervalMs } from '../../web/lib/api/polling.ts'

describe('pollingIntervalMs', () => {
  it.each([
    [0, false, 300],
    [4_999, false, 300],
    [5_000, false, 800],
    [600_000, false, 800],
    [0, true, 5_000],
    [600_000, true, 5_000],
  ])('after %i ms, hidden %s, asks again in %i ms', (waited, hidden, expected) => {
    expect(pollingIntervalMs(waited, hidden)).toBe(expected)
  })

  it.each([
    [1, false, 800],
    [16, false, 800],
    [17, false, 850],
    [100, true, 5_000],
    [120, true, 6_000],
    [200, false, 10_000],
    [1_000, false, 10_000],
  ])('at place %i, hidden %s, asks again in %i ms', (place, hidden, expected) => {
    expect(pollingIntervalMs(60_000, hidden, false, place)).toBe(expected)
  })

  it('does not ask more often for a place while hints come', () => {
    expect(pollingIntervalMs(60_000, false, true, 1)).toBe(30_000)
  })
})

describe('operationPollMs', () => {
  it.each([
    ['judging', 20, 0, 1_000],
    ['judging', 6_000, 0, 60_000],
    ['judging', 6_000, 5_000, 10_000],
    ['applying', 6_000, 0, 1_000],
    ['ready', 6_000, 6_000, false],
    ['outdated', 6_000, 0, false],
  ] as const)('%s, %i in all and %i done, asks again in %s ms', (phase, total, done, expected) => {
    const rejudge = { phase, expiresAt: 2, changedCount: null, keptCount: null, lostCount: 0 }
    expect(operationPollMs({ state: 'running', total, done, rejudge })).toBe(expected)
  })

  it('asks once a second for another operation, and no more once it is over', () => {
    const operation = { total: 6_000, done: 0 }
    expect(operationPollMs({ ...operation, state: 'running' })).toBe(1_000)
    expect(operationPollMs({ ...operation, state: 'failed' })).toBe(false)
  })
})

describe('the filters in the address', () => {
  it.each([
    ['problemId', '12'],
    ['status', '-1'],
    ['languageType', '2'],
    ['username', 'ann_1'],
  ])('are read each from its own name: %s', (key, text) => {
    const none = { problemId: '', status: '', languageType: '', username: '', label: '' }
    const read = readFilter(new URLSearchParams({ [key]: ` ${text} ` }))
    expect(read).toEqual({ ...none, [key]: text })
    expect(isFiltered(read)).toBe(true)
    expect(isFiltered(readFilter(new URLSearchParams()))).toBe(false)
  })

  it.each([
    ['problemId', '1'.repeat(9), '1'.repeat(10)],
    ['username', 'a'.repeat(16), 'a'.repeat(17)],
  ])('of %s are left out where they are too long', (key, longest, longer) => {
    expect(readFilter(new URLSearchParams({ [key]: longest }))).toMatchObject({ [key]: longest })
    expect(readFilter(new URLSearchParams({ [key]: longer }))).toMatchObject({ [key]: '' })
  })

  it('are left out where the API would refuse them', () => {
    const query = new URLSearchParams('problemId=1&status=-1&languageType=x&username=a%20b')
    const read = { problemId: '1', status: '-1', languageType: '', username: '', label: '' }
    expect(readFilter(query)).toEqual(read)
  })
})

describe('hasOutput', () => {
  const skipped = { status: null, runTime: null, memoryUsage: null }
  const subtask = {
    status: 1 as const,
    score: 0,
    runTime: 1,
    memoryUsage: 1,
    cases: [
      { status: 0 as const, runTime: 1, memoryUsage: 1 },
      { status: 1 as const, runTime: 1, memoryUsage: 1 },
      skipped,
    ],
  }

  it.each([
    ['the submitter, sample', true, false, [true, true, false]],
    ['the submitter, other', false, false, [false, false, false]],
    ['staff, other', false, true, [false, true, false]],
  ])('%s', (_, isSample, isStaff, expected) => {
    expect(subtask.cases.map((__, index) => hasOutput(subtask, index, isSample, isStaff))).toEqual(
      expected,
    )
  })

  function cases(...statuses: (Verdict | null)[]): CaseResult[] {
    return statuses.map((status) => ({ status, runTime: null, memoryUsage: null }))
  }

  it('a case that could not be judged shows no output, the sample before it does', () => {
    const subtask = judgeSubtask(cases(STATUS.AC, STATUS.JE, null), 0)
    const shown = subtask.cases.map((_, index) => hasOutput(subtask, index, true, true))
    expect(shown).toEqual([true, false, false])
  })

  it('staff see the first failing case, the submitter only samples', () => {
    const subtask = judgeSubtask(cases(STATUS.AC, STATUS.WA, null), 40)
    const shown = subtask.cases.map((_, index) => hasOutput(subtask, index, false, true))
    expect(shown).toEqual([false, true, false])
    expect(hasOutput(subtask, 1, false, false)).toBe(false)
  })
})
