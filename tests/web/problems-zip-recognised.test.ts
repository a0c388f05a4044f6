import { describe, expect, it } from 'vitest'
import {
  addCase,
  applyMapping,
  casesBySubtask,
  moveCases,
  moveUp,
  subtaskCount,
  type CaseMapping,
} from '../../web/features/problems/zip/case-mapping.ts'
import { casesByPattern } from '../../web/features/problems/zip/case-pattern.ts'
import { recogniseCases } from '../../web/features/problems/zip/recognise-cases.ts'

/** Zip entries with these names; a name that ends in `/` is a folder. */
function entriesOf(names: string) {
  return names
    .trim()
    .split(/\s+/)
    .map((name, index) => ({
      name,
      sizeBytes: 10,
      packedBytes: 10,
      offset: index * 1000,
      isDirectory: name.endsWith('/'),
      isSymlink: false,
      isEncrypted: false,
      compressionMethod: 8,
    }))
}

/** The inputs of each subtask, without their common beginning. */
function inputsOf(mapping: CaseMapping): string[] {
  return Array.from({ length: subtaskCount(mapping) }, (_, subtask) =>
    mapping.cases
      .filter((pair) => pair.subtask === subtask)
      .map(({ input }) => input)
      .join(' '),
  )
}

/** For each subtask, whether it holds only samples. */
function samplesOf(mapping: CaseMapping): boolean[] {
  return casesBySubtask(mapping).map((cases) => cases.every(({ isSample }) => isSample))
}

function recognised(names: string): string[] {
  const mapping = recogniseCases(entriesOf(names))
  return inputsOf(mapping)
}

describe('the layouts of everyday zips', () => {
  it.each([
    ['the rules', '0000.in 0000.out 0100.in 0100.out', ['0000.in', '0100.in']],
    ['the rules, from 01', '0101.in 0101.out 0201.in 0201.out', ['0101.in', '0201.in']],
    ['four digits that only count', '0001.in 0001.out 0002.in 0002.out', ['0001.in 0002.in']],
    ['.in and .out', '10.in 10.out 2.in 2.out 1.in 1.out', ['1.in 2.in 10.in']],
    ['.in and .ans', '1.in 1.ans 2.in 2.ans', ['1.in 2.in']],
    ['upper case', '1.IN 1.OUT 2.IN 2.OUT', ['1.IN 2.IN']],
    ['Polygon', 'tests/01 tests/01.a tests/02 tests/02.a', ['tests/01 tests/02']],
    ['.txt', 'input1.txt output1.txt input2.txt output2.txt', ['input1.txt input2.txt']],
    ['a number at the end', 'input.1 output.1 input.2 output.2', ['input.1 input.2']],
    ['in Chinese', '輸入1.txt 輸出1.txt 輸入2.txt 輸出2.txt', ['輸入1.txt 輸入2.txt']],
    ['two endings', '1.in.txt 1.out.txt', ['1.in.txt']],
    [
      'one folder a side',
      'input/1.txt input/2.txt output/1.txt output/2.txt',
      ['input/1.txt input/2.txt'],
    ],
    [
      'one folder a side, named twice',
      'input/input00.txt input/input01.txt output/output00.txt output/output01.txt',
      ['input/input00.txt input/input01.txt'],
    ],
    [
      'one folder a case',
      'all/1/input.txt all/1/output.txt all/10/input.txt all/10/output.txt all/9/input.txt all/9/output.txt',
      ['all/1/input.txt all/9/input.txt all/10/input.txt'],
    ],
    ['test1.in', 'test1.in test1.out test2.in test2.out', ['test1.in test2.in']],
    [
      'samples and secrets',
      'p/data/secret/1.in p/data/secret/1.ans p/data/sample/1.in p/data/sample/1.ans p/problem.yaml',
      ['p/data/sample/1.in', 'p/data/secret/1.in'],
    ],
    [
      'groups of secrets',
      'secret/group10/a.in secret/group10/a.ans secret/group2/a.in secret/group2/a.ans sample/1.in sample/1.ans',
      ['sample/1.in', 'secret/group2/a.in', 'secret/group10/a.in'],
    ],
    [
      'a folder a subtask',
      'subtask1/01.in subtask1/01.out subtask1/02.in subtask1/02.out subtask2/01.in subtask2/01.out',
      ['subtask1/01.in subtask1/02.in', 'subtask2/01.in'],
    ],
    [
      'a folder a subtask, of one case each',
      'subtask1/input.txt subtask1/output.txt subtask2/input.txt subtask2/output.txt',
      ['subtask1/input.txt', 'subtask2/input.txt'],
    ],
    ['1-01', '1-01.in 1-01.out 1-02.in 1-02.out 2-01.in 2-01.out', ['1-01.in 1-02.in', '2-01.in']],
    ['1a', '1a.in 1a.out 1b.in 1b.out 2a.in 2a.out', ['1a.in 1b.in', '2a.in']],
    ['g1t1', 'g1t1.in g1t1.out g1t2.in g1t2.out g2t1.in g2t1.out', ['g1t1.in g1t2.in', 'g2t1.in']],
    [
      'samples in the names',
      'sample01.in sample01.out 1.in 1.out 2.in 2.out',
      ['sample01.in', '1.in 2.in'],
    ],
    ['Kattis names', '01-random.in 01-random.ans 02-max.in 02-max.ans', ['01-random.in 02-max.in']],
    ['dates before', '2024-1.in 2024-1.out 2024-2.in 2024-2.out', ['2024-1.in 2024-2.in']],
    ['English words', 'all-in-1.in all-in-1.out all-1.in all-1.out', ['all-1.in all-in-1.in']],
    ['from Windows', 'd\\1.in d\\1.out', ['d\\1.in']],
  ])('%s', (_, names, subtasks) => {
    expect(recognised(names)).toEqual(subtasks)
    // A folder around everything and a Mac's extra files only change the names.
    const wrapped = names
      .split(' ')
      .map((name) => `my-sum/${name} __MACOSX/my-sum/${name.replace(/[^/]+$/, '._$&')}`)
    expect(recognised(`my-sum/ my-sum/.DS_Store ${wrapped.join(' ')}`)).toEqual(
      subtasks.map((inputs) => inputs.replace(/^| /g, '$&my-sum/')),
    )
  })

  it('a zip that is all samples hides none of its outputs by guess', () => {
    const mapping = recogniseCases(entriesOf('sample1.in sample1.out sample2.in sample2.out'))
    expect(samplesOf(mapping)).toEqual([false])
  })

  it('samples are known by folder or name', () => {
    const mapping = recogniseCases(entriesOf('sample/1.in sample/1.out secret/1.in secret/1.out'))
    expect(samplesOf(mapping)).toEqual([true, false])
  })

  it('more cases than a subtask may have become two subtasks', () => {
    const names = Array.from({ length: 150 }, (_, index) => `${index}.in ${index}.out`).join(' ')
    expect(recognised(names).map((inputs) => inputs.split(' ').length)).toEqual([100, 50])
  })
})

describe('what is ignored', () => {
  it('has a reason', () => {
    const { ignored } = recogniseCases(
      entriesOf('1.in 1.out 1.ans 2.in 3.out readme.txt a.pdf .DS_Store Thumbs.db x/'),
    )
    expect(ignored.toSorted((left, right) => (left.name < right.name ? -1 : 1))).toEqual([
      { name: '.DS_Store', reason: 'system' },
      { name: '1.out', reason: 'second' },
      { name: '2.in', reason: 'unpaired' },
      { name: '3.out', reason: 'unpaired' },
      { name: 'Thumbs.db', reason: 'system' },
      { name: 'a.pdf', reason: 'other' },
      { name: 'readme.txt', reason: 'other' },
    ])
  })

  it('names of the language itself are names', () => {
    expect(recognised('constructor.in constructor.out __proto__.in __proto__.out')).toEqual([
      '__proto__.in constructor.in',
    ])
  })
})

describe('corrections', () => {
  const entries = entriesOf('1.in 1.out 2.in 2.out 3.in 3.out odd.in even.out')
  const mapping = recogniseCases(entries)

  it('cases move to another subtask, to a new one, and out', () => {
    const moved = moveCases(mapping, [0], 1)
    expect(inputsOf(moved)).toEqual(['2.in 3.in', '1.in'])
    expect(inputsOf(moveUp(moved, 1))).toEqual(['1.in', '2.in 3.in'])
    expect(inputsOf(moveCases(moved, [1, 2], null))).toEqual(['1.in'])
    expect(inputsOf(moveCases(moved, [0, 1, 2], 0))).toEqual(['1.in 2.in 3.in'])
  })

  it('two files without partner become a case', () => {
    const added = addCase(mapping, { input: 'odd.in', output: 'even.out', subtask: 0 })
    expect(inputsOf(added)).toEqual(['1.in 2.in 3.in odd.in'])
    expect(added.ignored).toEqual([])
  })

  it.each([
    ['{case}.in', '{case}.out', ['1.in 2.in 3.in']],
    ['{subtask}.in', '{subtask}.out', ['1.in', '2.in', '3.in']],
    ['odd.in', 'even.out', ['odd.in']],
    ['*.in', '*.out', ['1.in']],
    ['{case}.(in', '[.out', []],
    ['{case}.in', '{case}.in', []],
    ['', '', []],
  ])('the patterns %s and %s', (input, output, subtasks) => {
    expect(inputsOf(casesByPattern(entries, { input, output }))).toEqual(subtasks)
  })

  it.each([
    ['sample/1.in sample/1.out 1/1.in 1/1.out', [false, true]],
    [
      'Example-Sum/1/1.in Example-Sum/1/1.out Example-Sum/2/1.in Example-Sum/2/1.out',
      [false, false],
    ],
    ['counterexamples/1.in counterexamples/1.out 1/1.in 1/1.out', [false, false]],
    ['samples/1.in samples/1.out', [false]],
  ])('patterns know samples by the same words: %s', (names, samples) => {
    const found = casesByPattern(entriesOf(names), {
      input: '{subtask}/{case}.in',
      output: '{subtask}/{case}.out',
    })
    expect(samplesOf(found)).toEqual(samples)
    const recognisedOnes = samplesOf(recogniseCases(entriesOf(names)))
    expect(recognisedOnes.includes(true)).toBe(samples.includes(true))
  })

  it('patterns look at the end of the path, and folders stay apart', () => {
    const found = casesByPattern(
      entriesOf('a/7x1.in a/7x1.out b/7x1.in b/7x1.out b/8x1.in b/8x1.out'),
      {
        input: '{subtask}x{case}.in',
        output: '{subtask}x{case}.out',
      },
    )
    expect(inputsOf(found)).toEqual(['a/7x1.in', 'b/7x1.in', 'b/8x1.in'])
  })

  it.each(['/', '\\'])('patterns with %s find the folders of a zip from Windows', (slash) => {
    const found = casesByPattern(entriesOf(String.raw`1\1.in 1\1.out 2\1.in 2\1.out`), {
      input: `{subtask}${slash}{case}.in`,
      output: `{subtask}${slash}{case}.out`,
    })
    expect(inputsOf(found)).toEqual([String.raw`1\1.in`, String.raw`2\1.in`])
  })
})

describe('faults', () => {
  it('are told with the names of the zip', () => {
    const entries = entriesOf('a/1.in a/1.out').map((entry) => ({ ...entry, isEncrypted: true }))
    const { errors } = applyMapping(entries, recogniseCases(entries))
    expect(errors.map(({ path, code }) => [path[1], code])).toEqual(
      expect.arrayContaining([
        ['a/1.in', 'encrypted'],
        ['a/1.out', 'encrypted'],
      ]),
    )
  })

  it('a zip without a pair', () => {
    const lonely = entriesOf('1.in 2.in')
    expect(applyMapping(lonely, recogniseCases(lonely)).errors[0]?.code).toBe('no_cases')
  })

  it.each([
    ['a subtask of as many cases as one may have', 100, 1, false],
    ['a subtask of one case more', 101, 1, true],
    ['as many subtasks as a problem may have', 1, 100, false],
    ['one subtask more', 1, 101, true],
  ])('%s', (_, cases, subtasks, isTooMany) => {
    const pairs = Array.from({ length: cases * subtasks }, (__, index) => ({
      input: `${index}.in`,
      output: `${index}.out`,
      subtask: Math.floor(index / cases),
      isSample: false,
    }))
    const entries = entriesOf(pairs.map(({ input, output }) => `${input} ${output}`).join(' '))
    const { files, errors } = applyMapping(entries, { cases: pairs, ignored: [] })
    expect(errors.map(({ code }) => code)).toEqual(isTooMany ? ['too_many_cases'] : [])
    expect(files).toHaveLength(isTooMany ? 0 : entries.length)
  })

  it('a name that occurs twice', () => {
    const entries = entriesOf('1.in 1.out 1.in')
    expect(applyMapping(entries, recogniseCases(entries)).errors.map(({ code }) => code)).toContain(
      'duplicate',
    )
  })
})

it('a zip of links is told so, whether the links are files or folders', () => {
  for (const names of ['1.in 1.out 2.in 2.out', 'secret']) {
    const links = entriesOf(names).map((entry) => ({ ...entry, isSymlink: true }))
    const { errors } = applyMapping(links, recogniseCases(links))
    const [first] = links
    expect(errors).toMatchObject([
      { path: ['case', first?.name], code: 'symlink', params: { count: links.length } },
    ])
  }
})
