/**
 * Compiles and runs a small program in every language before the first job. The first run after boot is charged for the
 * page cache it fills, and a missing compiler must not become a student's Compile Error.
 */
import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Language, LANGUAGES } from '#contract/languages'
import { SUBTASK_LIMITS } from '#contract/limits'
import { compileFailureMessage } from '../compile/message.ts'
import { compileRequest } from '../compile/request.ts'
import { runLimits } from '../judge/run-limits.ts'
import type { PoolSlot } from './slot-pool.ts'

const run = promisify(execFile)

/** The limits are generous, because a cold disk is slow. */
const LIMITS = runLimits({
  timeMs: 10_000,
  memoryKb: SUBTASK_LIMITS.memoryKb.default,
  outputKb: SUBTASK_LIMITS.outputKb.default,
})

/** The first line of a compiler's version output, or the reason why there is none. */
async function versionOf({ versionArgv }: Language): Promise<string> {
  const [file, ...args] = versionArgv
  try {
    const { stdout } = await run(file, args)
    return stdout.split('\n', 1)[0] ?? ''
  } catch {
    return `${file} does not start; install it`
  }
}

/** Compiles and runs a language's test program. @returns the problem; null when there is none */
async function tryLanguage(slot: PoolSlot, language: Language): Promise<string | null> {
  const box = await slot.openBox()
  try {
    const source = Buffer.from(language.warmUpSource)
    const compiled = await box.compile(await compileRequest(language, source))
    if (!compiled.ok) return compileFailureMessage(compiled)
    const output = await open(join(slot.scratchDir, 'output'), 'w+', 0o600)
    try {
      const argv = language.runArgv
      const result = await box.run({ argv, input: null, output, limits: LIMITS })
      return result.exitCode === 0
        ? null
        : `the test program did not end well: ${Buffer.from(result.stderr).toString()}`
    } finally {
      await output.close()
    }
  } finally {
    await box.close()
  }
}

/**
 * Warms up every language in one slot.
 * @returns the version of each language, and the problems of those that do not work
 */
export async function warmUp(
  slot: PoolSlot,
): Promise<{ versions: Record<string, string>; problems: string[] }> {
  const versions: Record<string, string> = {}
  const problems: string[] = []
  for (const language of LANGUAGES) {
    const version = await versionOf(language)
    versions[language.id] = version
    const problem = await tryLanguage(slot, language)
    if (problem !== null)
      problems.push(`${language.id} cannot be judged (${version}): ${problem.slice(0, 500)}`)
  }
  return { versions, problems }
}
