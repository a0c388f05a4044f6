import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as moment } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDataRef } from '#contract/judging'
import { extractTestData, TestDataError } from '../../../runner/test-data/zip.ts'
import { TestDataCache } from '../../../runner/test-data/store.ts'
import { buildZip, testDataZip } from '../fixtures/zip-builder.ts'

let root = ''
let downloads: string[] = []
const zips = new Map<string, Buffer>()

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cache-test-'))
  downloads = []
})
afterEach(() => rm(root, { recursive: true }))

async function download(ref: TestDataRef, path: string): Promise<string> {
  downloads.push(ref.version)
  await writeFile(path, zips.get(ref.version) ?? '')
  return ''
}

function openCache(maxBytes = 1_000_000): Promise<TestDataCache> {
  return TestDataCache.open(join(root, 'cache'), maxBytes, download)
}

/** A version of test data whose files have `bytes` bytes in all. */
function version(name: string, bytes = 100): TestDataRef {
  const zip = testDataZip([[['x'.repeat(bytes - 1), name]]])
  zips.set(name, zip)
  const sha256 = createHash('sha256').update(zip).digest('hex')
  return { version: name, sha256, size: zip.length, url: '/' }
}

describe('the test-data cache', () => {
  it('gives nobody data that had to make room before they were used', async () => {
    const first = version('first')
    const second = version('second')
    let pressing = true
    // The second download needs the room just when the first has arrived.
    const directory = join(root, 'cache')
    const cache = await TestDataCache.open(directory, 150, download, async (zip, dir, reserve) => {
      if (pressing && (await readFile(zip)).equals(zips.get('second') ?? Buffer.of())) {
        while (!existsSync(join(directory, first.sha256 ?? ''))) await moment()
        for (let n = 0; n < 20; n++) await moment().then(() => reserve?.(100))
        pressing = false
      }
      return extractTestData(zip, dir, reserve)
    })
    const data = await Promise.all([cache.acquire(first), cache.acquire(second)])
    const contents = data.map((one) => readFile(one.expectedPath(0, 0), 'utf8'))
    expect(await Promise.all(contents)).toEqual(['first', 'second'])
    for (const one of data) one.release()
  })

  it('downloads a version once for all who ask at the same time, and later', async () => {
    const cache = await openCache()
    const ref = version('a')
    const all = await Promise.all([cache.acquire(ref), cache.acquire(ref), cache.acquire(ref)])
    all.push(await cache.acquire(ref))
    expect(downloads).toEqual(['a'])
    expect(await readFile(all[0]?.expectedPath(0, 0) ?? '', 'utf8')).toBe('a')
  })

  it('shares files between versions of the same bytes, and keys by version without a hash', async () => {
    const cache = await openCache()
    const ref = version('a')
    await cache.acquire(ref)
    await cache.acquire({ ...ref, version: 'copy' })
    expect(downloads).toEqual(['a'])
    await cache.acquire({ ...ref, sha256: null })
    await cache.acquire({ ...ref, sha256: null })
    expect(downloads).toEqual(['a', 'a'])
  })

  it('forgets the least recently used, never one in use', async () => {
    const cache = await openCache(300)
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => version(name))
    if (!a || !b || !c || !d) throw new Error('unreachable')
    const used = await cache.acquire(a)
    ;(await cache.acquire(b)).release()
    ;(await cache.acquire(c)).release()
    ;(await cache.acquire(b)).release()
    ;(await cache.acquire(d)).release()
    expect(cache.bytes).toBe(300)
    downloads = []
    ;(await cache.acquire(b)).release()
    ;(await cache.acquire(a)).release()
    expect(downloads).toEqual([])
    ;(await cache.acquire(c)).release()
    expect(downloads).toEqual(['c'])
    used.release()
  })

  it('lends data larger than the cache, and forgets them afterwards', async () => {
    const cache = await openCache(50)
    const data = await cache.acquire(version('large'))
    expect(await readFile(data.expectedPath(0, 0), 'utf8')).toBe('large')
    data.release()
    expect(cache.bytes).toBe(0)
  })

  it('keeps what is whole over a restart and deletes what is not', async () => {
    const ref = version('a')
    const broken = version('b')
    const before = await openCache()
    await before.acquire(ref)
    const data = await before.acquire(broken)
    await writeFile(data.inputPath(0, 0), 'cut')
    await mkdir(join(root, 'cache', 'tmp-left-over'))
    downloads = []
    const after = await openCache()
    await after.acquire(ref)
    expect(downloads).toEqual([])
    expect(await readdir(join(root, 'cache'))).toEqual([ref.sha256])
    await after.acquire(broken)
    expect(downloads).toEqual(['b'])
  })

  it('knows after a restart which was used last, and obeys a smaller bound at once', async () => {
    const [old, recent] = [version('old'), version('recent')]
    const before = await openCache()
    for (const [age, ref] of [old, recent].entries()) {
      ;(await before.acquire(ref)).release()
      const used = 1_000 + age
      await utimes(join(root, 'cache', ref.sha256 ?? '', 'manifest.json'), used, used)
    }
    ;(await before.acquire(old)).release()
    const after = await openCache(150)
    expect(await readdir(join(root, 'cache'))).toEqual([old.sha256])
    expect(after.bytes).toBe(100 - 1 + 'old'.length)
  })

  it('takes a version for incomplete from which an empty file is gone', async () => {
    const ref = version('', 10)
    const data = await (await openCache()).acquire(ref)
    await rm(data.expectedPath(0, 0))
    await (await openCache()).acquire(ref)
    expect(downloads).toEqual(['', ''])
  })

  it('counts each release once: what another job still uses stays', async () => {
    const cache = await openCache(50)
    const ref = version('a')
    const [first, second] = [await cache.acquire(ref), await cache.acquire(ref)]
    first.release()
    first.release()
    ;(await cache.acquire(version('b'))).release()
    expect(await readFile(second.expectedPath(0, 0), 'utf8')).toBe('a')
    second.release()
  })

  it('remembers more than one bad zip', async () => {
    const cache = await openCache()
    for (const name of ['one', 'two', 'one', 'two']) {
      zips.set(name, Buffer.from('no zip'))
      const ref = { version: name, sha256: null, size: 6, url: '/' }
      await expect(cache.acquire(ref)).rejects.toThrow(TestDataError)
    }
    expect(downloads).toEqual(['one', 'two'])
  })

  it('remembers that a zip is bad and leaves nothing of it behind', async () => {
    const cache = await openCache()
    const ref = { ...version('bad'), sha256: null }
    zips.set('bad', buildZip([{ name: '0000.in', data: 'x', crc: 1 }]))
    await expect(cache.acquire(ref)).rejects.toThrow(TestDataError)
    await expect(cache.acquire(ref)).rejects.toThrow(/^0000\.in/)
    expect(downloads).toEqual(['bad'])
    expect(await readdir(join(root, 'cache'))).toEqual([])
  })

  it('tries again after a download that failed', async () => {
    let failing = true
    const cache = await TestDataCache.open(join(root, 'cache'), 1_000, async (ref, path) => {
      if (failing) throw new Error('no route')
      return download(ref, path)
    })
    const ref = version('a')
    await expect(cache.acquire(ref)).rejects.toThrow('no route')
    failing = false
    await cache.acquire(ref)
    expect(downloads).toEqual(['a'])
  })
})
