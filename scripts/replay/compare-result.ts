/** Compares a program's result with the expected one, as lines of a table. */
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { Solution } from './problem-folder.ts'

/** The short name of a status, such as `AC` for 0; `–` for none. */
function shortName(status: number | null | undefined): string {
  return Object.entries(STATUS).find(([, code]) => code === status)?.[0] ?? '–'
}

function shortNames(allowed: number[] | null): string {
  return allowed === null ? 'any' : [...new Set(allowed.map(shortName))].join('/')
}

/** Each difference in words; empty when everything is as expected. */
export function differences(
  solution: Solution,
  result: Pick<SubmissionDetail, 'status' | 'score' | 'tasks'>,
): string[] {
  const found: string[] = []
  if (!solution.allowed.includes(result.status))
    found.push(`verdict ${shortName(result.status)}, not ${shortNames(solution.allowed)}`)
  if (solution.score !== undefined && solution.score !== result.score)
    found.push(`score ${result.score}, not ${solution.score}`)
  for (const [index, allowed] of (solution.subtasks ?? []).entries()) {
    const status = result.tasks?.[index]?.status
    if (allowed !== null && (status === undefined || status === null || !allowed.includes(status)))
      found.push(`subtask ${index} ${shortName(status)}, not ${shortNames(allowed)}`)
  }
  return found
}

/** One line: ok or DIFF, the program, verdicts and scores, time and memory, and the differences. */
export function row(solution: Solution, result: SubmissionDetail | null, found: string[]): string {
  const expected = `${shortNames(solution.allowed)} ${solution.score ?? ''}`
  const subtasks = result?.tasks?.map((subtask) => shortName(subtask.status)).join(' ') ?? ''
  const got = result ? `${shortName(result.status)} ${result.score} [${subtasks}]` : 'nothing'
  const cost = result ? `${result.runTime ?? '–'} ms, ${result.memoryUsage ?? '–'} KB` : ''
  const verdict = found.length === 0 ? 'ok  ' : 'DIFF'
  const line = `  ${verdict} ${solution.file.padEnd(24)} expected ${expected.padEnd(14)} got ${got.padEnd(24)} ${cost}`
  const reason = result?.judgements[0]?.reason
  const details = [...found, ...(found.length > 0 && reason ? [reason] : [])]
  return [line.trimEnd(), ...details.map((detail) => `       ${detail}`)].join('\n')
}
