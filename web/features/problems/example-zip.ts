/** Test data that shows how its files are named. Loaded on demand: the zip library comes with it. */
import { COUNT_LIMITS } from '#contract/limits'
import { entryName } from '#contract/test-data'
import { storedZip } from '../../lib/stored-zip.ts'
import type { NumberField } from './form-values.ts'

/** As many cases as were typed; one where the number is no possible one. */
function casesOf(typed: NumberField): number {
  const isPossible = Number.isInteger(typed) && Number(typed) >= 1
  return isPossible ? Math.min(Number(typed), COUNT_LIMITS.casesPerSubtask) : 1
}

/** A zip that fits a problem with these numbers of cases; its files say what belongs into them. */
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
