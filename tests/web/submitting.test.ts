import { describe, expect, it } from 'vitest'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import {
  compareLines,
  lineComparison,
  type LineComparison,
  visibleControls,
  visibleSpace,
} from '../../web/features/submissions/compare-lines.ts'
import { draftKey } from '../../web/features/submissions/draft.ts'
import { readFilter, withFilter } from '../../web/features/submissions/filter.ts'
import { hasOutput } from '../../web/features/submissions/output-rules.ts'
import { languageOfFile, preselect, refusalOf } from '../../web/features/submissions/source.ts'
import { pollingIntervalMs } from '../../web/lib/polling.ts'
import { languageOf } from '#contract/languages'

const c = languageOf(0)

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
})

describe('draftKey', () => {
  it('is one per user, problem and language, whatever the case of the name', () => {
    const place = { username: 'Ann', problemId: 1, language: 'c' } as const
    expect(draftKey(place)).toBe('draft:ann:1:c')
    expect(draftKey({ ...place, username: 'ANN' })).toBe(draftKey(place))
    const others = [
      { ...place, username: 'ann1' },
      { ...place, problemId: 11 },
      { ...place, language: 'cpp' } as const,
    ].map(draftKey)
    expect(new Set([draftKey(place), ...others]).size).toBe(4)
  })
})

describe('the language', () => {
  it.each([
    [7, null, undefined],
    [7, 'cpp', 'cpp'],
    [7, 'java', undefined],
    [4, null, 'py3'],
    [4, 'c', 'py3'],
    [3, 'py3', undefined],
  ])('of mask %i after %j is preselected as %j', (mask, last, expected) => {
    expect(preselect(mask, last)?.id).toBe(expected)
  })

  it.each([
    ['main.c', 7, 'c'],
    ['A.CPP', 7, 'cpp'],
    ['x.cc', 7, 'cpp'],
    ['x.py', 7, 'py3'],
    ['x.py', 3, undefined],
    ['x.txt', 7, undefined],
    ['c', 7, 'c'],
  ])('of the file %s with mask %i is %j', (name, mask, expected) => {
    expect(languageOfFile(name, mask)?.id).toBe(expected)
  })
})

describe('refusalOf', () => {
  it.each([
    ['', c, 'emptyCode'],
    ['x', null, 'noLanguage'],
    [' \n', c, null],
    ['x'.repeat(SOURCE_LIMIT_BYTES), c, null],
    ['é'.repeat(SOURCE_LIMIT_BYTES / 2 + 1), c, 'tooLarge'],
  ] as const)('judges code no. %#', (code, language, expected) => {
    expect(refusalOf(code, language)).toBe(expected)
  })
})

describe('the filters in the address', () => {
  it('are left out where the API would refuse them', () => {
    const query = new URLSearchParams('problemId=1&status=-1&languageType=x&username=a%20b')
    expect(readFilter(query)).toEqual({
      problemId: '1',
      status: '-1',
      languageType: '',
      username: '',
    })
  })

  it('keep the others when one changes', () => {
    const query = new URLSearchParams('problemId=1&status=0')
    expect(withFilter(query, 'status', '').toString()).toBe('problemId=1')
    expect(withFilter(query, 'username', 'ann').toString()).toBe(
      'problemId=1&status=0&username=ann',
    )
  })
})

describe('hasOutput', () => {
  const skipped = { status: null, runTime: null, memoryUsage: null }
  const task = {
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
    expect(task.cases.map((__, index) => hasOutput(task, index, isSample, isStaff))).toEqual(
      expected,
    )
  })
})

describe('compareLines', () => {
  it('marks lines by the way outputs are compared, and none where others may be right too', () => {
    const differs = (comparison: LineComparison) =>
      compareLines('1  2 \n', '1 2\n', comparison).map((line) => line.differs)
    expect(differs('lines')).toEqual([true])
    expect(differs('tokens')).toEqual([false])
    expect(differs('exact')).toEqual([true])
    expect(compareLines('1', '2', null)).toEqual([{ text: '1', differs: false }])
    expect(lineComparison({ mode: 'checker' })).toBeNull()
    expect(lineComparison({ mode: 'exact' })).toBe('exact')
  })

  it('marks lines that differ, and no white space at line ends', () => {
    expect(compareLines('1 \n2\n', '1\n3\n')).toEqual([
      { text: '1 ', differs: false },
      { text: '2', differs: true },
    ])
  })

  it('marks lines the other text does not have', () => {
    expect(compareLines('1\n2', '1').map(({ differs }) => differs)).toEqual([false, true])
    expect(compareLines('', '1')).toEqual([])
  })

  it('shows white space', () => {
    expect(visibleSpace('a b\t\r')).toBe('a·b→\t␍')
    expect(visibleSpace('\0\x1b[31m\x7f')).toBe('␀␛[31m␡')
    expect(visibleControls('a b\t\0')).toBe('a b\t␀')
  })
})
