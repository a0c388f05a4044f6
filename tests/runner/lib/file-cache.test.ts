import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DamagedError, FileCache, keyOf } from '../../../runner/lib/file-cache.ts'

const WIDE = { bytes: 1_000_000, files: 100 }
let directory = ''

beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'file-cache-'))))
afterEach(() => rm(directory, { recursive: true }))

const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c')]

it('names parts by their content and where one ends', () => {
  expect(keyOf('a', 'bc')).not.toBe(keyOf('ab', 'c'))
  expect(keyOf('a', Buffer.from('bc'))).toBe(keyOf('a', 'bc'))
  expect(a).toMatch(/^[0-9a-f]{64}$/)
})

it('gives back what was put, byte for byte, and after a restart', async () => {
  const body = Buffer.from([0, 255, 13, 10, 239, 187, 191])
  await (await FileCache.open(directory, WIDE)).put(a, body)
  const cache = await FileCache.open(directory, WIDE)
  expect(await cache.get(a)).toEqual(body)
  expect(await cache.get(b)).toBeNull()
  expect(cache.bytes).toBe(body.length + 32)
})

it('forgets the least recently used above either bound', async () => {
  const cache = await FileCache.open(directory, { bytes: 1_000_000, files: 2 })
  await cache.put(a, Buffer.from('1'))
  await cache.put(b, Buffer.from('2'))
  await cache.get(a)
  await cache.put(c, Buffer.from('3'))
  expect(await cache.get(b)).toBeNull()
  expect((await readdir(directory)).toSorted()).toEqual([a, c].toSorted())
  await cache.put(b, Buffer.alloc(999_950))
  expect(await readdir(directory)).toEqual([b])
  expect(cache.bytes).toBe(999_982)
})

it('remembers the order of use across a restart, and obeys a smaller bound', async () => {
  const cache = await FileCache.open(directory, WIDE)
  for (const [age, key] of [a, b, c].entries()) {
    await cache.put(key, Buffer.from(key))
    await utimes(join(directory, key), 1_000 - age, 1_000 - age)
  }
  const reopened = await FileCache.open(directory, { bytes: 1_000_000, files: 1 })
  expect(await readdir(directory)).toEqual([a])
  expect(await reopened.get(a)).toEqual(Buffer.from(a))
})

it.each<[string, (file: Buffer) => Buffer]>([
  [
    'changed in one bit',
    (file) => Buffer.concat([Buffer.of((file[0] ?? 0) ^ 1), file.subarray(1)]),
  ],
  ['cut short', (file) => file.subarray(0, -1)],
  ['made longer', (file) => Buffer.concat([file, Buffer.of(0)])],
  ['emptied', () => Buffer.alloc(0)],
])('says so once when a file was %s, and has it no more', async (_how, damage) => {
  const cache = await FileCache.open(directory, WIDE)
  await cache.put(a, Buffer.from('content'))
  const path = join(directory, a)
  await writeFile(path, damage(await readFile(path)))
  await expect(cache.get(a)).rejects.toThrow(DamagedError)
  expect(await cache.get(a)).toBeNull()
  expect(await readdir(directory)).toEqual([])
  expect(cache.bytes).toBe(0)
})

it('removes what an earlier process left half done', async () => {
  await writeFile(join(directory, `${a}.half`), 'x')
  await writeFile(join(directory, 'tmp-1'), 'x')
  await FileCache.open(directory, WIDE)
  expect(await readdir(directory)).toEqual([])
})

it('bears overlapping calls: each gets a whole file or none', async () => {
  const cache = await FileCache.open(directory, { bytes: 1_000_000, files: 2 })
  const body = Buffer.alloc(50_000, 'x')
  const calls = Array.from({ length: 100 }, (_, index) => {
    const key = [a, b, c][index % 3] ?? a
    return index % 2 === 0 ? cache.put(key, body) : cache.get(key)
  })
  for (const got of await Promise.all(calls)) if (got) expect(Buffer.compare(got, body)).toBe(0)
  const left = await readdir(directory)
  expect(left).toHaveLength(2)
  for (const key of left) expect(await cache.get(key)).toEqual(body)
  expect(cache.bytes).toBe(2 * (body.length + 32))
})
