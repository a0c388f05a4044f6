import { BlobReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { expect, it } from 'vitest'
import { sampleZip } from '../../web/components/problem/sample-zip.ts'
import { exampleZip } from '../../web/features/problems/test-data/example-zip.ts'
import { checkTestData } from '#contract/problems/test-data'
import { readZip } from '../../web/features/problems/zip/read-zip.ts'

it('the zip of samples holds their exact bytes, in the order of the page', async () => {
  const zip = await sampleZip({
    sampleInput: ['1 2\r\n', '', '\u{feff}\0名'],
    sampleOutput: ['3', '\n\n'],
  })
  const entries = await new ZipReader(new BlobReader(zip)).getEntries()
  const files = await Promise.all(
    entries.map(async (entry) => [
      entry.filename,
      entry.directory ? null : Buffer.from(await entry.getData(new Uint8ArrayWriter())),
    ]),
  )
  expect(files).toEqual([
    ['sample-1.in', Buffer.from('1 2\r\n')],
    ['sample-1.out', Buffer.from('3')],
    ['sample-2.in', Buffer.from('')],
    ['sample-2.out', Buffer.from('\n\n')],
    ['sample-3.in', Buffer.from('\u{feff}\0名')],
    ['sample-3.out', Buffer.from('')],
  ])
})

it('the example of test data can be uploaded for the subtasks of the form', async () => {
  expect(checkTestData(await readZip(await exampleZip([2, 11, 1])))).toEqual({
    caseCounts: [2, 11, 1],
    errors: [],
  })
})

it('the example holds one case where the form has no possible number, and never too many', async () => {
  const { caseCounts, errors } = checkTestData(await readZip(await exampleZip(['', 0, 1.5, 1000])))
  expect(caseCounts).toEqual([1, 1, 1, 100])
  expect(errors).toEqual([])
})
