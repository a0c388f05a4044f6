import { describe, expect, test } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import {
  checkCaseCounts,
  checkTestData,
  entryName,
  type TestDataEntry,
} from '#contract/problems/test-data'

/** Zip entries with these names, one after the other in the file. */
function entriesOf(names: string[], changes: Partial<TestDataEntry> = {}): TestDataEntry[] {
  return names.map((name, index) => ({
    name,
    sizeBytes: 10,
    packedBytes: 10,
    offset: index * 100,
    isDirectory: false,
    isSymlink: false,
    isEncrypted: false,
    compressionMethod: 8,
    ...changes,
  }))
}

const PAIR = ['0000.in', '0000.out']
/** Size of a local header without its name (APPNOTE 4.3.7). */
const HEADER_BYTES = 30

/** The names and error codes of the entries that are wrong. */
function faults(entries: TestDataEntry[]): string[] {
  return checkTestData(entries).errors.map((error) => `${String(error.path[1])} ${error.code}`)
}

describe('a test-data zip', () => {
  test('of two subtasks is counted', () => {
    const names = [...PAIR, '0100.in', '0100.out', '0101.out', '0101.in']
    expect(checkTestData(entriesOf(names))).toEqual({ caseCounts: [1, 2], errors: [] })
  })

  test('is counted in any order of its names', () => {
    const names = ['0001.in', '0001.out', ...PAIR]
    expect(checkTestData(entriesOf(names))).toEqual({ caseCounts: [2], errors: [] })
  })

  test('may hold empty and stored files', () => {
    expect(faults(entriesOf(PAIR, { sizeBytes: 0, packedBytes: 0, compressionMethod: 0 }))).toEqual(
      [],
    )
  })

  test.each([
    ['a folder', { isDirectory: true }, 'directory'],
    ['a link', { isSymlink: true }, 'symlink'],
    ['an encrypted entry', { isEncrypted: true }, 'encrypted'],
    ['an unknown method', { compressionMethod: 12 }, 'method'],
    ['a file beyond the limit', { sizeBytes: 2 ** 40 }, 'size'],
    ['an impossible ratio', { sizeBytes: 100_000, packedBytes: 10 }, 'ratio'],
    ['a stored entry of two sizes', { compressionMethod: 0, sizeBytes: 11 }, 'ratio'],
  ])('with %s is refused', (_title, changes, code) => {
    expect(
      faults([...entriesOf(PAIR), ...entriesOf(['0001.in'], { offset: 900, ...changes })]),
    ).toContain(`0001.in ${code}`)
  })

  test('of links says once what is wrong, and calls no file missing', () => {
    const names = [...PAIR, '0001.in', '0001.out']
    const { errors } = checkTestData(entriesOf(names, { isSymlink: true }))
    expect(errors).toMatchObject([
      { path: ['case', '0000.in'], code: 'symlink', params: { count: 4 } },
    ])
    expect(errors[0]?.message).toContain('`zip -r` without `-y`')
    const others = entriesOf(['data', 'data/', '0001.in'], { isSymlink: true, offset: 900 })
    expect(faults([...entriesOf(PAIR), ...others])).toContain('data symlink')
  })

  test.each(
    [
      ['readme.txt', '000.in', '0001.IN', 'tests/0001.in', '../0001.in', '/0001.in'],
      ['C:\\0001.in', '0001.in.bak', '٠٠01.in'],
    ].flat(),
  )('with an entry called %s is refused', (name) => {
    expect(faults(entriesOf([...PAIR, name]))).toContain(`${name} name`)
  })

  test('names control characters visibly', () => {
    expect(faults(entriesOf([...PAIR, '0001\u0000.in']))).toContain('0001\u{fffd}.in name')
  })

  test('with the same name twice, a missing half and gaps is refused for each', () => {
    const names = [...PAIR, '0000.in', '0002.in', '0002.out', '0200.in', '0200.out', '0201.in']
    expect(faults(entriesOf(names)).toSorted()).toEqual(
      [
        '0000.in duplicate',
        '0001.in missing',
        '0001.out missing',
        '0100.in missing',
        '0201.out missing',
      ].toSorted(),
    )
  })

  test('whose entries overlap is refused', () => {
    expect(faults(entriesOf(PAIR, { offset: 0 }))).toEqual(['0000.out overlap'])
  })

  test('whose entries lie one right behind the other, in any order, is taken', () => {
    const [first, second] = entriesOf(PAIR)
    if (!first || !second) throw new Error('no pair')
    const behind = { ...second, offset: first.offset + HEADER_BYTES + first.packedBytes }
    expect(faults([first, behind])).toEqual([])
    expect(faults([behind, first])).toEqual([])
    expect(faults([first, { ...behind, offset: behind.offset - 1 }])).toEqual(['0000.out overlap'])
  })

  test('has all bytes of its entries before its directory', () => {
    const entries = entriesOf(PAIR)
    const end = 100 + HEADER_BYTES + 10
    expect(checkTestData(entries, end).errors).toEqual([])
    const { errors } = checkTestData(entries, end - 1)
    expect(errors).toMatchObject([{ path: ['case', '0000.out'], code: 'beyond' }])
  })

  test('that is empty is refused', () => {
    expect(faults([])).toEqual([' empty'])
    expect(checkTestData([]).caseCounts).toEqual([])
  })

  test('is refused without repeating all of a long name', () => {
    const { errors } = checkTestData(entriesOf(['x'.repeat(1_000), '0000.in'], { offset: 0 }))
    const texts = errors.flatMap(({ path, message }) => [...path.map(String), message])
    expect(texts).toContain('x'.repeat(200))
    expect(texts).toContain(`This entry overlaps ${'x'.repeat(200)}.`)
  })
})

describe('the sizes of a test-data zip', () => {
  const { entryBytes, inflatedBytes, ratio } = TEST_DATA_LIMITS
  const largest = { sizeBytes: entryBytes, packedBytes: entryBytes / 1_024 }

  test('are at most those of a file', () => {
    expect(faults(entriesOf(PAIR, { ...largest, offset: 0 }))).not.toContain('0000.in size')
    const { errors } = checkTestData(entriesOf(PAIR, { ...largest, sizeBytes: entryBytes + 1 }))
    expect(errors[0]).toMatchObject({ code: 'size', message: 'The limit for a file is 256 MiB.' })
  })

  test('are at most those that deflate can pack', () => {
    const sizeBytes = 11 * ratio
    expect(faults(entriesOf(PAIR, { sizeBytes, packedBytes: 10 }))).toEqual([])
    expect(faults(entriesOf(PAIR, { sizeBytes: sizeBytes + 1, packedBytes: 10 }))).toEqual([
      '0000.in ratio',
      '0000.out ratio',
    ])
  })

  test('are together at most those of all files', () => {
    const files = Array.from({ length: inflatedBytes / entryBytes / 2 }, (_, index) =>
      ['in', 'out'].map((kind) => entryName(0, index, kind as 'in' | 'out')),
    ).flat()
    const apart = (entries: TestDataEntry[]) =>
      entries.map((entry, index) => ({ ...entry, offset: index * entryBytes }))
    const most = entriesOf(files, largest)
    expect(faults(apart(most))).toEqual([])
    const small = entriesOf(['0100.in', '0100.out'], { sizeBytes: 1 })
    expect(checkTestData(apart([...most, ...small])).errors).toMatchObject([
      {
        path: ['case', ''],
        code: 'size',
        message: 'The limit for all files together is 4 GiB.',
      },
    ])
  })
})

describe('case counts', () => {
  test('that differ are named by subtask', () => {
    expect(checkCaseCounts([1, 2], [1, 3, 1]).map((error) => error.message)).toEqual([
      'Subtask 1 has 2 cases in the zip and 3 in the form.',
      'Subtask 2 has 0 cases in the zip and 1 in the form.',
    ])
    expect(checkCaseCounts([1, 2], [1, 2])).toEqual([])
    expect(checkCaseCounts([1, 2], [1, 3])).toMatchObject([
      {
        path: ['testCase', 1, 'caseCount'],
        code: 'case_count',
        params: { found: 2, wanted: 3 },
      },
    ])
  })
})
