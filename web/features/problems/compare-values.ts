/** The comparison mode in the form: options of one mode stay while another is selected. */
import { DEFAULT_TOLERANCE, type CompareMode } from '#contract/compare'

export interface CompareValues {
  mode: CompareMode['mode']
  /** Decimal numbers as typed; empty: this tolerance is not used. */
  absolute: string
  relative: string
  language: 'cpp' | 'py3'
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
  switch (compare.mode) {
    case 'float': {
      const none = compare.absolute === undefined && compare.relative === undefined
      if (none) return values
      const { absolute, relative } = compare
      return { ...values, absolute: toleranceText(absolute), relative: toleranceText(relative) }
    }
    case 'checker':
    case 'interactor':
      return { ...values, language: compare.language, source: compare.source }
    default:
      return values
  }
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
  switch (mode) {
    case 'float':
      return { mode, absolute: toTolerance(absolute), relative: toTolerance(relative) }
    case 'checker':
    case 'interactor':
      return { mode, language, source }
    default:
      return { mode }
  }
}
