/**
 * Checks and extracts a test-data zip in bounded memory. The Worker has looked at the central directory only; here
 * every local header, CRC, size and overlap is checked while inflating.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { type Entry, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js'
import { TEST_DATA_LIMITS } from '#contract/limits'

/** Names that files in the zip may have: subtask and case, two digits each. */
const ENTRY_NAME = /^\d\d\d\d\.(?:in|out)$/
const STORED = 0
const DEFLATED = 8

/** The caps; tests set lower ones. */
export type ZipLimits = Record<
  'entries' | 'centralDirectoryBytes' | 'entryBytes' | 'inflatedBytes' | 'ratio',
  number
>

/** The zip is wrong: a Judge Error with this message as its reason, on every runner. */
export class TestDataError extends Error {
  override name = 'TestDataError'
}

/** Reads the zip by position. Refuses reads larger than any honest central directory, so a false size costs no memory. */
class ZipFile extends Reader<FileHandle> {
  private readonly handle: FileHandle
  private readonly maxRead: number

  constructor(handle: FileHandle, size: number, maxRead: number) {
    super(handle)
    this.handle = handle
    this.size = size
    this.maxRead = maxRead
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > this.maxRead) throw new TestDataError('the central directory is too large')
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - index)))
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = await this.handle.read(bytes, done, bytes.length - done, index + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return bytes.subarray(0, done)
  }
}

/** Checks an entry of the central directory. @throws TestDataError when the entry is invalid or above a cap */
function checkEntry(entry: Entry, limits: ZipLimits): void {
  const { filename, compressedSize, uncompressedSize, compressionMethod } = entry
  if (entry.directory || entry.symlink || !ENTRY_NAME.test(filename))
    throw new TestDataError('only files named like 0000.in and 0000.out may be in the zip')
  if (entry.encrypted) throw new TestDataError('it is encrypted')
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw new TestDataError(
      `its compression method ${compressionMethod} is neither store nor deflate`,
    )
  if (uncompressedSize > limits.entryBytes)
    throw new TestDataError(`it is larger than ${limits.entryBytes} bytes`)
  if (compressionMethod === STORED && compressedSize !== uncompressedSize)
    throw new TestDataError('it is stored, yet its two sizes differ')
  if (uncompressedSize > compressedSize * limits.ratio)
    throw new TestDataError(`it would inflate more than ${limits.ratio} times`)
}

/** A sink that writes to a file and fails above the size that the directory says. */
function fileSink(handle: FileHandle, maxBytes: number): WritableStream<Uint8Array> {
  let written = 0
  return new WritableStream({
    async write(chunk) {
      if (written + chunk.length > maxBytes)
        throw new TestDataError('it inflates to more bytes than its size says')
      written += chunk.length
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, done)
        done += bytesWritten
      }
    },
  })
}

/** Inflates an entry to a file and checks size, CRC, local header and overlap. */
async function extractEntry(entry: Entry, path: string): Promise<void> {
  if (entry.directory) return
  const file = await open(path, 'wx', 0o600)
  try {
    await entry.getData(fileSink(file, entry.uncompressedSize), {
      checkCrc32: true,
      checkOverlappingEntry: true,
      checkLocalDirectory: true,
      checkLocalFilename: true,
    })
    const { size } = await file.stat()
    if (size !== entry.uncompressedSize)
      throw new TestDataError('it inflates to fewer bytes than its size says')
  } finally {
    await file.close()
  }
}

/** Whether an error is the system's (disk full, too many files): only those name a system call. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Runs a step. An error of the step, unless it is the system's, becomes a TestDataError that starts with `where`. */
async function blame<T>(where: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (isSystemError(error)) throw error
    const what = error instanceof Error ? error.message : String(error)
    throw new TestDataError(`${where}: ${what}`, { cause: error })
  }
}

/** Reads the central directory. @throws TestDataError at the first entry that passes a cap */
async function readEntries(zip: ZipReader<FileHandle>, limits: ZipLimits): Promise<Entry[]> {
  const entries: Entry[] = []
  const names = new Set<string>()
  let inflated = 0
  for await (const entry of zip.getEntriesGenerator()) {
    const name = entry.filename
    await blame(name.slice(0, 100), () => {
      checkEntry(entry, limits)
      if (names.has(name)) throw new TestDataError('it is in the zip twice')
      inflated += entry.uncompressedSize
      if (inflated > limits.inflatedBytes)
        throw new TestDataError(`up to here the files have more than ${limits.inflatedBytes} bytes`)
    })
    names.add(name)
    entries.push(entry)
    if (entries.length > limits.entries)
      throw new TestDataError(`more than ${limits.entries} entries`)
  }
  return entries
}

/**
 * Checks and extracts a zip into an existing empty directory.
 * @param reserve called with the number of bytes before the first file is written, to make room
 * @returns how many files and bytes were written
 * @throws TestDataError that names the entry when the zip is at fault; any other error is the machine's
 */
export async function extractTestData(
  zipPath: string,
  directory: string,
  reserve: (bytes: number) => Promise<void> = async () => {},
  limits: ZipLimits = TEST_DATA_LIMITS,
): Promise<{ files: number; bytes: number }> {
  const handle = await open(zipPath, 'r')
  try {
    const { size } = await handle.stat()
    const zip = new ZipReader(new ZipFile(handle, size, limits.centralDirectoryBytes), {
      useWebWorkers: false,
      useCompressionStream: true,
    })
    const entries = await blame('test data', () => readEntries(zip, limits))
    const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    await reserve(bytes)
    for (const entry of entries)
      await blame(entry.filename, () => extractEntry(entry, join(directory, entry.filename)))
    return { files: entries.length, bytes }
  } finally {
    await handle.close()
  }
}
