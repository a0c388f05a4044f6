/** What the runner must know of a language. Each language is one data file; `table.ts` lists them. */
import type { LanguageId } from '#contract/languages'
import type { Limits } from '../sandbox/index.ts'

export interface RunnerLanguage {
  id: LanguageId
  /** Prints the compiler's or interpreter's version; run on the host at start, for the log. */
  versionArgv: readonly string[]
  /** Name of the source in the working directory. */
  sourceName: string
  /** Paths absolute inside the box; the working directory holds the source. */
  compileArgv: readonly string[]
  /** The file the compilation leaves for the runs. */
  artefact: string
  runArgv: readonly string[]
  /** Compiled and run once at start: must end at once with exit code 0. */
  warmUpSource: string
}

/** Every compilation, whatever the language (judge design §2). Output here is the compiler's message. */
export const COMPILE_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 15_000,
  memoryKb: 1024 * 1024,
  outputBytes: 1024 * 1024,
  pids: 32,
  workDirBytes: 64 * 1024 * 1024,
}

/** A program file may be this large, in bytes. */
export const ARTEFACT_BYTES = 64 * 1024 * 1024
