/** The samples of a problem as files. Loaded on demand: the library comes with it. */
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js'
import type { ProblemDescription } from '#contract/problems'

/** A zip with `sample-1.in`, `sample-1.out` and so on, byte for byte as judged. */
export async function sampleZip(
  samples: Pick<ProblemDescription, 'sampleInput' | 'sampleOutput'>,
): Promise<Blob> {
  // Stored, not packed: samples are small, and no codec needs to be loaded.
  const zip = new ZipWriter(new BlobWriter('application/zip'), { level: 0, useWebWorkers: false })
  const encoder = new TextEncoder()
  for (const [index, input] of samples.sampleInput.entries()) {
    const name = `sample-${index + 1}`
    const output = samples.sampleOutput[index] ?? ''
    // One after the other: their order in the zip is that on the page.
    // eslint-disable-next-line no-await-in-loop
    await zip.add(`${name}.in`, new Uint8ArrayReader(encoder.encode(input)))
    // eslint-disable-next-line no-await-in-loop
    await zip.add(`${name}.out`, new Uint8ArrayReader(encoder.encode(output)))
  }
  return zip.close()
}
