/** Example test data. Loaded on demand: the zip library comes with it. */
import { COUNT_LIMITS } from '#contract/limits'
import { entryName } from '#contract/problems/test-data'
import { storedZip } from '../../../lib/files/stored-zip.ts'
import type { NumberField } from '../../../lib/format/number-field.ts'

/** The typed number of cases; 1 if it is not a valid one. */
function casesOf(typed: NumberField): number {
  const isPossible = Number.isInteger(typed) && Number(typed) >= 1
  return isPossible ? Math.min(Number(typed), COUNT_LIMITS.casesPerSubtask) : 1
}

/** A zip for a problem with these numbers of cases; each file says what belongs in it. */
export function exampleZip(caseCounts: NumberField[]): Promise<Blob> {
  return storedZip(
    caseCounts.flatMap((typed, subtask) =>
      Array.from({ length: casesOf(typed) }, (_, index) =>
        (['in', 'out'] as const).map((kind): [string, string] => [
          entryName(subtask, index, kind),
          `${kind}put of subtask ${subtask}, case ${index}\n`,
        ]),
      ).flat(),
    ),
  )
}
