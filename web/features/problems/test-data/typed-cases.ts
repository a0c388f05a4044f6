/** Test data typed into the form: what the subtasks hold, and the zip that is made of them. */
import { entryName } from '#contract/problems/test-data'
import { odditiesOfText, plainText, type Oddity } from '../../../lib/files/oddities.ts'
import type { ProblemValues } from '../edit/form-values.ts'
import {
  newSubtask,
  withSplitScores,
  type CaseSide,
  type SubtaskValues,
  type TypedCase,
} from '../edit/subtask-values.ts'

const EMPTY: TypedCase = { input: '', output: '' }

/** A subtask with these cases and their number. */
export function withTyped(subtask: SubtaskValues, typed: TypedCase[]): SubtaskValues {
  return { ...subtask, typed, caseCount: typed.length === 0 ? '' : typed.length }
}

/** The subtasks for typing: each has at least one case to fill in. */
export function beginTyping(subtasks: SubtaskValues[]): SubtaskValues[] {
  return subtasks.map((subtask) =>
    withTyped(subtask, subtask.typed.length === 0 ? [EMPTY] : subtask.typed),
  )
}

/**
 * Returns the subtasks with the numbers of cases from before typing, for use with a zip. If typing has added or removed
 * subtasks, returns the subtasks from before typing, because otherwise the stored test data would no longer fit.
 */
export function endTyping(subtasks: SubtaskValues[], initial: SubtaskValues[]): SubtaskValues[] {
  if (subtasks.length !== initial.length) return initial
  return subtasks.map((subtask, index) => ({
    ...subtask,
    caseCount: initial[index]?.caseCount ?? 1,
  }))
}

/** The subtasks that hold these cases, one subtask for each list. */
export function withCases(subtasks: SubtaskValues[], cases: TypedCase[][]): SubtaskValues[] {
  return withSplitScores(
    cases.map((typed, index) => withTyped(subtasks[index] ?? newSubtask(), typed)),
  )
}

export function isEmptyCase({ input, output }: TypedCase): boolean {
  return input === '' && output === ''
}

/** Whether a case is left to fill in. */
export function hasEmptyTyped({ typesCases, subtasks }: ProblemValues): boolean {
  return typesCases && subtasks.some(({ typed }) => typed.some(isEmptyCase))
}

/**
 * Adds the statement's samples as a subtask of samples. The new subtask replaces an existing subtask of samples, or
 * else stands before all subtasks.
 */
export function withSamples(subtasks: SubtaskValues[], samples: TypedCase[]): SubtaskValues[] {
  const at = subtasks.findIndex(({ sample }) => sample)
  const row = withTyped({ ...(subtasks[at] ?? newSubtask()), sample: true }, samples)
  return withSplitScores(at < 0 ? [row, ...subtasks] : subtasks.with(at, row))
}

/**
 * The text of a case's file. Judges expect a line end after the last line, which a text field hides. So a line end is
 * added, unless the stored file has none.
 */
export function fileText(typed: TypedCase, side: CaseSide): string {
  const text = typed[side]
  return text === '' || text.endsWith('\n') || typed.unended?.includes(side) ? text : `${text}\n`
}

/** The typed cases as files with the judge's names. */
export function typedFiles(subtasks: Pick<SubtaskValues, 'typed'>[]): [string, string][] {
  return subtasks.flatMap(({ typed }, subtask) =>
    typed.flatMap((each, index): [string, string][] => [
      [entryName(subtask, index, 'in'), fileText(each, 'input')],
      [entryName(subtask, index, 'out'), fileText(each, 'output')],
    ]),
  )
}

/** The files of typed cases that have invisible parts, by the judge's names. */
export function oddTyped(
  subtasks: Pick<SubtaskValues, 'typed'>[],
): { name: string; oddities: Oddity[] }[] {
  return typedFiles(subtasks)
    .map(([name, text]) => ({ name, oddities: odditiesOfText(text) }))
    .filter(({ oddities }) => oddities.length > 0)
}

/** The subtasks without the invisible parts of their texts. */
export function withPlainTexts(subtasks: SubtaskValues[]): SubtaskValues[] {
  return subtasks.map((subtask) => ({
    ...subtask,
    typed: subtask.typed.map((each) => ({
      ...each,
      input: plainText(each.input),
      output: plainText(each.output),
    })),
  }))
}
