import { describe, expect, it } from 'vitest'
import type { CompareMode } from '#contract/problems/compare'
import { ALL_LANGUAGES_MASK } from '#contract/languages/codes'
import { problemForm } from '#contract/problems'
import { entryName } from '#contract/problems/test-data'
import { casesBySubtask } from '../../web/features/problems/zip/case-mapping.ts'
import {
  newCompare,
  toCompare,
  toCompareValues,
} from '../../web/features/problems/edit/compare-values.ts'
import { emptyProblem, splitTags, toForm } from '../../web/features/problems/edit/form-values.ts'
import { toNumberField } from '../../web/lib/format/number-field.ts'
import { recogniseCases } from '../../web/features/problems/zip/recognise-cases.ts'
import {
  newSubtask,
  toSubtaskValues,
  totalScore,
  withZipSubtasks,
  withSplitScores,
  withTypedScores,
  type ZipSubtasks,
  type SubtaskValues,
} from '../../web/features/problems/edit/subtask-values.ts'
import { partRanges, retryDelayMs } from '../../web/features/problems/upload/upload-test-data.ts'

/** The subtasks that a zip with the judge's file names has. */
function counts(...caseCounts: number[]): ZipSubtasks {
  const subtasks = caseCounts.map((count, subtask) =>
    Array.from({ length: count }, (_, index) => ({
      input: entryName(subtask, index, 'in'),
      isSample: false,
    })),
  )
  return { subtasks, isReady: true }
}

/** The subtasks that the names of a zip's files show. */
function named(names: string): ZipSubtasks {
  const entries = names
    .split(' ')
    .flatMap((name) =>
      ['in', 'out'].map((side) => ({ name: `${name}.${side}`, isDirectory: false })),
    )
  return { subtasks: casesBySubtask(recogniseCases(entries)), isReady: false }
}

const filled = { ...emptyProblem(), problemName: 'Sum', description: 'Add.' }

describe('the problem form', () => {
  it('starts hidden, unlimited, with every language and 100 points', () => {
    const form = toForm(filled)
    expect(problemForm.safeParse(form).success).toBe(true)
    expect(form).toMatchObject({ status: 1, quota: -1, allowedLanguage: ALL_LANGUAGES_MASK })
    expect(totalScore(filled.subtasks)).toBe(100)
  })
})

/** A header file that belongs to a checker. */
const beside = (bytes: number, name = 'validate.h') => ({
  headers: [{ name, text: '/'.repeat(bytes) }],
})

describe('how the form compares outputs', () => {
  it.each<CompareMode>([
    { mode: 'lines' },
    { mode: 'tokens' },
    { mode: 'tokens', ignoreCase: true },
    { mode: 'lines', ignoreCase: true },
    { mode: 'exact' },
    { mode: 'float', absolute: 0.001, relative: 1e-9 },
    { mode: 'float', relative: 0 },
    { mode: 'checker', language: 'py3', source: 'exit(0)\r\n' },
    { mode: 'interactor', language: 'cpp', source: 'int main() {}' },
    {
      mode: 'checker',
      language: 'cpp',
      source: 'int main() {}',
      headers: [{ name: 'validate.h', text: '' }],
    },
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
    [{ mode: 'interactor', source: 'x'.repeat(262_145) }, 'compare.source'],
    [{ mode: 'checker', source: 'x'.repeat(200_000), ...beside(62_145) }, 'compare.headers'],
    [{ mode: 'checker', source: 'x', language: 'py3', ...beside(1) }, 'compare.headers'],
    [{ mode: 'checker', source: 'x', ...beside(1, 'a/b.h') }, 'compare.headers.0.name'],
    [{ mode: 'checker', source: 'x', ...beside(1, 'Main.cpp') }, 'compare.headers.0.name'],
  ] as const)('%j is refused at its field', (change, path) => {
    const refused = problemForm.safeParse(
      toForm({ ...filled, compare: { ...newCompare(), ...change } }),
    )
    expect(refused.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})

it('a checker has room for testlib.h beside it', () => {
  const compare = { ...newCompare(), mode: 'checker' as const, source: 'x', ...beside(210_000) }
  expect(problemForm.safeParse(toForm({ ...filled, compare })).success).toBe(true)
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
    for (const change of [{ timeMs: '' as const }, { taskScore: 99 }, { caseCount: 0 }]) {
      const values = { ...filled, limits: null, subtasks: [{ ...subtask, ...change }] }
      expect(problemForm.safeParse(toForm(values)).success).toBe(false)
    }
  })

  it.each([
    ['', []],
    ['a', ['a']],
    [' a , b,,a ', ['a', 'b']],
    ['圖論，排序', ['圖論', '排序']],
  ])('splits the tags %j', (text, expected) => {
    expect(splitTags(text)).toEqual(expected)
  })

  it("takes a zip's case counts, keeps limits and splits the points", () => {
    const [subtask] = filled.subtasks
    if (subtask === undefined) throw new Error('the empty form has a subtask')
    const counted = withZipSubtasks([{ ...subtask, timeMs: 7 }], counts(3, 5, 2), null)
    expect(counted.map(({ caseCount, taskScore }) => [caseCount, taskScore])).toEqual([
      [3, 33],
      [5, 33],
      [2, 34],
    ])
    expect(counted.map(({ timeMs }) => timeMs)).toEqual([7, 1000, 1000])
    expect(withZipSubtasks(counted, counts(2), null)).toMatchObject([
      { caseCount: 2, taskScore: 100 },
    ])
  })
})

describe('points', () => {
  const row = (change: object) => ({ ...newSubtask(), ...change })
  const typed = (taskScore: number | '') => row({ taskScore, isScoreTyped: true })
  const scores = (rows: { taskScore: number | '' }[]) => rows.map(({ taskScore }) => taskScore)

  it.each([
    ['samples get none', [row({ sample: true }), row({}), row({})], [0, 50, 50]],
    ['typed ones stay', [typed(40), row({}), row({}), row({})], [40, 20, 20, 20]],
    ['also those of samples', [{ ...typed(10), sample: true }, row({})], [10, 90]],
    ['and when too many', [typed(80), typed(80), row({})], [80, 80, 0]],
    ['or none yet', [typed(''), row({})], ['', 100]],
    ['of samples alone nothing is made', [row({ sample: true })], [0]],
  ])('are split: %s', (_, rows, expected) => {
    expect(scores(withSplitScores(rows))).toEqual(expected)
  })

  it.each([
    ['20 / 30 / 50', [20, 30, 50]],
    ['20,30', [20, 30, 50]],
    ['20', [20, 40, 40]],
    ['33、33、33', [33, 33, 33]],
    ['', [33, 33, 34]],
  ])('typed in one row as %j are %j', (text, expected) => {
    const rows = withSplitScores([row({}), row({}), row({})])
    expect(scores(withTypedScores(rows, text))).toEqual(expected)
  })

  it.each([
    ['-', ''],
    ['', ''],
    ['30', 30],
    [30, 30],
  ])('of the input %j are %j: no other score becomes NaN', (text, taskScore) => {
    const rows = withSplitScores([typed(toNumberField(text)), row({})])
    expect(scores(rows)).toEqual([taskScore, 100 - Number(taskScore)])
  })

  it.each([
    ['an even split was not typed', [0, 50, 50], [0, 33, 33, 34]],
    ['another one was', [0, 40, 60], [0, 40, 60, 0]],
  ])('of a stored problem: %s', (_, stored, expected) => {
    const limits = { caseCount: 1, timeLimit: 1, memoryLimit: 1024, outputLimit: 1 }
    const rows = toSubtaskValues(
      stored.map((taskScore, index) => ({ ...limits, taskScore, sample: index === 0 })),
    )
    expect(scores(rows)).toEqual(stored)
    expect(scores(withZipSubtasks(rows, counts(1, 1, 1, 1), null))).toEqual(expected)
  })
})

describe('the marks of samples that a zip leads to', () => {
  const marks = (rows: SubtaskValues[]) => rows.map(({ sample }) => sample)
  const marked = (...samples: boolean[]) =>
    samples.map((sample) => ({ ...newSubtask(1, 0), sample }))

  it('are those that its names propose, and get no points', () => {
    const rows = withZipSubtasks([newSubtask()], named('sample/1 1/1 1/2'), null)
    expect(rows.map(({ sample, taskScore }) => [sample, taskScore])).toEqual([
      [true, 0],
      [false, 100],
    ])
  })

  it('are never those of other cases that stood at the same place', () => {
    const stored = marked(true, false, false)
    expect(marks(withZipSubtasks(stored, named('1/1 1/2 2/1'), null))).toEqual([false, false])
    const last = marked(false, false, true)
    const found = named('sample/1 1/1 2/1')
    expect(marks(withZipSubtasks(last, found, null))).toEqual([true, false, false])
    expect(marks(withZipSubtasks(stored, counts(1, 2), found))).toEqual([false, false])
  })

  it('are the stored ones where the names say nothing', () => {
    expect(marks(withZipSubtasks(marked(true, false), counts(1, 2), null))).toEqual([true, false])
  })

  it("are the teacher's once set by hand, and go with their cases", () => {
    const found = named('sample/1 1/1 1/2')
    expect(marks(withZipSubtasks(marked(false, false), found, found))).toEqual([false, false])
    const [samples = [], secret = []] = found.subtasks
    const moved = { subtasks: [secret, samples], isReady: false }
    expect(marks(withZipSubtasks(marked(false, true), found, moved))).toEqual([true, false])
    expect(marks(withZipSubtasks(marked(true, true), moved, found))).toEqual([true, true])
    const two = named('1/1 2/1 3/1')
    const [first = [], second = [], third = []] = two.subtasks
    const up = { subtasks: [second, first, third], isReady: false }
    expect(marks(withZipSubtasks(marked(false, true, false), up, two))).toEqual([
      true,
      false,
      false,
    ])
    const mixed = { subtasks: [[...second, ...third], first], isReady: false }
    expect(marks(withZipSubtasks(marked(false, true, false), mixed, two))).toEqual([false, false])
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
})
