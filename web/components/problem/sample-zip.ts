/** The samples of a problem as files. Loaded on demand: the zip library comes with it. */
import type { ProblemDescription } from '#contract/problems'
import { storedZip } from '../../lib/files/stored-zip.ts'

/** A zip with `sample-1.in`, `sample-1.out` and so on, byte for byte as judged. */
export function sampleZip(
  samples: Pick<ProblemDescription, 'sampleInput' | 'sampleOutput'>,
): Promise<Blob> {
  return storedZip(
    samples.sampleInput.flatMap((input, index) => [
      [`sample-${index + 1}.in`, input],
      [`sample-${index + 1}.out`, samples.sampleOutput[index] ?? ''],
    ]),
  )
}
