/** Files of test data with the invisible parts that Windows programs add to texts, and the same files without these. */
import { BlobWriter, ZipWriter } from '@zip.js/zip.js'
import { findUtf16 } from '../../../lib/files/file-text.ts'
import { odditiesOf, type Oddity } from '../../../lib/files/oddities.ts'
import type { CaseMapping } from './case-mapping.ts'
import { readZip, type ZipFileEntry } from './read-zip.ts'

/** The oddities of a zip's files; files without any are left out. */
export type OddFiles = ReadonlyMap<ZipFileEntry, Oddity[]>

/** How many packed bytes of a file are examined. */
const LOOKED_AT_BYTES = 4_096
const PARALLEL_READS = 100

const DEFLATED = 8
const CR = 0x0d
const LF = 0x0a

/** The unpacked bytes of a file, as far as its first packed bytes give them. */
function unpacked(
  entry: ZipFileEntry,
  packedBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { blob, dataOffset, compressionMethod } = entry
  const packed = blob.slice(dataOffset, dataOffset + packedBytes).stream()
  return compressionMethod === DEFLATED
    ? packed.pipeThrough(new DecompressionStream('deflate-raw'))
    : packed
}

/** The first bytes of a file. */
async function headOf(entry: ZipFileEntry): Promise<Uint8Array> {
  const reader = unpacked(entry, Math.min(entry.packedBytes, LOOKED_AT_BYTES)).getReader()
  try {
    return (await reader.read()).value ?? new Uint8Array()
  } catch {
    // The server reports damaged files when it unpacks them.
    return new Uint8Array()
  } finally {
    // Only the first packed bytes are unpacked, which ends in an error that does not matter here.
    reader.cancel().catch(() => undefined)
  }
}

/** The odd files among the entries of a zip. */
export async function findOddFiles(entries: ZipFileEntry[]): Promise<OddFiles> {
  const files = entries.filter(({ isDirectory, isEncrypted }) => !isDirectory && !isEncrypted)
  const odd = new Map<ZipFileEntry, Oddity[]>()
  for (let start = 0; start < files.length; start += PARALLEL_READS) {
    const next = files.slice(start, start + PARALLEL_READS)
    const heads = await Promise.all(next.map(headOf))
    for (const [index, entry] of next.entries()) {
      const oddities = odditiesOf(heads[index] ?? new Uint8Array())
      if (oddities.length > 0) odd.set(entry, oddities)
    }
  }
  return odd
}

/** The odd files that are in cases; other files, such as documents, may hold any bytes. */
export function oddInCases(odd: OddFiles, { cases }: CaseMapping): OddFiles {
  const names = new Set(cases.flatMap(({ input, output }) => [input, output]))
  return new Map([...odd].filter(([{ name }]) => names.has(name)))
}

/** Leaves out the first `count` bytes of a stream. */
function without(count: number): TransformStream<Uint8Array, Uint8Array> {
  let left = count
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(left))
      left = Math.max(0, left - chunk.length)
    },
  })
}

/** Leaves out each CR before a LF. */
function withPlainEnds(): TransformStream<Uint8Array, Uint8Array> {
  let endsInCr = false
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = endsInCr ? Uint8Array.from([CR, ...chunk]) : chunk
      endsInCr = bytes.at(-1) === CR
      const whole = endsInCr ? bytes.subarray(0, -1) : bytes
      controller.enqueue(whole.filter((byte, at) => byte !== CR || whole[at + 1] !== LF))
    },
    flush(controller) {
      if (endsInCr) controller.enqueue(Uint8Array.of(CR))
    },
  })
}

/** A file's bytes as UTF-8 without a byte order mark, with plain line ends. */
async function plainBytes(
  entry: ZipFileEntry,
  oddities: Oddity[],
): Promise<ReadableStream<Uint8Array>> {
  let bytes: ReadableStream<Uint8Array> = unpacked(entry, entry.packedBytes)
  const encoding = oddities.includes('utf16') ? findUtf16(await headOf(entry)) : null
  if (encoding !== null)
    bytes = unpacked(entry, entry.packedBytes)
      .pipeThrough(new TextDecoderStream(encoding))
      .pipeThrough(new TextEncoderStream())
  if (oddities.includes('mark')) bytes = bytes.pipeThrough(without(3))
  return oddities.includes('windowsEnds') ? bytes.pipeThrough(withPlainEnds()) : bytes
}

/** The entries, with each odd file replaced by a plain file. The bytes of the plain files are in a second zip. */
export async function convertOddFiles(
  entries: ZipFileEntry[],
  odd: OddFiles,
): Promise<ZipFileEntry[]> {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false })
  const converted = [...odd.keys()]
  for (const [index, entry] of converted.entries())
    // The files are converted one after the other, because each may be large.
    await zip.add(String(index), await plainBytes(entry, odd.get(entry) ?? []))
  const plain = await readZip(await zip.close())
  return entries.map((entry) => {
    const found = plain[converted.indexOf(entry)]
    return found ? { ...found, name: entry.name } : entry
  })
}
