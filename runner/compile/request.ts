/** How a source is compiled: the language's command, under the same limits for every language. */
import type { Language } from '#contract/languages'
import { runtimeOf } from './runtime.ts'
import type { CompileRequest, Limits } from '../sandbox/box.ts'

/** Largest compiled program. */
export const ARTEFACT_BYTES = 64 * 1024 * 1024

/**
 * The limits of a compilation, the same for every language. Its output is the compiler's message. The working directory counts as
 * the compiler's memory; it has room for the assembler's text, the object file and the program at once.
 */
export const COMPILE_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 15_000,
  memoryKb: 1024 * 1024,
  outputBytes: 1024 * 1024,
  pids: 32,
  workDirBytes: 6 * ARTEFACT_BYTES,
}

/** Builds the request to the sandbox. */
export async function compileRequest(
  language: Language,
  source: Uint8Array,
): Promise<CompileRequest> {
  return {
    source,
    sourceName: language.file,
    argv: language.compileArgv,
    artefact: language.artefact,
    artefactBytes: ARTEFACT_BYTES,
    runtime: await runtimeOf(language),
    limits: COMPILE_LIMITS,
  }
}
