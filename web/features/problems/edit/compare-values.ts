/** The comparison mode in the form: options of one mode stay while another is selected. */
import {
  DEFAULT_TOLERANCE,
  isJudgeProgramMode,
  type CompareMode,
  type JudgeProgram,
} from '#contract/problems/compare'

export interface CompareValues {
  mode: CompareMode['mode']
  /** Decimal numbers as typed; empty: this tolerance is not used. */
  absolute: string
  relative: string
  language: JudgeProgram['language']
  source: string
}

export function newCompare(): CompareValues {
  const tolerance = String(DEFAULT_TOLERANCE)
  return { mode: 'lines', absolute: tolerance, relative: tolerance, language: 'cpp', source: '' }
}

function toleranceText(tolerance: number | undefined): string {
  return tolerance === undefined ? '' : String(tolerance)
}

/** The form's values of a stored mode. */
export function toCompareValues(compare: CompareMode): CompareValues {
  const values = { ...newCompare(), mode: compare.mode }
  if (compare.mode === 'float') {
    const { absolute, relative } = compare
    if (absolute === undefined && relative === undefined) return values
    return { ...values, absolute: toleranceText(absolute), relative: toleranceText(relative) }
  }
  return { ...values, ...compare }
}

/** A text that is no number becomes NaN, which the schema refuses. */
function toTolerance(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}

/** The contract's shape; the schema refuses what is wrong. */
export function toCompare({
  mode,
  absolute,
  relative,
  language,
  source,
}: CompareValues): CompareMode {
  if (mode === 'float')
    return { mode, absolute: toTolerance(absolute), relative: toTolerance(relative) }
  return isJudgeProgramMode(mode) ? { mode, language, source } : { mode }
}
