import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTestData } from '#contract/problems/test-data'
import { emptyProblem } from '../../web/features/problems/edit/form-values.ts'
import { readZip } from '../../web/features/problems/zip/read-zip.ts'
import { newSubtask } from '../../web/features/problems/edit/subtask-values.ts'
import { packTyped, unpackTyped } from '../../web/features/problems/test-data/typed-cases-zip.ts'
import {
  beginTyping,
  endTyping,
  hasEmptyTyped,
  typedFiles,
  withCases,
  withSamples,
  withTyped,
} from '../../web/features/problems/test-data/typed-cases.ts'
import { storedZip } from '../../web/lib/files/stored-zip.ts'

const ONE = { input: '1', output: '2\n' }

describe('typed cases', () => {
  it('become a zip that is accepted, and come back as they are stored', async () => {
    const typed = fc.record({ input: fc.string({ unit: 'binary' }), output: fc.string() })
    const subtask = fc.array(typed, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.array(subtask, { minLength: 1, maxLength: 3 }), async (cases) => {
        const rows = withCases([], cases)
        const zip = await packTyped(rows)
        const { caseCounts, errors } = checkTestData(await readZip(zip))
        expect(errors).toEqual([])
        expect(caseCounts).toEqual(rows.map(({ caseCount }) => caseCount))
        const back = await unpackTyped(zip)
        const texts = typedFiles(rows).map(([, text]) => text)
        const hasReturns = texts.some((text) => /\r(?!\n)/.test(text))
        const read = back?.flat().flatMap(({ input, output }) => [input, output])
        expect(read).toEqual(hasReturns ? undefined : texts)
      }),
      { numRuns: 50 },
    )
  })

  it('get the line end that nobody sees', () => {
    expect(typedFiles([{ typed: [ONE, { input: '', output: 'a\n\n' }] }])).toEqual([
      ['0000.in', '1\n'],
      ['0000.out', '2\n'],
      ['0001.in', ''],
      ['0001.out', 'a\n\n'],
    ])
  })

  it('keep the end that their stored files have', async () => {
    const files: [string, string][] = [
      ['0000.in', '1\n'],
      ['0000.out', '42'],
      ['0001.in', '2'],
      ['0001.out', ''],
    ]
    const cases = await unpackTyped(await storedZip(files))
    const [first = ONE, ...others] = cases?.[0] ?? []
    expect(typedFiles([{ typed: [first, ...others] }])).toEqual(files)
    const changed = [first, ...others].map((each) => ({ ...each, input: '3', output: '43' }))
    const texts = typedFiles([{ typed: changed }]).map(([, text]) => text)
    expect(texts).toEqual(['3\n', '43', '3', '43\n'])
  })

  it('give the subtasks their numbers of cases; without them the old ones come back', () => {
    const stored = [{ ...newSubtask(7, 40), isScoreTyped: true }, newSubtask(3, 60)]
    const typing = beginTyping(stored)
    expect(typing.map(({ caseCount, typed }) => [caseCount, typed.length])).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(endTyping(typing, stored).map(({ caseCount }) => caseCount)).toEqual([7, 3])
    expect(withTyped(newSubtask(), []).caseCount).toBe('')
    // The stored test data do not fit rows that differ from the stored ones.
    expect(endTyping(withSamples(typing, [ONE]), stored)).toEqual(stored)
    expect(endTyping(typing.slice(1), stored)).toEqual(stored)
  })

  it('that are empty are refused while typing, and do not matter for a zip', () => {
    const values = { ...emptyProblem(), subtasks: beginTyping([newSubtask()]) }
    expect(hasEmptyTyped(values)).toBe(false)
    expect(hasEmptyTyped({ ...values, typesCases: true })).toBe(true)
    const filled = [withTyped(newSubtask(), [{ input: '', output: '42' }])]
    expect(hasEmptyTyped({ ...values, typesCases: true, subtasks: filled })).toBe(false)
  })

  it("take the statement's samples as a subtask of samples, once", () => {
    const first = withSamples([withTyped(newSubtask(), [ONE])], [{ input: 'a', output: 'b' }])
    expect(first.map(({ sample, taskScore, typed }) => [sample, taskScore, typed])).toEqual([
      [true, 0, [{ input: 'a', output: 'b' }]],
      [false, 100, [ONE]],
    ])
    const again = withSamples(first, [ONE, ONE])
    expect(again.map(({ sample, caseCount }) => [sample, caseCount])).toEqual([
      [true, 2],
      [false, 1],
    ])
  })

  it('are not taken from a zip of bytes or of megabytes', async () => {
    const zipOf = (text: string) =>
      storedZip([
        ['0000.in', text],
        ['0000.out', ''],
      ])
    expect(await unpackTyped(await zipOf('1\n'))).toMatchObject([[{ input: '1\n', output: '' }]])
    expect(await unpackTyped(await zipOf('1\r2\n'))).toBeNull()
    expect(await unpackTyped(await zipOf('1\r\n'))).toMatchObject([[{ input: '1\r\n' }]])
    expect(await unpackTyped(await zipOf('x'.repeat(1024 ** 2)))).not.toBeNull()
    expect(await unpackTyped(await zipOf('x'.repeat(1024 ** 2 + 1)))).toBeNull()
  })

  it('are taken from as many subtasks and cases as a problem may have', async () => {
    const zipOf = (subtasks: number, cases: number) =>
      packTyped(
        Array.from({ length: subtasks }, () =>
          withTyped(
            newSubtask(),
            Array.from({ length: cases }, () => ONE),
          ),
        ),
      )
    const counts = async (zip: Promise<Blob>) =>
      (await unpackTyped(await zip))?.map(({ length }) => length)
    expect(await counts(zipOf(100, 1))).toEqual(Array(100).fill(1))
    expect(await counts(zipOf(1, 100))).toEqual([100])
  })
})
