/** The comparison mode in the form: options of one mode stay while another is selected. */
import {
  DEFAULT_TOLERANCE,
  ignoresCase,
  isLetterMode,
  isJudgeProgramMode,
  type CompareMode,
  type JudgeProgram,
} from '#contract/problems/compare'

export interface CompareValues {
  mode: CompareMode['mode']
  ignoresCase: boolean
  /** Decimal numbers as typed; empty: this tolerance is not used. */
  absolute: string
  relative: string
  language: JudgeProgram['language']
  source: string
  headers: NonNullable<JudgeProgram['headers']>
}

export function newCompare(): CompareValues {
  const tolerance = String(DEFAULT_TOLERANCE)
  return {
    mode: 'lines',
    ignoresCase: false,
    absolute: tolerance,
    relative: tolerance,
    language: 'cpp',
    source: '',
    headers: [],
  }
}

function toleranceText(tolerance: number | undefined): string {
  return tolerance === undefined ? '' : String(tolerance)
}

/** The form's values of a stored mode. */
export function toCompareValues(compare: CompareMode): CompareValues {
  const values = { ...newCompare(), mode: compare.mode, ignoresCase: ignoresCase(compare) }
  if (compare.mode === 'float') {
    const { absolute, relative } = compare
    if (absolute === undefined && relative === undefined) return values
    return { ...values, absolute: toleranceText(absolute), relative: toleranceText(relative) }
  }
  if (!('source' in compare)) return values
  return { ...values, ...compare, headers: compare.headers ?? [] }
}

/** A text that is no number becomes NaN, which the schema refuses. */
function toTolerance(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}

/** Converts the values to the contract's shape; the schema refuses what is wrong. */
export function toCompare({
  mode,
  ignoresCase: isCaseIgnored,
  absolute,
  relative,
  language,
  source,
  headers,
}: CompareValues): CompareMode {
  if (mode === 'float')
    return { mode, absolute: toTolerance(absolute), relative: toTolerance(relative) }
  if (isJudgeProgramMode(mode))
    return { mode, language, source, ...(headers.length > 0 && { headers }) }
  return isLetterMode(mode) && isCaseIgnored ? { mode, ignoreCase: true } : { mode }
}
