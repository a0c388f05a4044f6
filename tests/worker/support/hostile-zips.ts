/** Zips built byte by byte (PKWARE APPNOTE 6.3.10 §4.3), so that any field can be false. */
import { readZipDirectory } from '../../../worker/lib/zip-directory.ts'
import { BadZip } from '../../../worker/lib/zip-record.ts'

/** An entry; fields left out are as in an honest zip. Data are written as given. */
export interface HostileEntry {
  name: string
  data?: string | Uint8Array
  /** False values in the directory. */
  sizeBytes?: number
  packedBytes?: number
  offset?: number
  method?: number
  crc?: number
  flags?: number
  /** Upper half of the external attributes: a Unix mode. */
  unixMode?: number
  extra?: Uint8Array
  /** The name in the local header, if it differs. */
  localName?: string
}

/** Two matching entries without faults. */
export const HONEST: HostileEntry[] = [
  { name: '0000.in', data: '1 2\n' },
  { name: '0000.out', data: '3\n' },
]

/** False values in the end record of the zip. */
export interface HostileEnd {
  count?: number
  length?: number
  offset?: number
  comment?: Uint8Array
  /** Adds a zip64 record with these numbers; fields left out are true. */
  zip64?: { count?: number; length?: number; offset?: number; at?: number }
}

const encoder = new TextEncoder()

/** CRC-32 (ISO 3309), bit by bit: the inputs are short. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** Numbers in little endian, each as `[value, bytes]`. */
function packed(...fields: [value: number, bytes: number][]): Uint8Array {
  const all = new Uint8Array(fields.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of fields) {
    let rest = value
    for (const end = at + bytes; at < end; at += 1) {
      all[at] = rest % 256
      rest = Math.floor(rest / 256)
    }
  }
  return all
}

/** All pieces, one after the other. */
function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The fields that local header and directory record share, from the flags to the length of the extra field. */
function shared(entry: HostileEntry, name: Uint8Array, bytes: Uint8Array): Uint8Array {
  return packed(
    [entry.flags ?? 0, 2],
    [entry.method ?? 0, 2],
    [0, 4],
    [entry.crc ?? crc32(bytes), 4],
    [entry.packedBytes ?? bytes.length, 4],
    [entry.sizeBytes ?? bytes.length, 4],
    [name.length, 2],
    [entry.extra?.length ?? 0, 2],
  )
}

/** A zip with these entries and this end. */
export function hostileZip(entries: HostileEntry[], end: HostileEnd = {}): Uint8Array<ArrayBuffer> {
  const local: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const entry of entries) {
    const name = encoder.encode(entry.name)
    const localName = encoder.encode(entry.localName ?? entry.name)
    const { data = '' } = entry
    const bytes = typeof data === 'string' ? encoder.encode(data) : data
    const extra = entry.extra ?? new Uint8Array()
    const header = [
      packed([0x04034b50, 4], [20, 2]),
      shared(entry, localName, bytes),
      localName,
      extra,
      bytes,
    ]
    local.push(...header)
    directory.push(
      packed([0x02014b50, 4], [0x0314, 2], [20, 2]),
      shared(entry, name, bytes),
      packed(
        [0, 2],
        [0, 2],
        [0, 2],
        [(entry.unixMode ?? 0) * 65_536, 4],
        [entry.offset ?? offset, 4],
      ),
      name,
      extra,
    )
    offset += header.reduce((sum, piece) => sum + piece.length, 0)
  }
  const length = directory.reduce((sum, piece) => sum + piece.length, 0)
  return joined([...local, ...directory, endOf({ count: entries.length, length, offset }, end)])
}

/** The records after the directory. */
function endOf(
  truth: { count: number; length: number; offset: number },
  { zip64, comment = new Uint8Array(), ...lies }: HostileEnd,
): Uint8Array {
  const said = { ...truth, ...lies }
  const pieces = [
    packed(
      [0x06054b50, 4],
      [0, 4],
      [said.count % 65_536, 2],
      [said.count % 65_536, 2],
      [said.length, 4],
      [said.offset, 4],
      [comment.length, 2],
    ),
    comment,
  ]
  if (!zip64) return joined(pieces)
  const large = { at: truth.offset + truth.length, ...truth, ...zip64 }
  return joined([
    packed([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 8]),
    packed([large.count, 8], [large.count, 8], [large.length, 8], [large.offset, 8]),
    packed([0x07064b50, 4], [0, 4], [large.at, 8], [1, 4]),
    ...pieces,
  ])
}

/** A zip64 extra field that gives the uncompressed size, and the packed one if it does not fit either. */
export function zip64Extra(...sizes: number[]): Uint8Array {
  return packed(
    [0x0001, 2],
    [sizes.length * 8, 2],
    ...sizes.map((size): [number, number] => [size, 8]),
  )
}

/** Reads a zip's directory from memory, or from a larger file of which only the end exists. */
export async function readCounted(bytes: Uint8Array, size = bytes.length) {
  const fetched: [offset: number, length: number][] = []
  const missing = size - bytes.length
  const read = (offset: number, length: number): Promise<Uint8Array> => {
    fetched.push([offset, length])
    return Promise.resolve(bytes.subarray(offset - missing, offset - missing + length))
  }
  const result = await readZipDirectory(read, size).catch((error: unknown) => {
    if (!(error instanceof BadZip)) throw error
    return error
  })
  return { result, bytesFetched: fetched.reduce((sum, [, length]) => sum + length, 0) }
}
