/** Test data as Windows programs save them: the app names what is odd about a file, and converts it. */
import { BlobReader, BlobWriter, Uint8ArrayReader, ZipReader, ZipWriter } from '@zip.js/zip.js'
import { describe, expect, it } from 'vitest'
import { newSubtask } from '../../web/features/problems/edit/subtask-values.ts'
import { OddFilesNotice } from '../../web/features/problems/test-data/odd-files-notice.tsx'
import { oddTyped, withPlainTexts } from '../../web/features/problems/test-data/typed-cases.ts'
import { applyMapping } from '../../web/features/problems/zip/case-mapping.ts'
import {
  convertOddFiles,
  findOddFiles,
  oddInCases,
} from '../../web/features/problems/zip/odd-files.ts'
import { readZip } from '../../web/features/problems/zip/read-zip.ts'
import { recogniseCases } from '../../web/features/problems/zip/recognise-cases.ts'
import { repackZip } from '../../web/features/problems/zip/repack-zip.ts'
import { render, textOf } from './fixtures/rendered.tsx'

async function zipOf(files: Record<string, Uint8Array>, level = 6): Promise<File> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false, level })
  for (const [name, bytes] of Object.entries(files))
    await zip.add(name, new Uint8ArrayReader(bytes))
  return new File([await zip.close()], 'cases.zip')
}

async function contentsOf(zip: Blob): Promise<Record<string, string>> {
  const entries = await new ZipReader(new BlobReader(zip), { useWebWorkers: false }).getEntries()
  const contents: Record<string, string> = {}
  for (const entry of entries) {
    if (entry.directory) continue
    const bytes = await entry.getData(new BlobWriter(), { checkCrc32: true })
    contents[entry.filename] = Buffer.from(await bytes.arrayBuffer()).toString('latin1')
  }
  return contents
}

/** What is odd about each file of a zip's cases. */
async function oddIn(zip: File): Promise<Record<string, string>> {
  const entries = await readZip(zip)
  const odd = oddInCases(await findOddFiles(entries), recogniseCases(entries))
  return Object.fromEntries([...odd].map(([{ name }, oddities]) => [name, oddities.join(' ')]))
}

/** The zip to upload after its odd files are converted. */
async function converted(zip: File): Promise<File> {
  const entries = await readZip(zip)
  const plain = await convertOddFiles(entries, await findOddFiles(entries))
  expect([...(await findOddFiles(plain)).keys()]).toEqual([])
  return repackZip(zip, applyMapping(plain, recogniseCases(plain)).files)
}

function utf16(text: string, isBig = false): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

/** Lines that compress badly, and a last line without an end. */
const LONG = `${Array.from({ length: 60_000 }, (_, index) => (index * index * 7919) % 1_000_003).join('\r\n')}\r`

const FILES = {
  '1.in': Buffer.from('1\r\n2\r\n'),
  '1.out': Buffer.from('\u{feff}3\n'),
  '2.in': utf16('\u{feff}4 好\r\n'),
  '2.out': utf16('5 6 7 8\n', true),
  '3.in': Buffer.from(LONG),
  '3.out': Buffer.from([0xff, 0x0d, 0x30, 0x0a, 0xe9]),
  '4.in': Buffer.from([0, 0, 0, 1, 0, 0, 0, 2, 0x0d, 0, 0x0a, 0]),
  '4.out': Buffer.alloc(0),
  'statement.pdf': Buffer.from('%PDF-1.7\r\n'),
}

describe.each([
  ['deflated', 6],
  ['stored', 0],
])('a zip of %s files', (_, level) => {
  it('tells which of them are odd by their first bytes', async () => {
    expect(await oddIn(await zipOf(FILES, level))).toEqual({
      '1.in': 'windowsEnds',
      '1.out': 'mark',
      '2.in': 'utf16 windowsEnds',
      '2.out': 'utf16',
      '3.in': 'windowsEnds',
    })
  })

  it('is sent with plain files in the place of odd ones, and the others byte for byte', async () => {
    const latin = (bytes: Buffer | string) => Buffer.from(bytes).toString('latin1')
    expect(await contentsOf(await converted(await zipOf(FILES, level)))).toEqual({
      '0000.in': '1\n2\n',
      '0000.out': '3\n',
      '0001.in': latin('4 好\n'),
      '0001.out': '5 6 7 8\n',
      '0002.in': LONG.replaceAll('\r\n', '\n'),
      '0002.out': latin(FILES['3.out']),
      '0003.in': latin(FILES['4.in']),
      '0003.out': '',
    })
  })
})

it('conversion makes the same bytes again, so an upload that was cut off goes on', async () => {
  const zip = await zipOf(FILES)
  const [one, two] = await Promise.all([converted(zip), converted(zip)])
  expect(Buffer.from(await one.arrayBuffer()).equals(Buffer.from(await two.arrayBuffer()))).toBe(
    true,
  )
})

it('typed cases are named by the files that they become, and made plain', () => {
  const typed = [{ input: '\u{feff}1\r\n', output: '2\n' }]
  const subtasks = [{ ...newSubtask(), typed }]
  expect(oddTyped(subtasks)).toEqual([{ name: '0000.in', oddities: ['mark', 'windowsEnds'] }])
  const plain = withPlainTexts(subtasks)
  expect(plain[0]?.typed).toEqual([{ input: '1\n', output: '2\n' }])
  expect(oddTyped(plain)).toEqual([])
})

it('the notice counts and names the files, and offers to convert them', () => {
  const notice = (files: Parameters<typeof OddFilesNotice>[0]['files']) =>
    textOf(render(<OddFilesNotice files={files} onConvert={() => {}} />))
  expect(notice([])).toBe('')
  const ends = Array.from({ length: 7 }, (_, index) => ({
    name: `${index}.in`,
    oddities: ['windowsEnds' as const],
  }))
  expect(notice([...ends, { name: '9.out', oddities: ['utf16'] }])).toBe(
    '1 file is in UTF-16: 9.out 7 files have Windows line ends (CR LF): 0.in 1.in 2.in 3.in 4.in and 2 more Programs may read other characters in these files than you see. Convert to plain UTF-8',
  )
})
