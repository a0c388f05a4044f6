/** The form of a problem: which subtasks are samples, and which fields depend on each other. */
import { describe, expect, test } from 'vitest'
import { newProblem, problemForm, problemFormOver } from '#contract/problems'

type Given = [points: number, sample?: boolean]

/** A form with subtasks of these points. */
function formOf(...subtasks: Given[]) {
  const limits = { caseCount: 1, memoryLimit: 65_536, timeLimit: 1_000 }
  return {
    problemName: 'Sum',
    description: { description: 'Add.' },
    testCase: subtasks.map(([taskScore, sample]) => ({ ...limits, taskScore, sample })),
  }
}

/** The marks of a form's subtasks, or where the form is wrong. */
function marksOf(given: Given[], stored: [points: number, sample: boolean][] = []) {
  const over = stored.map(([taskScore, sample]) => ({ taskScore, sample }))
  const { data, error } = problemFormOver(over).safeParse(formOf(...given))
  return data?.testCase.map(({ sample }) => sample) ?? error?.issues.map(({ path }) => path)
}

describe('the mark of samples', () => {
  test.each<[string, Given[], boolean[]]>([
    [
      'said',
      [
        [10, true],
        [0, false],
        [90, false],
        [0, true],
      ],
      [true, false, false, true],
    ],
    ['left out before the first points', [[0], [0], [100]], [true, true, false]],
    ['left out of subtasks with points', [[50], [50]], [false, false]],
    ['said after points', [[100], [0, false], [0, true]], [false, false, true]],
  ])('%s', (_title, given, marks) => {
    expect(marksOf(given)).toEqual(marks)
  })

  test('left out without points after points is asked for, each', () => {
    expect(marksOf([[0], [100], [0], [0]])).toEqual([
      ['testCase', 2, 'sample'],
      ['testCase', 3, 'sample'],
    ])
    const { error } = problemForm.safeParse(formOf([100], [0]))
    expect(error?.issues).toMatchObject([{ params: { code: 'sample_unsaid' } }])
  })

  test.each<[string, Given[], [number, boolean][], boolean[]]>([
    [
      'stays as stored',
      [[0], [10], [90]],
      [
        [0, false],
        [10, true],
        [90, false],
      ],
      [false, true, false],
    ],
    [
      'stays as stored after points',
      [[100], [0], [0]],
      [
        [100, false],
        [0, true],
        [0, false],
      ],
      [false, true, false],
    ],
    [
      'is said anew',
      [
        [0, true],
        [100, false],
      ],
      [
        [0, false],
        [100, true],
      ],
      [true, false],
    ],
    [
      'is forgotten with other points',
      [[10], [90]],
      [
        [0, true],
        [10, true],
      ],
      [false, false],
    ],
    ['is that of no points where they are gone', [[0], [100]], [[100, false]], [true, false]],
  ])('left out of a change: %s', (_title, given, stored, marks) => {
    expect(marksOf(given, stored)).toEqual(marks)
  })
})

describe.each([
  ['new', newProblem, { course: 'One' }],
  ['stored', problemForm, {}],
])('a %s problem', (_title, schema, more) => {
  /** What is wrong with the form after these changes. */
  function faults(changes: object) {
    return schema.safeParse({ ...formOf([100]), ...more, ...changes }).error?.issues ?? []
  }

  test('has a total of a hundred points', () => {
    expect(faults({})).toEqual([])
    for (const given of [[99], [100, 1]])
      expect(faults(formOf(...given.map((points): Given => [points])))).toMatchObject([
        { path: ['testCase'], params: { code: 'between', min: 100, max: 100 } },
      ])
  })

  test('has an output for each sample', () => {
    const described = (sampleInput: string[], sampleOutput: string[]) =>
      faults({ description: { description: 'Add.', sampleInput, sampleOutput } })
    expect(described(['1', '2'], ['1', '2'])).toEqual([])
    for (const [inputs, outputs] of [
      [['1'], []],
      [['1'], ['1', '2']],
    ] as const)
      expect(described([...inputs], [...outputs])).toMatchObject([
        { path: ['description', 'sampleOutput'], params: { code: 'required' } },
      ])
  })
})
