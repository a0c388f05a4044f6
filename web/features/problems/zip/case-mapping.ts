/** Which files of a zip are the cases of which subtask, and how a teacher corrects that. */
import type { FieldError } from '#contract/errors'
import { COUNT_LIMITS } from '#contract/limits'
import {
  checkTestData,
  entryName,
  linkErrors,
  type TestDataEntry,
} from '#contract/problems/test-data'

/** The two files of a case, by their names in the zip. */
export interface MappedCase {
  input: string
  output: string
  /** The subtask's index; null: the case was left out by hand. */
  subtask: number | null
  /** Whether the case's name or folder marks it as a sample. */
  isSample: boolean
}

/**
 * Why a file is in no case. `system`: the computer has added the file; `unpaired`: an input without an output, or an
 * output without an input; `second`: the case already has such a file; `other`: the name fits no case.
 */
export const IGNORED_REASONS = ['unpaired', 'second', 'other', 'system'] as const

export interface IgnoredFile {
  name: string
  reason: (typeof IGNORED_REASONS)[number]
}

/** Every file of a zip: in a case, or ignored. The order of a subtask's cases is that of the array. */
export interface CaseMapping {
  cases: MappedCase[]
  ignored: IgnoredFile[]
}

/** A file of the zip under the name that the judge wants. */
export interface RenamedEntry<Entry extends TestDataEntry> {
  name: string
  entry: Entry
}

/** The number of subtasks, which are numbered without gaps. */
export function subtaskCount({ cases }: CaseMapping): number {
  return cases.reduce((count, { subtask }) => Math.max(count, (subtask ?? -1) + 1), 0)
}

/** The cases of a subtask (null: the cases left out), with their indexes in the mapping. */
export function casesOf(
  { cases }: CaseMapping,
  subtask: number | null,
): { at: number; pair: MappedCase }[] {
  return cases.map((pair, at) => ({ at, pair })).filter(({ pair }) => pair.subtask === subtask)
}

/** Numbers the subtasks without gaps, in their order. */
function withoutGaps(mapping: CaseMapping): CaseMapping {
  const used = [...new Set(mapping.cases.map(({ subtask }) => subtask ?? -1))]
    .filter((subtask) => subtask >= 0)
    .toSorted((left, right) => left - right)
  const cases = mapping.cases.map((pair) => ({
    ...pair,
    subtask: pair.subtask === null ? null : used.indexOf(pair.subtask),
  }))
  return { ...mapping, cases }
}

/** Moves cases, by their indexes, to a subtask (null: leaves them out). */
export function moveCases(
  mapping: CaseMapping,
  places: number[],
  subtask: number | null,
): CaseMapping {
  const moved = new Set(places)
  const cases = mapping.cases.map((pair, at) => (moved.has(at) ? { ...pair, subtask } : pair))
  return withoutGaps({ ...mapping, cases })
}

/** Exchanges a subtask with the one before it. */
export function moveUp(mapping: CaseMapping, subtask: number): CaseMapping {
  const places = new Map([
    [subtask, subtask - 1],
    [subtask - 1, subtask],
  ])
  const cases = mapping.cases.map((pair) => ({
    ...pair,
    subtask: pair.subtask === null ? null : (places.get(pair.subtask) ?? pair.subtask),
  }))
  return { ...mapping, cases }
}

/** Makes a case of two ignored files, as the last of its subtask. */
export function addCase(mapping: CaseMapping, added: Omit<MappedCase, 'isSample'>): CaseMapping {
  return {
    cases: [...mapping.cases, { ...added, isSample: false }],
    ignored: mapping.ignored.filter(({ name }) => name !== added.input && name !== added.output),
  }
}

/** The cases of every subtask. */
export function casesBySubtask(mapping: CaseMapping): MappedCase[][] {
  return Array.from({ length: subtaskCount(mapping) }, (_, subtask) =>
    casesOf(mapping, subtask).map(({ pair }) => pair),
  )
}

/** The names that the files of the cases get: old → new. */
function newNames(mapping: CaseMapping): Map<string, string> {
  const names = new Map<string, string>()
  for (let subtask = 0; subtask < subtaskCount(mapping); subtask += 1)
    for (const [index, { pair }] of casesOf(mapping, subtask).entries()) {
      names.set(pair.input, entryName(subtask, index, 'in'))
      names.set(pair.output, entryName(subtask, index, 'out'))
    }
  return names
}

function mappingError(code: string, params?: Record<string, number>): FieldError {
  return { path: ['case', ''], code, message: code, ...(params && { params }) }
}

/**
 * The files of the cases in the order of their new names, and what the rules of test data say about them.
 * Errors name files by their names in the zip.
 */
export function applyMapping<Entry extends TestDataEntry>(
  entries: Entry[],
  mapping: CaseMapping,
): { files: RenamedEntry<Entry>[]; errors: FieldError[] } {
  const names = newNames(mapping)
  const counts = casesBySubtask(mapping).map((cases) => cases.length)
  if (names.size === 0) {
    const links = linkErrors(entries)
    return { files: [], errors: links.length > 0 ? links : [mappingError('no_cases')] }
  }
  const { subtasks, casesPerSubtask } = COUNT_LIMITS
  if (counts.length > subtasks || counts.some((count) => count > casesPerSubtask))
    return {
      files: [],
      errors: [mappingError('too_many_cases', { subtasks, cases: casesPerSubtask })],
    }
  const files = entries
    .flatMap((entry) => {
      const name = names.get(entry.name)
      return name === undefined ? [] : [{ name, entry }]
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const old = new Map(files.map(({ name, entry }) => [name, entry.name]))
  const { errors: faults } = checkTestData(files.map(({ name, entry }) => ({ ...entry, name })))
  const errors = faults.map((error) => ({
    ...error,
    path: error.path.map((part) => old.get(String(part)) ?? part),
  }))
  return { files, errors }
}

/** Whether the zip is already as the judge wants it. */
export function isReady<Entry extends TestDataEntry>(
  entries: Entry[],
  files: RenamedEntry<Entry>[],
): boolean {
  return files.length === entries.length && files.every(({ name, entry }) => name === entry.name)
}
