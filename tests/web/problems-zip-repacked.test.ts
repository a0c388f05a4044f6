import {
  BlobReader,
  BlobWriter,
  TextReader,
  TextWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js'
import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { TEST_DATA_LIMITS } from '#contract/limits'
import { checkTestData } from '#contract/problems/test-data'
import { applyMapping, isReady, moveCases } from '../../web/features/problems/zip/case-mapping.ts'
import {
  endsWithFile,
  readZip,
  TooManyEntriesError,
} from '../../web/features/problems/zip/read-zip.ts'
import { recogniseCases } from '../../web/features/problems/zip/recognise-cases.ts'
import { repackZip } from '../../web/features/problems/zip/repack-zip.ts'
import { fingerprintOf } from '../../web/features/problems/upload/unfinished-upload.ts'

type Options = ConstructorParameters<typeof ZipWriter>[1]

/** A zip of files; each holds its own name `times` times. */
async function zipOf(names: string[], options: Options = {}, times = 3): Promise<File> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...options })
  for (const name of names)
    await (name.endsWith('/')
      ? writer.add(name, undefined, { directory: true })
      : writer.add(name, new TextReader(name.repeat(times))))
  return new File([await writer.close()], 'cases.zip', { lastModified: 1_700_000_000_000 })
}

/** Recognises the files of a zip and repacks them. */
async function repacked(zip: File): Promise<{ zip: File; errors: string[]; names: string[] }> {
  const entries = await readZip(zip)
  const { files, errors } = applyMapping(entries, recogniseCases(entries))
  return {
    zip: repackZip(zip, files),
    errors: errors.map(({ code }) => code),
    names: files.map(({ entry }) => entry.name),
  }
}

/** The texts of a zip, read as strictly as on a judge host. */
async function textsOf(zip: Blob): Promise<[string, string][]> {
  const reader = new ZipReader(new BlobReader(zip), { useWebWorkers: false, checkAmbiguity: true })
  const texts: [string, string][] = []
  for (const entry of await reader.getEntries())
    if (!entry.directory)
      texts.push([
        entry.filename,
        await entry.getData(new TextWriter(), {
          checkCrc32: true,
          checkOverlappingEntry: true,
          checkLocalDirectory: true,
          checkLocalFilename: true,
        }),
      ])
  return texts
}

const MAC = ['sum/', '__MACOSX/sum/._1.in', 'sum/.DS_Store', 'sum/10.in', 'sum/10.out']
const NAMES = [...MAC, 'sum/2.in', 'sum/2.out', 'sum/1.in', 'sum/1.out']

it.each<[string, Options]>([
  ['deflated', {}],
  ['stored', { level: 0 }],
  ['with sizes behind the data, as a Mac writes them', { dataDescriptor: true }],
  ['with sizes behind the data, without a mark', { dataDescriptorSignature: false }],
  ['with 64-bit sizes', { zip64: true }],
  ['with times and rights', { extendedTimestamp: true, msDosCompatible: false }],
])('a zip %s gets new names and keeps its bytes', async (_, options) => {
  const { zip, errors } = await repacked(await zipOf(NAMES, options))
  expect(errors).toEqual([])
  expect(await textsOf(zip)).toEqual(
    ['1', '2', '10'].flatMap((number, index) =>
      ['in', 'out'].map((side) => [`000${index}.${side}`, `sum/${number}.${side}`.repeat(3)]),
    ),
  )
  expect(checkTestData(await readZip(zip))).toEqual({ caseCounts: [3], errors: [] })
})

/** Writes each character of a name as one byte, and names no encoding. */
const OLD_NAMES: Options = {
  useUnicodeFileNames: false,
  encodeText: (text) => Uint8Array.from(text, (sign) => sign.codePointAt(0) ?? 0),
}

/** Bytes of names as Windows writes them, each as a character. */
const WINDOWS_WORDS = {
  taiwan: {
    input: '\u00bf\u00e9\u00a4J',
    output: '\u00bf\u00e9\u00a5X',
    sample: '\u00bdd\u00a8\u00d2',
  },
  china: {
    input: '\u00ca\u00e4\u00c8\u00eb',
    output: '\u00ca\u00e4\u00b3\u00f6',
    sample: '\u00d1\u00f9\u00c0\u00fd',
  },
}

it.each(Object.entries(WINDOWS_WORDS))(
  'names in the encoding of Windows in %s are read',
  async (_, old) => {
    const { input, output, sample } = old
    const files = [`${sample}/1.in`, `${sample}/1.out`, `${input}1.txt`, `${output}1.txt`]
    const zip = await zipOf(files, OLD_NAMES)
    const { cases, ignored } = recogniseCases(await readZip(zip))
    expect(ignored).toEqual([])
    expect(cases.map(({ subtask, isSample }) => [subtask, isSample])).toEqual([
      [0, true],
      [1, false],
    ])
  },
)

it('names that more than one old encoding fits stay as they are where none is understood better', async () => {
  const files = ['L\u0094sung/1.in', 'L\u0094sung/1.out']
  const zip = await zipOf(files, OLD_NAMES)
  expect((await readZip(zip)).map(({ name }) => name)).toEqual(['Lösung/1.in', 'Lösung/1.out'])
})

it.each(['/home/me/', 'C:/cases/', './', '../cases/', '\\cases\\'])(
  'names that begin with %s are names of cases',
  async (folder) => {
    const zip = await zipOf([`${folder}1.in`, `${folder}1.out`])
    expect(await repacked(zip)).toMatchObject({
      errors: [],
      names: [`${folder}1.in`, `${folder}1.out`],
    })
  },
)

it('data before the zip, as in a program that unpacks itself, are left out', async () => {
  const zip = await zipOf(['1.in', '1.out'])
  const found = await repacked(new File(['#!/bin/sh\n', zip], 'x.zip'))
  expect(await textsOf(found.zip)).toHaveLength(2)
})

it('an encrypted zip is refused for every file, a damaged one as a whole', async () => {
  const { errors } = await repacked(await zipOf(['1.in', '1.out'], { password: 'secret' }))
  expect(errors).toEqual(['encrypted', 'encrypted'])
  const zip = await zipOf(['1.in', '1.out'])
  await expect(readZip(zip.slice(0, -40))).rejects.toThrow()
  const bytes = new Uint8Array(await zip.arrayBuffer())
  bytes[0] = 0
  await expect(readZip(new Blob([bytes]))).rejects.toThrow('A file is not where')
})

it('a zip as the judge wants it is sent as it is', async () => {
  const entries = await readZip(await zipOf(['0000.in', '0000.out', '0100.in', '0100.out']))
  expect(isReady(entries, applyMapping(entries, recogniseCases(entries)).files)).toBe(true)
  const more = await readZip(await zipOf(['0000.in', '0000.out', '.DS_Store']))
  expect(isReady(more, applyMapping(more, recogniseCases(more)).files)).toBe(false)
})

it('never reads what the files hold', async () => {
  const names = ['1.in', '1.out', ...Array.from({ length: 50 }, (_, at) => `${at}.pdf`)]
  const zip = await zipOf(names, { level: 0 }, 10_000)
  let bytes = 0
  const read = vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(function (this: Blob) {
    bytes += this.size
    return new Response(this).arrayBuffer()
  })
  await repacked(zip)
  read.mockRestore()
  expect(bytes).toBeGreaterThan(52 * 30)
  expect(zip.size).toBeGreaterThan(2_000_000)
  // It reads local headers, the directory, and the longest possible end of a zip.
  expect(bytes).toBeLessThan(200_000)
})

it('a resumed upload makes the same bytes; another mapping is another upload', async () => {
  const names = Array.from({ length: 700 }, (_, at) => [
    `${at % 50}/${at}.in`,
    `${at % 50}/${at}.out`,
  ])
  const source = await zipOf(names.flat(), { level: 0 })
  const entries = await readZip(source)
  const mapping = recogniseCases(entries)
  const again = await readZip(new File([source], source.name, source))
  const one = repackZip(source, applyMapping(entries, mapping).files)
  const two = repackZip(source, applyMapping(again, recogniseCases(again)).files)
  expect(Buffer.from(await two.arrayBuffer()).equals(Buffer.from(await one.arrayBuffer()))).toBe(
    true,
  )
  expect(await fingerprintOf(two)).toBe(await fingerprintOf(one))
  // Two exchanged cases of equal size leave the end of the directory as it was.
  const swapped = {
    ...mapping,
    cases: mapping.cases.toSpliced(0, 2, ...mapping.cases.slice(0, 2).toReversed()),
  }
  const other = repackZip(source, applyMapping(entries, swapped).files)
  expect(other.size).toBe(one.size)
  expect(await fingerprintOf(other)).not.toBe(await fingerprintOf(one))
})

/** Names as people and systems choose them, and arbitrary names. */
const anyName = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '',
        'sum/',
        'data/sample/',
        'data/secret/',
        'subtask1/',
        'input/',
        'output/',
        '__MACOSX/',
      ),
      fc.constantFrom('', 'input', 'output', 'test', 'sample', '1-', '2-', '._'),
      fc.nat(12),
      fc.constantFrom('', 'a', 'b'),
      fc.constantFrom('.in', '.out', '.ans', '.a', '.txt', '', '.in.txt', '.pdf', '.OUT'),
    )
    .map((parts) => parts.join('')),
  fc.string({ minLength: 1, maxLength: 12 }).filter((name) => !name.endsWith('/')),
)

it('whatever is recognised, and moved by hand, is accepted by the rules of test data', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyName, { maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(30), fc.option(fc.nat(3))), { maxLength: 4 }),
      (names, moves) => {
        const entries = names.map((name, index) => ({
          name,
          sizeBytes: 10,
          packedBytes: 10,
          offset: index * 100,
          isDirectory: false,
          isSymlink: false,
          isEncrypted: false,
          compressionMethod: 8,
        }))
        const mapping = moves.reduce(
          (moved, [at, subtask]) => moveCases(moved, [at], subtask),
          recogniseCases(entries),
        )
        // Every file is placed once or ignored.
        const placed = mapping.cases.flatMap(({ input, output }) => [input, output])
        const ignored = mapping.ignored.map(({ name }) => name)
        expect([...placed, ...ignored].toSorted()).toEqual(names.toSorted())
        const { files, errors } = applyMapping(entries, mapping)
        const isEmpty = mapping.cases.every(({ subtask }) => subtask === null)
        expect(errors.map(({ code }) => code)).toEqual(isEmpty ? ['no_cases'] : [])
        if (isEmpty) return
        const renamed = files.map(({ name, entry }) => ({ ...entry, name }))
        expect(checkTestData(renamed).errors).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})

it('more files than test data may have are refused before any is looked at', async () => {
  const { entries } = TEST_DATA_LIMITS
  // The zip has only a directory, because nothing else is read.
  const header = new Uint8Array(47)
  header.set([0x50, 0x4b, 0x01, 0x02])
  header.set([1, 0], 28)
  header.set([0x61], 46)
  const end = new Uint8Array(22)
  const view = new DataView(end.buffer)
  view.setUint32(0, 0x06_05_4b_50, true)
  for (const at of [8, 10]) view.setUint16(at, entries + 1, true)
  view.setUint32(12, header.length * (entries + 1), true)
  const zip = new Blob([...Array.from({ length: entries + 1 }, () => header), end])
  await expect(readZip(zip)).rejects.toThrow(TooManyEntriesError)
})

it('bytes behind the end of a zip are noticed, and repacking leaves them out', async () => {
  const zip = await zipOf(['0000.in', '0000.out'])
  const padded = new File([zip, new Uint8Array(512)], 'cases.zip')
  expect(await endsWithFile(zip)).toBe(true)
  expect(await endsWithFile(padded)).toBe(false)
  const sent = await repacked(padded)
  expect(sent.errors).toEqual([])
  expect(await endsWithFile(sent.zip)).toBe(true)
  expect(await textsOf(sent.zip)).toEqual(await textsOf(zip))
  const commented = await zipOf(['0000.in'], {
    comment: new TextEncoder().encode('by hand'),
  } as Options)
  expect(await endsWithFile(commented)).toBe(true)
})
