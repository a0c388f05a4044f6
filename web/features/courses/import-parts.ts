/** Sends a checked file of members in parts, each of which the API stores whole or not at all. */
import type { BatchSignupResult, BatchSignupRow } from '#contract/people/auth'
import { COUNT_LIMITS } from '#contract/limits'
import { toApiCsv, type Member } from './member-file.ts'

/** How far an import is: the first `done` members are stored. `result` is the result of the whole file. */
export interface ImportState {
  done: number
  result: BatchSignupResult
}

/** Gives a row its line number in the whole file; the call of this row began with the member `first`. */
function movedBy(first: number, row: BatchSignupRow): BatchSignupRow {
  return { ...row, line: row.line + first }
}

/** Turns a result for the members from `first` on into one for the whole file; the members before `first` are stored. */
export function toWholeResult(
  members: Member[],
  first: number,
  result: BatchSignupResult,
): BatchSignupResult {
  const before = members
    .slice(0, first)
    .map(({ username }, index) => ({ line: index + 2, username, action: 'none' as const }))
  return {
    ...result,
    unchanged: result.unchanged + first,
    rows: [...before, ...result.rows.map((row) => movedBy(first, row))],
  }
}

/** The rows of a part, with line numbers of the whole file. @param part the indexes of the part's members */
export function toFileRows(part: number[], rows: BatchSignupRow[]): BatchSignupRow[] {
  return rows.map((row) => movedBy((part[row.line - 2] ?? 0) - (row.line - 2), row))
}

/** The indexes of the next members for whom something is to be stored. */
export function nextPart({ done, result }: ImportState): number[] {
  const left = result.rows.filter(({ line, action }) => line - 2 >= done && action !== 'none')
  return left.slice(0, COUNT_LIMITS.batchSignupStored).map(({ line }) => line - 2)
}

/** The members of a part as CSV. */
export function toPartCsv(members: Member[], part: number[]): string {
  return toApiCsv(part.flatMap((index) => members[index] ?? []))
}

/**
 * The state after a part is stored. The rows of the part's answer replace the check's rows, because names may have been
 * taken since the check.
 */
export function afterPart(
  { result }: ImportState,
  part: number[],
  answer: BatchSignupResult,
): ImportState {
  const stored = new Map(toFileRows(part, answer.rows).map((row) => [row.line, row]))
  const rows = result.rows.map((row) => stored.get(row.line) ?? row)
  const notMailed = [...(result.notMailed ?? []), ...(answer.notMailed ?? [])]
  const waitingLinks = (result.waitingLinks ?? 0) + (answer.waitingLinks ?? 0)
  const countOf = (action: BatchSignupRow['action']): number =>
    rows.filter((row) => row.action === action).length
  return {
    done: (part.at(-1) ?? -1) + 1,
    result: {
      created: countOf('create'),
      updated: countOf('update'),
      enrolled: countOf('enrol'),
      unchanged: countOf('none'),
      notMailed,
      waitingLinks,
      rows,
    },
  }
}
