/** How outputs are compared, as the form holds it: what one mode needs is kept while another is looked at. */
import { DEFAULT_TOLERANCE, type CompareMode } from '#contract/compare'

export interface CompareValues {
  mode: CompareMode['mode']
  /** Decimal numbers as typed; empty: not this one. */
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

/** What is no number becomes NaN, which the schema refuses. */
function toTolerance(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}

/** The contract's shape; what is wrong is left to the schema to refuse. */
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
