import { describe, expect, test } from 'vitest'
import { checkCaseCounts, checkTestData, type TestDataEntry } from '#contract/test-data'

/** Entries of these names, one behind the other. */
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

/** The names and codes of what is wrong. */
function faults(entries: TestDataEntry[]): string[] {
  return checkTestData(entries).errors.map((error) => `${String(error.path[1])} ${error.code}`)
}

describe('a test-data zip', () => {
  test('of two subtasks is counted', () => {
    const names = [...PAIR, '0100.in', '0100.out', '0101.out', '0101.in']
    expect(checkTestData(entriesOf(names))).toEqual({ caseCounts: [1, 2], errors: [] })
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

  test('that is empty is refused', () => {
    expect(faults([])).toEqual([' empty'])
  })
})

describe('case counts', () => {
  test('that differ are named by subtask', () => {
    expect(checkCaseCounts([1, 2], [1, 3, 1]).map((error) => error.message)).toEqual([
      'Subtask 1 has 2 cases in the zip and 3 in the form.',
      'Subtask 2 has 0 cases in the zip and 1 in the form.',
    ])
    expect(checkCaseCounts([1, 2], [1, 2])).toEqual([])
  })
})
