/**
 * The test-data cache: each version is downloaded once, checked and extracted to plain files. The cache is bounded; the
 * least recently used version goes first, never one in use.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { TestDataRef } from '#contract/judging'
import { extractTestData, TestDataError } from './zip.ts'

/**
 * Downloads the zip to `path`.
 * @returns the SHA-256 of the bytes, hex, checked against `ref.sha256`, if that is given
 */
type DownloadTestData = (ref: TestDataRef, path: string) => Promise<string>

/** Extracted test data in use, until released. */
export interface TestData {
  inputPath(subtask: number, index: number): string
  expectedPath(subtask: number, index: number): string
  release(): void
}

interface CachedData {
  directory: string
  bytes: number
  users: number
  /** A count: larger is more recent. */
  lastUsed: number
}

/** This file is written last: a directory without it is incomplete. */
const MANIFEST = 'manifest.json'
const manifest = z.object({ files: z.int(), bytes: z.int() })

/** How many bad zips are remembered, so that a class that tries again does not download them each time. */
const REMEMBERED_FAULTS = 100

/** The name of a case's files without their ending: subtask and case, two digits each. */
export function caseName(subtask: number, index: number): string {
  return `${String(subtask).padStart(2, '0')}${String(index).padStart(2, '0')}`
}

/** The directory name of a version. The server chooses a version's name, so only its hash is safe as a file name. */
function keyOf(ref: TestDataRef): string {
  return ref.sha256 ?? `version-${createHash('sha256').update(ref.version).digest('hex')}`
}

export class TestDataCache {
  private readonly directory: string
  private readonly maxBytes: number
  private readonly download: DownloadTestData
  private readonly extract: typeof extractTestData
  private readonly cached = new Map<string, CachedData>()
  private readonly loading = new Map<string, Promise<void>>()
  private readonly faults = new Map<string, string>()
  private clock = 0

  private constructor(
    directory: string,
    maxBytes: number,
    download: DownloadTestData,
    extract: typeof extractTestData,
  ) {
    this.directory = directory
    this.maxBytes = maxBytes
    this.download = download
    this.extract = extract
  }

  /** Opens the cache with the complete directories of an earlier process, and deletes the others. */
  static async open(
    directory: string,
    maxBytes: number,
    download: DownloadTestData,
    extract: typeof extractTestData = extractTestData,
  ): Promise<TestDataCache> {
    const cache = new TestDataCache(directory, maxBytes, download, extract)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await cache.scan()
    await cache.makeRoom(0)
    return cache
  }

  /** Size of all extracted files. */
  get bytes(): number {
    return [...this.cached.values()].reduce((sum, data) => sum + data.bytes, 0)
  }

  /**
   * Returns the extracted test data of a version. It downloads them when needed, and only once for any number of calls.
   * @throws TestDataError when the zip is at fault; any other error is ours
   */
  async acquire(ref: TestDataRef): Promise<TestData> {
    const key = keyOf(ref)
    const fault = this.faults.get(key)
    if (fault !== undefined) throw new TestDataError(fault)
    let data = this.cached.get(key)
    // The data just loaded may already have been removed to make room for larger data.
    while (!data) {
      await this.load(key, ref)
      data = this.cached.get(key)
    }
    data.users++
    data.lastUsed = ++this.clock
    const now = new Date()
    await utimes(join(data.directory, MANIFEST), now, now).catch(() => {})
    let released = false
    return {
      inputPath: (subtask, index) => join(data.directory, `${caseName(subtask, index)}.in`),
      expectedPath: (subtask, index) => join(data.directory, `${caseName(subtask, index)}.out`),
      release: () => {
        if (released) return
        released = true
        data.users--
        // Data that cannot be deleted now are tried again at the next release.
        void this.makeRoom(0).catch(() => {})
      },
    }
  }

  private load(key: string, ref: TestDataRef): Promise<void> {
    const running = this.loading.get(key)
    if (running) return running
    const started = this.fetch(key, ref).finally(() => this.loading.delete(key))
    this.loading.set(key, started)
    return started
  }

  private async fetch(key: string, ref: TestDataRef): Promise<void> {
    const work = join(this.directory, `tmp-${randomUUID()}`)
    const zipPath = `${work}.zip`
    try {
      await mkdir(work, { mode: 0o700 })
      await this.download(ref, zipPath)
      const written = await this.extract(zipPath, work, (bytes) => this.makeRoom(bytes))
      await writeFile(join(work, MANIFEST), JSON.stringify(written))
      const directory = join(this.directory, key)
      await rm(directory, { recursive: true, force: true })
      await rename(work, directory)
      this.cached.set(key, { directory, bytes: written.bytes, users: 0, lastUsed: ++this.clock })
    } catch (error) {
      if (error instanceof TestDataError) this.rememberFault(key, error.message)
      throw error
    } finally {
      await rm(zipPath, { force: true })
      await rm(work, { recursive: true, force: true })
    }
  }

  private rememberFault(key: string, reason: string): void {
    this.faults.set(key, reason)
    const oldest = this.faults.keys().next().value
    if (this.faults.size > REMEMBERED_FAULTS && oldest !== undefined) this.faults.delete(oldest)
  }

  /**
   * Deletes the least recently used test data until `bytes` more fit. Test data in use stay, even above the bound: data
   * larger than the cache are used and deleted afterwards.
   */
  private async makeRoom(bytes: number): Promise<void> {
    const idle = [...this.cached]
      .filter(([, data]) => data.users === 0)
      .sort(([, left], [, right]) => left.lastUsed - right.lastUsed)
    for (const [key, data] of idle) {
      if (this.bytes + bytes <= this.maxBytes) return
      if (data.users > 0 || !this.cached.delete(key)) continue
      // The directory is renamed first, so that a new download of the same version does not find it half deleted.
      const doomed = join(this.directory, `tmp-${randomUUID()}`)
      await rename(data.directory, doomed)
      await rm(doomed, { recursive: true, force: true })
    }
  }

  private async scan(): Promise<void> {
    const found: { key: string; data: CachedData }[] = []
    for (const key of await readdir(this.directory)) {
      const directory = join(this.directory, key)
      const whole = key.startsWith('tmp-') ? null : await readWhole(directory)
      if (whole) found.push({ key, data: { directory, users: 0, ...whole } })
      else await rm(directory, { recursive: true, force: true })
    }
    found.sort((left, right) => left.data.lastUsed - right.data.lastUsed)
    for (const { key, data } of found) this.cached.set(key, { ...data, lastUsed: ++this.clock })
  }
}

/** Size and last use of an extracted directory; null unless all its files are complete. */
async function readWhole(
  directory: string,
): Promise<Pick<CachedData, 'bytes' | 'lastUsed'> | null> {
  try {
    const path = join(directory, MANIFEST)
    const { files, bytes } = manifest.parse(JSON.parse(await readFile(path, 'utf8')))
    const names = (await readdir(directory)).filter((name) => name !== MANIFEST)
    let found = 0
    for (const name of names) found += (await stat(join(directory, name))).size
    const { mtimeMs } = await stat(path)
    return names.length === files && found === bytes ? { bytes, lastUsed: mtimeMs } : null
  } catch {
    return null
  }
}
