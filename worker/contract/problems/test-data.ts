/**
 * Rules for a test-data zip, decided from its directory alone. The Worker reads the directory by range, the
 * web app from the dropped file, the runner from the download: one rule, three readers.
 */
import type { FieldError } from '#contract/errors'
import { TEST_DATA_LIMITS } from '#contract/limits'

/** An entry of a zip's directory. Sizes and offset in bytes. */
export interface TestDataEntry {
  name: string
  sizeBytes: number
  packedBytes: number
  /** Where the entry's local header starts. */
  offset: number
  isDirectory: boolean
  isSymlink: boolean
  isEncrypted: boolean
  /** 0 stored, 8 deflated. */
  compressionMethod: number
}

/** `ssTT.in` and `ssTT.out`: subtask and case, two digits each, from zero. */
const ENTRY_NAME = /^(\d\d)(\d\d)\.(in|out)$/

/** Size of a local header without its name and extra field (APPNOTE 4.3.7). */
const LOCAL_HEADER_BYTES = 30

/** The entry name of a case's input or output. */
export function entryName(subtask: number, caseIndex: number, kind: 'in' | 'out'): string {
  return `${String(subtask).padStart(2, '0')}${String(caseIndex).padStart(2, '0')}.${kind}`
}

/** An error about one entry. Its path is the entry's name, with control characters made visible. */
function entryError(
  name: string,
  code: string,
  message: string,
  params?: Record<string, number>,
): FieldError {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const shown = name.slice(0, 200).replace(/[\u0000-\u001f\u007f]/g, '\u{fffd}')
  return { path: ['case', shown], code, message, ...(params && { params }) }
}

/** What is wrong with a single entry; null when nothing is. */
function checkEntry(entry: TestDataEntry): FieldError | null {
  const { name } = entry
  if (entry.isDirectory)
    return entryError(name, 'directory', 'Folders are not allowed; zip the files themselves.')
  if (entry.isEncrypted) return entryError(name, 'encrypted', 'Encrypted entries cannot be read.')
  if (!ENTRY_NAME.test(name))
    return entryError(
      name,
      'name',
      'The name must be ssTT.in or ssTT.out, like 0003.in for subtask 0, case 3.',
    )
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return entryError(name, 'method', 'Only entries with the method Store or Deflate can be read.')
  if (entry.sizeBytes > TEST_DATA_LIMITS.entryBytes)
    return entryError(
      name,
      'size',
      `The limit for a file is ${TEST_DATA_LIMITS.entryBytes / 1024 ** 2} MiB.`,
    )
  const claimsTooMuch = entry.sizeBytes > (entry.packedBytes + 1) * TEST_DATA_LIMITS.ratio
  const storedUnevenly = entry.compressionMethod === 0 && entry.sizeBytes !== entry.packedBytes
  if (claimsTooMuch || storedUnevenly)
    return entryError(name, 'ratio', 'The sizes of this entry contradict each other.')
  return null
}

/** One error about all symbolic links of a zip; `zip -y` stores links, and so do some archivers by default. */
export function linkErrors(entries: TestDataEntry[]): FieldError[] {
  const links = entries.filter(({ isSymlink }) => isSymlink)
  const [first] = links
  if (first === undefined) return []
  const message = `This entry is a symbolic link, the first of ${links.length}. \`zip -r\` without \`-y\` packs the files that links point to.`
  return [entryError(first.name, 'symlink', message, { count: links.length })]
}

/** Entries whose bytes reach into the directory or beyond the file. */
function entriesBeyond(entries: TestDataEntry[], dataEnd: number): FieldError[] {
  return entries
    .filter((entry) => entry.offset + LOCAL_HEADER_BYTES + entry.packedBytes > dataEnd)
    .map((entry) =>
      entryError(entry.name, 'beyond', 'The bytes of this entry are not inside the zip.'),
    )
}

/** Entries whose bytes overlap another entry's. */
function overlappingEntries(entries: TestDataEntry[]): FieldError[] {
  const byOffset = entries.toSorted((left, right) => left.offset - right.offset)
  return byOffset.flatMap((entry, index) => {
    const before = byOffset[index - 1]
    if (!before || entry.offset >= before.offset + LOCAL_HEADER_BYTES + before.packedBytes)
      return []
    return [entryError(entry.name, 'overlap', `This entry overlaps ${before.name.slice(0, 200)}.`)]
  })
}

/** Missing files and gaps in the numbering, for subtasks 0…n and cases 0…m of each. */
function missingEntries(present: Set<string>, caseCounts: number[]): FieldError[] {
  return caseCounts.flatMap((count, subtask) => {
    if (count === 0)
      return [
        entryError(
          entryName(subtask, 0, 'in'),
          'missing',
          `Subtask ${subtask} has no cases, but a later one has.`,
        ),
      ]
    return Array.from({ length: count }, (_, index) =>
      (['in', 'out'] as const)
        .map((kind) => entryName(subtask, index, kind))
        .filter((name) => !present.has(name))
        .map((name) => entryError(name, 'missing', 'This file is missing.')),
    ).flat()
  })
}

/**
 * Checks a zip's entries and counts the cases of each subtask.
 * @param dataEnd where the directory begins, if known; all entries must end before it
 * @returns `caseCounts` per subtask, valid only without errors, and every bad entry
 */
export function checkTestData(
  entries: TestDataEntry[],
  dataEnd = Number.POSITIVE_INFINITY,
): {
  caseCounts: number[]
  errors: FieldError[]
} {
  if (entries.length === 0)
    return { caseCounts: [], errors: [entryError('', 'empty', 'The zip holds no files.')] }
  const errors: FieldError[] = linkErrors(entries)
  const present = new Set<string>()
  const caseCounts: number[] = []
  for (const entry of entries) {
    const problem = entry.isSymlink ? null : checkEntry(entry)
    if (problem) errors.push(problem)
    // A link with a case's name counts as the case, so that the case is not also reported as missing.
    if (problem || !ENTRY_NAME.test(entry.name)) continue
    if (present.has(entry.name))
      errors.push(entryError(entry.name, 'duplicate', 'This name occurs twice.'))
    present.add(entry.name)
    const subtask = Number(entry.name.slice(0, 2))
    const caseIndex = Number(entry.name.slice(2, 4))
    while (caseCounts.length <= subtask) caseCounts.push(0)
    caseCounts[subtask] = Math.max(caseCounts[subtask] ?? 0, caseIndex + 1)
  }
  const inflated = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  if (inflated > TEST_DATA_LIMITS.inflatedBytes)
    errors.push(
      entryError(
        '',
        'size',
        `The limit for all files together is ${TEST_DATA_LIMITS.inflatedBytes / 1024 ** 3} GiB.`,
      ),
    )
  errors.push(
    ...entriesBeyond(entries, dataEnd),
    ...overlappingEntries(entries),
    ...missingEntries(present, caseCounts),
  )
  return { caseCounts, errors }
}

/**
 * Whether the zip fits the problem's subtasks.
 * @param caseCounts cases per subtask in the zip
 * @param expected cases per subtask in the problem form
 */
export function checkCaseCounts(caseCounts: number[], expected: number[]): FieldError[] {
  const length = Math.max(caseCounts.length, expected.length)
  return Array.from({ length }, (_, subtask): FieldError[] => {
    const found = caseCounts[subtask] ?? 0
    const wanted = expected[subtask] ?? 0
    if (found === wanted) return []
    const message = `Subtask ${subtask} has ${found} cases in the zip and ${wanted} in the form.`
    return [
      {
        path: ['testCase', subtask, 'caseCount'],
        code: 'case_count',
        message,
        params: { found, wanted },
      },
    ]
  }).flat()
}
