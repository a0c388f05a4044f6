/**
 * Sources that were compiled before are not compiled again: a rejudge, a second try of the same code. The key
 * is the SHA-256 of source, command and compiler version; a compiler's refusal is kept as well. A program
 * comes out of its box through `cat` in that box and goes into the next one as its source file, so no code of
 * ours opens a path that a program could have made.
 */
import { type FileHandle, statfs } from 'node:fs/promises'
import type { Language } from '#contract/languages'
import { compileFailureMessage, isRefusal } from './message.ts'
import { COMPILE_LIMITS, compileRequest } from './request.ts'
import { FileCache, type FileCacheBounds, keyOf } from '../lib/file-cache.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { Box } from '../sandbox/box.ts'
import { openUnnamedFile } from '../lib/unnamed-file.ts'

/** Larger programs are compiled every time: a request to the sandbox carries no more. Bytes. */
const LARGEST_PROGRAM = 1024 * 1024
/** The last room on a disk is for outputs, bytes: a sandbox that cannot write ends its job. */
const LEAST_FREE = 64 * 1024 * 1024
/** Programs of students have 16 KiB, or some MB where tables are large. */
const BOUNDS: FileCacheBounds = { bytes: 128 * 1024 * 1024, files: 4_096 }

/** What became of a source. `program`: name of what the box now holds, equal for equal bytes; null when it was too large to be looked at. */
export type Compiled = { ok: true; program: string | null } | { ok: false; message: string }

/** Whoever leaves a box with the program of a source. */
export interface Compiler {
  /** @throws SandboxError when we failed */
  compile(box: Box, language: Language, source: Uint8Array): Promise<Compiled>
}

/** Compiles every time. */
export const COMPILE_ANEW: Compiler = {
  async compile(box, language, source) {
    const compiled = await box.compile(await compileRequest(language, source))
    if (compiled.ok) return { ok: true, program: null }
    return { ok: false, message: compileFailureMessage(compiled) }
  },
}

/** First byte of an entry. */
const PROGRAM = 1
const MESSAGE = 0

interface ProgramCacheOptions {
  directory: string
  /** Language id → version of its compiler. */
  versions: Readonly<Record<string, string>>
  log: Log
  bounds?: FileCacheBounds
  /** Room on the disk of a directory, bytes. */
  freeBytes?: (directory: string) => Promise<number>
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

export class ProgramCache implements Compiler {
  private readonly directory: string
  private readonly versions: Readonly<Record<string, string>>
  private readonly log: Log
  private readonly freeBytes: (directory: string) => Promise<number>
  private readonly files: FileCache

  private constructor(options: ProgramCacheOptions, files: FileCache) {
    const { directory, versions, log, freeBytes = freeBytesOf } = options
    this.directory = directory
    this.freeBytes = freeBytes
    this.versions = versions
    this.log = log
    this.files = files
  }

  static async open(options: ProgramCacheOptions): Promise<ProgramCache> {
    return new ProgramCache(
      options,
      await FileCache.open(options.directory, options.bounds ?? BOUNDS),
    )
  }

  /** Takes what was compiled earlier, else compiles. A disk that fails costs time, not the job. */
  async compile(box: Box, language: Language, source: Uint8Array): Promise<Compiled> {
    const { id, file, compileArgv, artefact } = language
    const command = JSON.stringify([id, file, compileArgv, artefact, this.versions[id]])
    const key = keyOf(command, source)
    const known = await this.read(key)
    if (known?.[0] === MESSAGE) return { ok: false, message: known.toString('utf8', 1) }
    if (known && (await install(box, language, known.subarray(1))))
      return { ok: true, program: keyOf(known) }
    const compiled = await box.compile(await compileRequest(language, source))
    if (!compiled.ok) {
      const message = compileFailureMessage(compiled)
      if (isRefusal(compiled)) await this.keep(key, MESSAGE, Buffer.from(message))
      return { ok: false, message }
    }
    const program = await this.takeOut(box, language)
    return { ok: true, program: program && (await this.keep(key, PROGRAM, program)) }
  }

  private async read(key: string): Promise<Buffer | null> {
    try {
      return await this.files.get(key)
    } catch (error) {
      this.log('program_dropped', { error: describeError(error) })
      return null
    }
  }

  /** @returns the entry's name, whether or not the disk took it */
  private async keep(key: string, kind: number, body: Uint8Array): Promise<string> {
    const entry = Buffer.concat([Buffer.of(kind), body])
    await this.files.put(key, entry).catch((error: unknown) => {
      this.log('program_not_kept', { error: describeError(error) })
    })
    return keyOf(entry)
  }

  /** A file for a program. @throws when the disk has no room for one, or fails */
  private async openFile(): Promise<FileHandle> {
    if ((await this.freeBytes(this.directory)) < LEAST_FREE) throw new Error('The disk is full.')
    return openUnnamedFile(this.directory)
  }

  /** The program in a box; null when it is too large, or the disk fails. */
  private async takeOut(box: Box, { artefact }: Language): Promise<Buffer | null> {
    const output = await this.openFile().catch((error: unknown) => {
      this.log('program_not_kept', { error: describeError(error) })
      return null
    })
    if (!output) return null
    try {
      const { exitCode, fired, outputBytes } = await box.run({
        argv: ['/usr/bin/cat', `/box/${artefact}`],
        seesCompiler: true,
        input: null,
        output,
        limits: { ...COMPILE_LIMITS, outputBytes: LARGEST_PROGRAM },
      })
      if (exitCode !== 0 || fired !== null) return null
      const { buffer, bytesRead } = await output.read(Buffer.alloc(outputBytes), 0, outputBytes, 0)
      return bytesRead === outputBytes ? buffer : null
    } finally {
      await output.close()
    }
  }
}

/** Puts a program into a box as if it had been compiled there; false where it does not fit. */
async function install(box: Box, language: Language, program: Uint8Array): Promise<boolean> {
  const { artefact } = language
  const request = { ...(await compileRequest(language, program)), sourceName: artefact }
  return (await box.compile({ ...request, argv: ['/usr/bin/true'] })).ok
}
