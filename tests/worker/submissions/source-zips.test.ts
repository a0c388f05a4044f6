import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SOURCE_LIMIT_BYTES, SOURCE_ZIP_LIMIT_BYTES } from '#contract/limits'
import { sourceFromFile } from '../../../worker/features/submissions/source.ts'
import { AppError } from '../../../worker/http/errors.ts'
import {
  hostileZip,
  zip64Extra,
  type HostileEnd,
  type HostileEntry,
} from '../support/hostile-zips.ts'
import { zipOf } from '../support/zip.ts'

const CODE = 'int main(void) { return 0; }\n'

/** A deflated entry as an honest program makes it. */
function deflated(text: string, lies: Partial<HostileEntry> = {}): HostileEntry {
  const bytes = Buffer.from(text)
  return {
    name: 'main.c',
    data: deflateRawSync(bytes),
    method: 8,
    crc: crc32(bytes),
    sizeBytes: bytes.length,
    ...lies,
  }
}

/** The source in an uploaded C file, or the code of the refusal. */
async function sourceIn(zip: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return Buffer.from(await sourceFromFile(new Blob([zip]), 0)).toString()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code
  }
}

/** A zip near the largest readable size: its directory states `says` bytes, but it unpacks to `millions` million. */
function bomb(says: number, millions = 60): Uint8Array<ArrayBuffer> {
  const million = deflateRawSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_FULL_FLUSH })
  const data = Buffer.concat([
    ...Array.from({ length: millions }, () => million),
    deflateRawSync(''),
  ])
  return hostileZip([{ name: 'main.c', data, method: 8, crc: 0, sizeBytes: says }])
}

describe('a source file in a zip', () => {
  test.each<[string, HostileEntry[], HostileEnd?]>([
    ['stored', [{ name: 'main.c', data: CODE }]],
    ['deflated', [deflated(CODE)]],
    ['written in one go, its sizes behind its bytes', [deflated(CODE, { flags: 8 })]],
    ['with a comment behind it', [deflated(CODE)], { comment: new Uint8Array(100) }],
    ['of zip64', [deflated(CODE, { sizeBytes: 0xff_ff_ff_ff, extra: zip64Extra(CODE.length) })]],
  ])('%s is taken', async (_title, entries, end) => {
    expect(await sourceIn(hostileZip(entries, end))).toBe(CODE)
  })

  test.each(
    [
      [0, 1, 16_383, 16_384, 16_385, 32_768, 32_769, 49_152],
      [SOURCE_LIMIT_BYTES - 1, SOURCE_LIMIT_BYTES],
    ].flat(),
  )('of %i bytes is taken or empty', async (length) => {
    const code = randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length)
    const answer = await sourceIn(hostileZip([deflated(code)]))
    expect(answer === (length === 0 ? 'empty_code' : code)).toBe(true)
  })

  test.each<[string, HostileEntry[], HostileEnd?]>([
    ['encrypted', [deflated(CODE, { flags: 1 })]],
    ['strongly encrypted', [deflated(CODE, { flags: 0x41 })]],
    ['in a masked directory', [deflated(CODE, { flags: 0x2000 })]],
    ['a patch to another file', [deflated(CODE, { flags: 0x20 })]],
    ['packed with Deflate64', [deflated(CODE, { method: 9 })]],
    ['packed with a method nobody has', [deflated(CODE, { method: 99 })]],
    ['beside another', [deflated(CODE), { name: 'main.h', data: '' }]],
    ['of another name', [deflated(CODE, { name: 'main.py' })]],
    ['in a folder', [deflated(CODE, { name: 'src/main.c' })]],
    ['whose two names differ', [deflated(CODE, { localName: 'main.h' })]],
    ['whose name is said twice', [deflated(CODE, { extra: unicodePath('evil.c') })]],
    ['that is damaged', [deflated(CODE, { crc: 1 })]],
    ['cut off', [deflated(CODE, { packedBytes: 3 })]],
    [
      'that goes on after its bytes',
      [{ name: 'main.c', data: CODE, packedBytes: 3, sizeBytes: 3 }],
    ],
    ['larger than it says', [deflated(CODE, { sizeBytes: 5 })]],
    ['smaller than it says', [deflated(CODE, { sizeBytes: 5_000 })]],
    ['of zip64 without its size', [deflated(CODE, { sizeBytes: 0xff_ff_ff_ff })]],
    ['that lies somewhere else', [deflated(CODE, { offset: 7 })]],
    ['that lies beyond the zip', [deflated(CODE, { offset: 100_000 })]],
    ['with half an extra field', [deflated(CODE, { extra: new Uint8Array(3) })]],
    ['in a zip that says it holds two', [deflated(CODE)], { count: 2 }],
    ['in a zip whose directory is somewhere else', [deflated(CODE)], { offset: 3 }],
  ])('%s is refused in words', async (_title, entries, end) => {
    expect(await sourceIn(hostileZip(entries, end))).toBe('bad_source_zip')
  })

  test('larger than a source is refused before it is inflated', async () => {
    expect(await sourceIn(bomb(60_000_000))).toBe('code_too_large')
  })

  test('that is a bomb inflates to what its directory says and no further', async () => {
    const timed = async (zip: Uint8Array<ArrayBuffer>) => {
      const start = performance.now()
      expect(await sourceIn(zip)).toBe('bad_source_zip')
      return performance.now() - start
    }
    const best = async (zip: Uint8Array<ArrayBuffer>) => {
      const times: number[] = []
      for (let time = 0; time < 7; time += 1) times.push(await timed(zip))
      return Math.min(...times)
    }
    const small = await best(bomb(SOURCE_LIMIT_BYTES, 1))
    // Unpacking all of it would take thirty times as long.
    expect(await best(bomb(SOURCE_LIMIT_BYTES, 30))).toBeLessThan(10 * Math.max(1, small))
  })

  test('that is a bomb harms no other', async () => {
    const zip = bomb(SOURCE_LIMIT_BYTES)
    expect(zip.length).toBeGreaterThan(SOURCE_ZIP_LIMIT_BYTES / 2)
    const honest = await zipOf({ 'main.c': CODE })
    const bombs = Array.from({ length: 8 }, () => sourceIn(zip))
    const answers = await Promise.all([...bombs, sourceIn(honest)])
    expect(answers).toEqual([...bombs.map(() => 'bad_source_zip'), CODE])
  })
})

/** The extra field that gives the entry `main.c` another name (APPNOTE 4.6.9). */
function unicodePath(name: string): Uint8Array {
  const field = Buffer.alloc(9 + name.length)
  field.writeUInt16LE(0x7075, 0)
  field.writeUInt16LE(5 + name.length, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(crc32('main.c'), 5)
  field.write(name, 9)
  return field
}
