/**
 * A cache of compiled programs, so that a rejudge or a second try of the same code does not compile again. The key is the
 * SHA-256 of source, command and compiler version; Compile Errors are kept, too. A program leaves its box through
 * `cat` in that box and enters the next box as its source file, so our code opens no path that a program could have made.
 */
import { type FileHandle, statfs } from 'node:fs/promises'
import type { Language } from '#contract/languages'
import { compileFailureMessage, isRefusal } from './message.ts'
import { COMPILE_LIMITS, compileRequest } from './request.ts'
import { FileCache, type FileCacheBounds, keyOf } from '../lib/file-cache.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { Box, CompileResult } from '../sandbox/box.ts'
import { stoppable } from '../lib/stoppable.ts'
import { openUnnamedFile } from '../lib/unnamed-file.ts'

/** Larger programs are compiled every time, because a request to the sandbox has room for no more. */
const LARGEST_PROGRAM_BYTES = 1024 * 1024
/** Disk space that the cache leaves for outputs, because a job fails when the sandbox cannot write its output. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024
/** The compiled program of a student has 16 KiB, or some MB with large tables. */
const BOUNDS: FileCacheBounds = { bytes: 128 * 1024 * 1024, files: 4_096 }

/** The result of a compilation. `program` is a hash of the program's bytes; null when the program could not be read out of its box. */
export type Compiled = { ok: true; program: string | null } | { ok: false; message: string }

export interface Compiler {
  /**
   * Compiles a source in a box, or puts the program of an earlier compilation into it.
   * @param signal ends the compiler
   * @throws SandboxError when we failed; the signal's reason when aborted
   */
  compile(box: Box, language: Language, source: Uint8Array, signal?: AbortSignal): Promise<Compiled>
}

async function compileIn(
  box: Box,
  language: Language,
  source: Uint8Array,
  signal = new AbortController().signal,
): Promise<CompileResult> {
  const request = await compileRequest(language, source)
  return stoppable(signal, (stop) => box.compile({ ...request, stop }))
}

/** Compiles every time, without a cache. */
export const COMPILE_ANEW: Compiler = {
  async compile(box, language, source, signal) {
    const compiled = await compileIn(box, language, source, signal)
    if (compiled.ok) return { ok: true, program: null }
    return { ok: false, message: compileFailureMessage(compiled) }
  },
}

/** First byte of a cache entry: what it holds. */
const PROGRAM = 1
const MESSAGE = 0

interface ProgramCacheOptions {
  directory: string
  /** Language id → version of its compiler. */
  versions: Readonly<Record<string, string>>
  log: Log
  bounds?: FileCacheBounds
  /** Free space on the disk of a directory, bytes. */
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

  /** When the cache's disk fails, the source is compiled anew: the job goes on. */
  async compile(
    box: Box,
    language: Language,
    source: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Compiled> {
    const { id, file, compileArgv, artefact } = language
    const command = JSON.stringify([id, file, compileArgv, artefact, this.versions[id]])
    const key = keyOf(command, source)
    const known = await this.read(key)
    if (known?.[0] === MESSAGE) return { ok: false, message: known.toString('utf8', 1) }
    if (known && (await install(box, language, known.subarray(1))))
      return { ok: true, program: keyOf(known) }
    const compiled = await compileIn(box, language, source, signal)
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

  /** @returns the entry's hash, even when the entry could not be written */
  private async keep(key: string, kind: number, body: Uint8Array): Promise<string> {
    const entry = Buffer.concat([Buffer.of(kind), body])
    await this.files.put(key, entry).catch((error: unknown) => {
      this.log('program_not_kept', { error: describeError(error) })
    })
    return keyOf(entry)
  }

  /** Opens a file for a program. @throws when the disk is full or fails */
  private async openFile(): Promise<FileHandle> {
    if ((await this.freeBytes(this.directory)) < LEAST_FREE_BYTES)
      throw new Error('The disk is full.')
    return openUnnamedFile(this.directory)
  }

  /** Reads the program out of a box; null when it is too large or the disk fails. */
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
        limits: { ...COMPILE_LIMITS, outputBytes: LARGEST_PROGRAM_BYTES },
      })
      if (exitCode !== 0 || fired !== null) return null
      const { buffer, bytesRead } = await output.read(Buffer.alloc(outputBytes), 0, outputBytes, 0)
      return bytesRead === outputBytes ? buffer : null
    } finally {
      await output.close()
    }
  }
}

/** Puts a program into a box as if it had been compiled there. @returns whether the program fits */
async function install(box: Box, language: Language, program: Uint8Array): Promise<boolean> {
  const { artefact } = language
  const request = { ...(await compileRequest(language, program)), sourceName: artefact }
  return (await box.compile({ ...request, argv: ['/usr/bin/true'] })).ok
}
