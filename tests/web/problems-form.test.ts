import { describe, expect, it } from 'vitest'
import type { CompareMode } from '#contract/compare'
import { ALL_LANGUAGES_MASK } from '#contract/languages'
import { problemForm } from '#contract/problems'
import {
  newCompare,
  toCompare,
  toCompareValues,
} from '../../web/features/problems/compare-values.ts'
import {
  emptyProblem,
  splitTags,
  toForm,
  toValues,
  totalScore,
  withCaseCounts,
} from '../../web/features/problems/form-values.ts'
import { secondsToWait } from '../../web/features/problems/patient-call.ts'
import { partRanges, retryDelayMs } from '../../web/features/problems/upload-test-data.ts'
import { ApiError } from '../../web/lib/api-error.ts'

const filled = { ...emptyProblem(), problemName: 'Sum', description: 'Add.' }

describe('the problem form', () => {
  it('starts hidden, unlimited, with every language and 100 points', () => {
    const form = toForm(filled)
    expect(problemForm.safeParse(form).success).toBe(true)
    expect(form).toMatchObject({ status: 1, quota: -1, allowedLanguage: ALL_LANGUAGES_MASK })
    expect(totalScore(filled.subtasks)).toBe(100)
  })

  it('survives the way to the contract and back', () => {
    const values = {
      ...filled,
      hidden: false,
      unlimited: false,
      quota: 5,
      tags: 'a, b',
      languages: ['0', '2'],
      samples: [{ input: '1 2\n', output: '3\n' }],
      subtasks: [
        { caseCount: 2, taskScore: 0, timeMs: 500, memoryMb: 64.5, outputKb: 100 },
        { caseCount: 3, taskScore: 100, timeMs: 1000, memoryMb: 256, outputKb: 65_536 },
      ],
    }
    const stored = problemForm.parse(toForm(values))
    expect(stored.testCase[0]?.memoryLimit).toBe(66_048)
    const back = toValues({
      ...stored,
      problemId: 1,
      course: 'Demo',
      quotaUsed: 0,
      submitCount: 0,
      highScore: null,
      hasTestData: true,
      owner: 'teacher',
      testDataVersion: null,
      quotaResetAt: 0,
      canManage: true,
    })
    expect(back).toEqual(values)
  })
})

describe('how the form compares outputs', () => {
  it.each<CompareMode>([
    { mode: 'lines' },
    { mode: 'tokens' },
    { mode: 'exact' },
    { mode: 'float', absolute: 0.001, relative: 1e-9 },
    { mode: 'float', relative: 0 },
    { mode: 'checker', language: 'py3', source: 'exit(0)\r\n' },
    { mode: 'interactor', language: 'cpp', source: 'int main() {}' },
  ])('keeps how outputs are compared: %j', (compare) => {
    expect(toCompare(toCompareValues(compare))).toEqual(compare)
  })

  it('keeps what was typed for one comparison while another is looked at', () => {
    const typed = { ...newCompare(), mode: 'float' as const, absolute: ' 1e-3 ', relative: '' }
    expect(toCompare({ ...typed, mode: 'tokens' })).toEqual({ mode: 'tokens' })
    expect(toCompare(typed)).toEqual({ mode: 'float', absolute: 0.001, relative: undefined })
    expect(toCompareValues({ mode: 'float' })).toMatchObject({ absolute: '0.000001' })
  })

  it.each([
    [{ mode: 'float', absolute: 'x' }, 'compare.absolute'],
    [{ mode: 'float', relative: '-1' }, 'compare.relative'],
    [{ mode: 'checker', source: ' ' }, 'compare.source'],
    [{ mode: 'interactor', source: 'x'.repeat(65_537) }, 'compare.source'],
  ] as const)('%j is refused at its field', (change, path) => {
    const refused = problemForm.safeParse(
      toForm({ ...filled, compare: { ...newCompare(), ...change } }),
    )
    expect(refused.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})

describe('rows and texts of the form', () => {
  it('leaves out sample rows that are empty on both sides', () => {
    const values = {
      ...filled,
      samples: [
        { input: '', output: '' },
        { input: '', output: 'x' },
      ],
    }
    expect(toForm(values).description).toMatchObject({ sampleInput: [''], sampleOutput: ['x'] })
  })

  it('is refused while a number is missing or the scores do not total 100', () => {
    const [subtask] = filled.subtasks
    if (subtask === undefined) throw new Error('the empty form has a subtask')
    for (const change of [{ timeMs: '' as const }, { taskScore: 99 }, { caseCount: 0 }])
      expect(
        problemForm.safeParse(toForm({ ...filled, subtasks: [{ ...subtask, ...change }] })).success,
      ).toBe(false)
  })

  it.each([
    ['', []],
    ['a', ['a']],
    [' a , b,,a ', ['a', 'b']],
    ['圖論，排序', ['圖論', '排序']],
  ])('splits the tags %j', (text, expected) => {
    expect(splitTags(text)).toEqual(expected)
  })

  it("takes a zip's case counts and keeps scores and limits", () => {
    const counted = withCaseCounts(filled.subtasks, [3, 5])
    expect(counted.map(({ caseCount, taskScore }) => [caseCount, taskScore])).toEqual([
      [3, 100],
      [5, 0],
    ])
    expect(withCaseCounts(counted, [2])).toHaveLength(1)
  })
})

describe('the upload', () => {
  it.each([
    [1, 8, [[1, 0, 1]]],
    [8, 8, [[1, 0, 8]]],
    [
      9,
      8,
      [
        [1, 0, 8],
        [2, 8, 9],
      ],
    ],
    [0, 8, []],
  ])('cuts %i bytes into parts of %i', (size, partSize, expected) => {
    expect(
      partRanges(size, partSize).map(({ number, start, end }) => [number, start, end]),
    ).toEqual(expected)
  })

  it('waits longer after each failure', () => {
    expect([1, 2, 3, 4].map(retryDelayMs)).toEqual([1_000, 2_000, 4_000, 8_000])
  })

  it.each([
    ['as told', 429, 7, 0, 7],
    ['never at once', 429, 0, 0, 1],
    ['not for ever', 429, 7, 295, null],
    ['not for a page that nobody looks at any more', 429, 3_600, 0, null],
    ['not without being told', 429, null, 0, null],
    ['not for another refusal', 409, 7, 0, null],
  ])('waits when the API says so: %s', (_, status, told, waited, expected) => {
    const error = new ApiError({ status, code: 'any', message: '', retryAfterSeconds: told })
    expect(secondsToWait(error, waited)).toBe(expected)
  })
})
