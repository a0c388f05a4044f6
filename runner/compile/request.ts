/** How a source is compiled: the language's command under limits that are the same for every language. */
import type { Language } from '#contract/languages'
import { runtimeOf } from './runtime.ts'
import type { CompileRequest, Limits } from '../sandbox/box.ts'

/** Every compilation, whatever the language. Output here is the compiler's message. */
export const COMPILE_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 15_000,
  memoryKb: 1024 * 1024,
  outputBytes: 1024 * 1024,
  pids: 32,
  workDirBytes: 64 * 1024 * 1024,
}

/** A program file may be this large, in bytes. */
const ARTEFACT_BYTES = 64 * 1024 * 1024

/** What the sandbox is asked for. `source` byte for byte. */
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
