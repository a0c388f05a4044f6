/** The check of a test-data zip: what it reads and how long it takes must not depend on the size of the data. */
import { randomBytes } from 'node:crypto'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import * as z from 'zod'
import { percentile, timed, type Report } from './report.ts'
import type { BenchStack } from './stack.ts'

const ENTRIES = 100
const ROUNDS = 60
const MOST_RATIO = 1.3
const MOST_BYTES = 64 * 1024
const MB = 1_000_000

const answer = z.object({ bytes: z.int(), entries: z.literal(ENTRIES), errors: z.literal(0) })

/** A zip of 50 cases, stored and not packed, with this many bytes of data. */
async function zipOfSize(bytes: number): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, level: 0 })
  const content = randomBytes(bytes / ENTRIES)
  for (let index = 0; index < ENTRIES / 2; index += 1)
    for (const kind of ['in', 'out'])
      await zip.add(`00${String(index).padStart(2, '0')}.${kind}`, new Uint8ArrayReader(content))
  return zip.close()
}

/** Size of the central directory, from the zip's last record (APPNOTE 4.3.16; written without a comment). */
function directoryBytes(zip: Uint8Array): number {
  return new DataView(zip.buffer, zip.byteOffset + zip.byteLength - 22).getUint32(12, true)
}

/** Measures both sizes in turn. */
export async function benchZip({ miniflare }: BenchStack, report: Report): Promise<void> {
  const bucket = await miniflare.getR2Bucket('BUCKET')
  const sizes = [MB, 100 * MB]
  const times = sizes.map((): number[] => [])
  for (const size of sizes) {
    const zip = await zipOfSize(size)
    await bucket.put(String(size), zip)
    const response = await miniflare.dispatchFetch(`http://judge.test/bench/zip?key=${size}`)
    const { bytes } = answer.parse(await response.json())
    const beyond = bytes - directoryBytes(zip)
    report.bound(`zip check, ${size / MB} MB: bytes read beyond the directory`, beyond, MOST_BYTES)
  }
  for (let round = -10; round < ROUNDS; round += 1)
    for (const [index, size] of sizes.entries()) {
      const url = `http://judge.test/bench/zip?key=${size}`
      const ms = await timed(async () => (await miniflare.dispatchFetch(url)).json())
      if (round >= 0) times[index]?.push(ms)
    }
  const [small, large] = times.map((values) => percentile(values, 0.5))
  const ratio = (large ?? 0) / (small ?? 1)
  const detail = `${small?.toFixed(2)} → ${large?.toFixed(2)} ms at ${ENTRIES} entries`
  report.bound('zip check, time for 100 MB ÷ 1 MB', ratio, MOST_RATIO, detail)
}
