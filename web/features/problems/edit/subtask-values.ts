/** Subtasks of the problem form, and how untyped scores are split. */
import { SUBTASK_LIMITS, TOTAL_SCORE } from '#contract/limits'
import type { Subtask } from '#contract/problems'
import { kbToMb } from '../../../lib/format/format.ts'
import type { NumberField } from '../../../lib/format/number-field.ts'

/** A case typed into the form. */
export interface TypedCase {
  input: string
  output: string
  /** The texts whose stored files have no line end at the end. */
  unended?: CaseSide[]
}

/** A text of a case. */
export type CaseSide = 'input' | 'output'

/** Time and memory that a case may take. */
export interface LimitValues {
  timeMs: NumberField
  memoryMb: NumberField
}

export interface SubtaskValues extends LimitValues {
  caseCount: NumberField
  taskScore: NumberField
  /** Untyped scores share what the typed ones leave of the total. */
  isScoreTyped: boolean
  sample: boolean
  outputKb: number
  /** Its cases, if they are typed into the form. */
  typed: TypedCase[]
}

/** The default limits. */
export function newLimits(): LimitValues {
  return {
    timeMs: SUBTASK_LIMITS.timeMs.default,
    memoryMb: kbToMb(SUBTASK_LIMITS.memoryKb.default),
  }
}

/** A new row of subtasks. */
export function newSubtask(caseCount = 1, score = 0): SubtaskValues {
  return {
    caseCount,
    taskScore: score,
    isScoreTyped: false,
    sample: false,
    ...newLimits(),
    outputKb: SUBTASK_LIMITS.outputKb.default,
    typed: [],
  }
}

/** The sum of all scores; empty fields count as 0. */
export function totalScore(subtasks: SubtaskValues[]): number {
  return subtasks.reduce((sum, { taskScore }) => sum + (taskScore === '' ? 0 : taskScore), 0)
}

/**
 * Splits the total, less the typed scores, evenly over the other subtasks that are no samples; the
 * last one gets the remainder. Samples get 0 unless typed.
 */
export function withSplitScores(subtasks: SubtaskValues[]): SubtaskValues[] {
  const rest = Math.max(0, TOTAL_SCORE - totalScore(subtasks.filter((each) => each.isScoreTyped)))
  const sharing = subtasks.filter(({ isScoreTyped, sample }) => !isScoreTyped && !sample)
  const share = Math.floor(rest / sharing.length)
  return subtasks.map((subtask) => {
    if (subtask.isScoreTyped) return subtask
    if (subtask.sample) return { ...subtask, taskScore: 0 }
    const isLast = subtask === sharing.at(-1)
    return { ...subtask, taskScore: isLast ? rest - share * (sharing.length - 1) : share }
  })
}

/** Gives the subtasks the scores that a text lists, in order and with any separator. Subtasks without a score share the rest. */
export function withTypedScores(subtasks: SubtaskValues[], text: string): SubtaskValues[] {
  const scores = (text.match(/\d+/g) ?? []).map(Number)
  return withSplitScores(
    subtasks.map((subtask, index) => ({
      ...subtask,
      taskScore: scores[index] ?? 0,
      isScoreTyped: scores[index] !== undefined,
    })),
  )
}

/** The limits that all subtasks share; null where they differ. */
export function sharedLimits(subtasks: SubtaskValues[]): LimitValues | null {
  const [{ timeMs, memoryMb } = newLimits()] = subtasks
  const isShared = subtasks.every((each) => each.timeMs === timeMs && each.memoryMb === memoryMb)
  return isShared ? { timeMs, memoryMb } : null
}

/** The rows of stored subtasks. The scores count as typed unless they are an even split of the total. */
export function toSubtaskValues(stored: Subtask[]): SubtaskValues[] {
  const rows = stored.map((subtask) => ({
    caseCount: subtask.caseCount,
    taskScore: subtask.taskScore,
    isScoreTyped: false,
    sample: subtask.sample,
    timeMs: subtask.timeLimit,
    memoryMb: subtask.memoryLimit / 1024,
    outputKb: subtask.outputLimit,
    typed: [],
  }))
  const isSplit = withSplitScores(rows).every(
    ({ taskScore }, index) => taskScore === rows[index]?.taskScore,
  )
  return rows.map((row) => ({ ...row, isScoreTyped: !isSplit }))
}

/** The cases of each subtask in a zip: the input's name, and whether the names call it a sample. */
export interface ZipSubtasks {
  subtasks: { input: string; isSample: boolean }[][]
  /** Whether the zip has the judge's names, which say nothing about samples. */
  isReady: boolean
}

/**
 * The subtasks of a zip: existing rows keep typed scores and limits, missing rows are added, superfluous rows are
 * removed. Names in the zip mark samples; a mark that was set by hand moves with its cases. If the names in the form's
 * first zip say nothing about samples, the stored marks stay.
 * @param before the zip's subtasks before its cases changed; null: this is the form's first zip
 */
export function withZipSubtasks(
  subtasks: SubtaskValues[],
  found: ZipSubtasks,
  before: ZipSubtasks | null,
): SubtaskValues[] {
  const isNamed = (cases: ZipSubtasks['subtasks'][number]) =>
    cases.every(({ isSample }) => isSample)
  const byHand = new Map(
    before?.subtasks.flatMap((cases, index) => {
      const sample = subtasks[index]?.sample
      return sample === isNamed(cases) ? [] : cases.map(({ input }) => [input, sample] as const)
    }),
  )
  const keepsMarks = before === null && found.isReady
  return withSplitScores(
    found.subtasks.map((cases, index) => {
      const row = subtasks[index] ?? newSubtask()
      const sample = cases.every(({ input, isSample }) => byHand.get(input) ?? isSample)
      return { ...row, caseCount: cases.length, sample: keepsMarks ? row.sample : sample }
    }),
  )
}
