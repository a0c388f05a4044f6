/**
 * A bounded cache of small files on disk; the least recently used go first. Every file ends with the SHA-256 of its
 * body, so damage is noticed. A file is written under another name first, so a killed process leaves no incomplete entry.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const HASH_BYTES = 32
/** File names, as `keyOf` makes them. Any other file in the directory is deleted. */
const KEY = /^[0-9a-f]{64}$/

export interface FileCacheBounds {
  bytes: number
  files: number
}

/** SHA-256 of the parts and their lengths, hex: `a`, `bc` and `ab`, `c` give different keys. */
export function keyOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) {
    const bytes = Buffer.from(part)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest('hex')
}

export class FileCache {
  private readonly directory: string
  private readonly bounds: FileCacheBounds
  /** Key → bytes on disk, the least recently used first. */
  private readonly sizes = new Map<string, number>()
  private total = 0
  /** The call under way. A call waits for the one before it: otherwise it might remove what that one has just put. */
  private last: Promise<unknown> = Promise.resolve()

  private constructor(directory: string, bounds: FileCacheBounds) {
    this.directory = directory
    this.bounds = bounds
  }

  /** Opens the directory with the files of an earlier process, and deletes unfinished files. */
  static async open(directory: string, bounds: FileCacheBounds): Promise<FileCache> {
    const cache = new FileCache(directory, bounds)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found: { key: string; size: number; mtimeMs: number }[] = []
    for (const key of await readdir(directory)) {
      const path = join(directory, key)
      if (KEY.test(key)) found.push({ key, ...(await stat(path)) })
      else await rm(path, { recursive: true, force: true })
    }
    for (const { key, size } of found.toSorted((left, right) => left.mtimeMs - right.mtimeMs))
      cache.note(key, size)
    await cache.makeRoom()
    return cache
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.total
  }

  /**
   * Returns what was put under a key; null when there is nothing.
   * @throws DamagedError when the file has changed; it is deleted then
   */
  get(key: string): Promise<Buffer | null> {
    return this.next(() => this.read(key))
  }

  /** Stores bytes under a key; they replace earlier bytes of that key. */
  put(key: string, body: Uint8Array): Promise<void> {
    return this.next(() => this.write(key, body))
  }

  private next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work)
    this.last = result.catch(() => {})
    return result
  }

  private async read(key: string): Promise<Buffer | null> {
    const size = this.sizes.get(key)
    if (size === undefined) return null
    const path = join(this.directory, key)
    const file = await readFile(path).catch(() => Buffer.alloc(0))
    const body = file.subarray(0, -HASH_BYTES)
    if (file.length < HASH_BYTES || !file.subarray(-HASH_BYTES).equals(sha256(body))) {
      this.forget(key)
      await rm(path, { force: true })
      throw new DamagedError(`The file ${key} was damaged.`)
    }
    this.note(key, size)
    const now = new Date()
    await utimes(path, now, now).catch(() => {})
    return body
  }

  private async write(key: string, body: Uint8Array): Promise<void> {
    const path = join(this.directory, key)
    const work = `${path}.${randomUUID()}`
    try {
      await writeFile(work, Buffer.concat([body, sha256(body)]), { mode: 0o600 })
      await rename(work, path)
    } catch (error) {
      await rm(work, { force: true })
      throw error
    }
    this.note(key, body.length + HASH_BYTES)
    await this.makeRoom()
  }

  /** Makes a key the most recently used. */
  private note(key: string, size: number): void {
    this.forget(key)
    this.sizes.set(key, size)
    this.total += size
  }

  private forget(key: string): void {
    this.total -= this.sizes.get(key) ?? 0
    this.sizes.delete(key)
  }

  private async makeRoom(): Promise<void> {
    for (const key of this.sizes.keys()) {
      if (this.total <= this.bounds.bytes && this.sizes.size <= this.bounds.files) return
      this.forget(key)
      await rm(join(this.directory, key), { force: true })
    }
  }
}

/** A file has changed since it was put. */
export class DamagedError extends Error {
  override name = 'DamagedError'
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
