/** Builds zips by hand, wrong ones too (APPNOTE.TXT 4.3). Times of day are left at zero. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  data?: Buffer | string
  store?: boolean
  /** What the headers claim instead of the truth. */
  localName?: string
  crc?: number
  size?: number
  localSize?: number
  method?: number
  flags?: number
  /** Takes the place of the packed bytes. */
  packed?: Buffer
  /** Points the central directory at another entry's local header. */
  sameOffsetAs?: number
}

export function buildZip(parts: ZipPart[]): Buffer {
  const chunks: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let offset = 0
  for (const part of parts) {
    const data = Buffer.from(part.data ?? '')
    const packed = part.packed ?? (part.store ? data : deflateRawSync(data))
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(part.flags ?? 0, 2)
    header.writeUInt16LE(part.method ?? (part.store ? 0 : 8), 4)
    header.writeUInt32LE(part.crc ?? crc32(data), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(part.size ?? data.length, 18)
    const localHeader = Buffer.from(header)
    const localName = Buffer.from(part.localName ?? part.name)
    localHeader.writeUInt32LE(part.localSize ?? part.size ?? data.length, 18)
    localHeader.writeUInt16LE(localName.length, 22)
    const name = Buffer.from(part.name)
    header.writeUInt16LE(name.length, 22)
    const at = part.sameOffsetAs === undefined ? offset : (offsets[part.sameOffsetAs] ?? 0)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    offsets.push(at)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, tail, name)
    if (part.sameOffsetAs !== undefined) continue
    const local = [Buffer.from('PK\x03\x04', 'latin1'), localHeader, localName, packed]
    chunks.push(...local)
    offset += local.reduce((sum, chunk) => sum + chunk.length, 0)
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...chunks, listing, end])
}

/** A good zip from case contents: one subtask per list, `[input, expected]` per case. */
export function testDataZip(subtasks: [input: string, expected: string][][]): Buffer {
  return buildZip(
    subtasks.flatMap((cases, task) =>
      cases.flatMap(([input, expected], index) => {
        const name = `${String(task).padStart(2, '0')}${String(index).padStart(2, '0')}`
        return [
          { name: `${name}.in`, data: input },
          { name: `${name}.out`, data: expected },
        ]
      }),
    ),
  )
}
