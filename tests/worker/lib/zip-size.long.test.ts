/** A zip of more than 65,535 files and 4 GiB, written as a stream. */
import { Reader, ZipReader } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { writeZip, type NewFile } from '../../../worker/lib/zip-writer.ts'

/** The end of a zip that is too large to keep. */
class TailReader extends Reader<unknown> {
  readonly #tail: Uint8Array
  constructor(size: number, tail: Uint8Array) {
    super(null)
    this.size = size
    this.#tail = tail
  }
  override async init() {}
  override async readUint8Array(index: number, length: number) {
    const from = index - (this.size - this.#tail.length)
    return this.#tail.slice(from, from + length)
  }
}

test('a zip may have more files and more bytes than its old format counts', async () => {
  const piece = new Uint8Array(64 * 1024 ** 2)
  async function* gigabyte(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 16; count += 1) yield piece
  }
  async function* files(): AsyncGenerator<NewFile> {
    for (let count = 0; count < 66_000; count += 1) yield { name: `${count}`, content: '' }
    for (const name of ['a', 'b', 'c', 'd']) yield { name, content: gigabyte() }
    yield { name: 'last', content: 'behind 4 GiB' }
  }
  let size = 0
  const last: Uint8Array[] = []
  for await (const part of writeZip(files())) {
    size += part.length
    // From here on there are only small parts.
    if (size > 4 * 1024 ** 3 && part !== piece) last.push(part)
  }
  const tail = new TailReader(size, Buffer.concat(last))
  const entries = await new ZipReader(tail, { useWebWorkers: false }).getEntries()
  expect(entries).toHaveLength(66_005)
  expect(entries.at(-2)?.uncompressedSize).toBe(1024 ** 3)
  const entry = entries.at(-1)
  expect(entry?.offset).toBeGreaterThan(2 ** 32)
  expect(entry?.filename).toBe('last')
  const header = await tail.readUint8Array(entry?.offset ?? 0, 34)
  expect(Buffer.from(header.subarray(30)).toString()).toBe('last')
})
