/** Typed cases to and from a zip. Loaded on demand: the zip library comes with it. */
import { BlobReader, Uint8ArrayWriter, ZipReader, type Entry } from '@zip.js/zip.js'
import { COUNT_LIMITS, TEST_DATA_LIMITS } from '#contract/limits'
import { entryName } from '#contract/problems/test-data'
import { addressOfCall } from '../../../lib/api/call.ts'
import { apiUrl, toApiError } from '../../../lib/api/api.ts'
import { storedZip } from '../../../lib/files/stored-zip.ts'
import type { SubtaskValues, TypedCase } from '../edit/subtask-values.ts'
import { typedFiles } from './typed-cases.ts'

const SIDES = ['input', 'output'] as const

/** The zip of typed cases. */
export async function packTyped(subtasks: Pick<SubtaskValues, 'typed'>[]): Promise<File> {
  return new File([await storedZip(typedFiles(subtasks))], 'typed-cases.zip')
}

/** The text of an entry; null when a text field would change it. */
async function textOf(entry: Entry): Promise<string | null> {
  if (entry.directory) return null
  const bytes = await entry.getData(new Uint8ArrayWriter())
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // A text field shows Windows line ends like plain ones, and keeps them until something is typed. But a text field
    // would lose a CR without LF.
    return /\r(?!\n)/.test(text) ? null : text
  } catch {
    return null
  }
}

/** The cases of a zip with the judge's names, by subtask; null when they are too long for text fields, or no text. */
export async function unpackTyped(zip: Blob): Promise<TypedCase[][] | null> {
  const entries = await new ZipReader(new BlobReader(zip), { useWebWorkers: false }).getEntries()
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (bytes > TEST_DATA_LIMITS.typedBytes) return null
  const texts = new Map<string, string>()
  for (const entry of entries) {
    const text = await textOf(entry)
    if (text === null) return null
    texts.set(entry.filename, text)
  }
  const subtasks: TypedCase[][] = []
  for (let subtask = 0; subtask < COUNT_LIMITS.subtasks; subtask += 1) {
    const cases: TypedCase[] = []
    for (let index = 0; index < COUNT_LIMITS.casesPerSubtask; index += 1) {
      const input = texts.get(entryName(subtask, index, 'in'))
      const output = texts.get(entryName(subtask, index, 'out'))
      if (input === undefined || output === undefined) break
      const unended = SIDES.filter((side) => /[^\n]$/.test({ input, output }[side]))
      cases.push({ input, output, ...(unended.length > 0 && { unended }) })
    }
    if (cases.length === 0) break
    subtasks.push(cases)
  }
  return subtasks
}

/** The stored cases of a problem; null when they are too long for text fields, or no text. @throws ApiError */
export async function readStoredCases(problemId: number): Promise<TypedCase[][] | null> {
  const response = await fetch(
    apiUrl(addressOfCall('GET /problem/:id/testcase', { params: { id: problemId } })),
    {
      credentials: 'include',
    },
  )
  if (!response.ok) throw toApiError(response.status, await response.text(), null)
  // A zip is hardly longer than its unpacked files, so a much longer one cannot fit.
  if (Number(response.headers.get('Content-Length')) > 2 * TEST_DATA_LIMITS.typedBytes) {
    await response.body?.cancel()
    return null
  }
  return unpackTyped(await response.blob())
}
