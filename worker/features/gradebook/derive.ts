/** Marks of cells: what staff set stands before what was computed. */
import { UNDERIVED, type StoredDerivation } from '../../db/schema.ts'
import type { deriveMarks } from '../homeworks/derived-mark-queries.ts'

/** What staff set in a cell last. `hundredths` null and not excused: nothing any more. */
export interface CellSetting {
  hundredths: number | null
  isExcused: boolean
}

/** A mark as it is stored. `derivation` null: of a total. */
export interface DerivedMark extends CellSetting {
  isSet: boolean
  isKept: boolean
  derivation: StoredDerivation | null
}

/** The mark of a cell; null: none. @param computed of a homework */
export function cellMark(
  setting: CellSetting | null,
  computed?: ReturnType<ReturnType<typeof deriveMarks>['of']>,
): DerivedMark | null {
  const derivation = computed?.derivation ?? UNDERIVED
  const isKept = derivation.problems.some((problem) => problem.isKept)
  const set = { isSet: computed !== undefined, isKept }
  if (setting?.isExcused)
    return {
      hundredths: null,
      isExcused: true,
      ...set,
      derivation: { ...derivation, excusedBy: 'staff' },
    }
  if (setting && setting.hundredths !== null)
    return {
      hundredths: setting.hundredths,
      isExcused: false,
      ...set,
      derivation: { ...derivation, excusedBy: null, isSet: true },
    }
  if (!computed?.hasMark) return null
  const { hundredths, isExcused } = computed
  return { hundredths, isExcused, isSet: false, isKept, derivation }
}
