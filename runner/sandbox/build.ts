/**
 * Compiles the helper into `build/` when its sources are newer than the binary. Every host that judges C has a C
 * compiler. The container image runs this file once while it is built.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SandboxError } from './errors.ts'

const run = promisify(execFile)
const NATIVE_DIR = join(import.meta.dirname, 'native')
const BUILD_DIR = join(import.meta.dirname, 'build')
/** Warnings are errors only in continuous integration: a newer compiler on a judge host may have more warnings. */
const STRICT = process.env['CI'] ? ['-Werror'] : []
const FLAGS = ['-std=c11', '-D_GNU_SOURCE', '-O2', '-g', '-Wall', '-Wextra', ...STRICT]
const HARDENING = ['-fstack-protector-strong', '-D_FORTIFY_SOURCE=2']
const SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']

interface Recipe {
  name: string
  compiler?: string
  flags: readonly string[]
  /** Links statically where the host's libc allows that: it starts faster. */
  isStatic?: boolean
  /** Sources beside the helper's own. */
  further?: readonly string[]
  /** Sources of the helper that are left out. */
  without?: readonly string[]
}

let pending: Promise<string> | null = null

/** Returns the path of an up-to-date helper. @throws SandboxError with the compiler's message */
export async function buildHelper(): Promise<string> {
  pending ??= build({ name: 'coursejudge-box', flags: HARDENING, isStatic: true }).catch(
    (error: unknown) => {
      pending = null
      throw error
    },
  )
  return pending
}

/** The helper with AddressSanitizer and UndefinedBehaviorSanitizer, for tests. */
export async function buildSanitizedHelper(): Promise<string> {
  return build({ name: 'coursejudge-box-sanitized', flags: SANITIZERS })
}

/**
 * Builds a fuzzer of the request parser: with libFuzzer, which needs clang and looks for new code paths, or with
 * `fuzz/driver.c`. Both take `-runs=`, `-seed=` and `-max_total_time=`, and exit with an error on a finding.
 */
export async function buildFuzzer(kind: 'libfuzzer' | 'driver'): Promise<string> {
  const withDriver = kind === 'driver'
  return build({
    name: `coursejudge-fuzz-${kind}`,
    ...(!withDriver && { compiler: 'clang' }),
    flags: withDriver ? SANITIZERS : [...SANITIZERS, '-fsanitize=fuzzer'],
    further: withDriver ? ['fuzz/target.c', 'fuzz/driver.c'] : ['fuzz/target.c'],
    without: ['main.c'],
  })
}

async function build({
  name,
  compiler = 'gcc',
  flags,
  isStatic = false,
  further = [],
  without = [],
}: Recipe): Promise<string> {
  const binary = join(BUILD_DIR, name)
  const own = (await readdir(NATIVE_DIR)).filter((file) => /\.[ch]$/.test(file))
  const files = [...own.filter((file) => !without.includes(file)), ...further]
  const paths = files.map((file) => join(NATIVE_DIR, file))
  const newest = Math.max(...(await Promise.all(paths.map(async (p) => (await stat(p)).mtimeMs))))
  const built = await stat(binary).then(
    (info) => info.mtimeMs,
    () => 0,
  )
  if (built > newest) return binary
  await mkdir(BUILD_DIR, { recursive: true })
  // Two processes may build at once: each writes a file of its own, and rename is atomic.
  const fresh = `${binary}.${process.pid}`
  const sources = paths.filter((path) => path.endsWith('.c'))
  const common = [...FLAGS, ...flags, ...sources, '-o', fresh]
  // Some distributions have no static libc, so a dynamic build comes second.
  const attempts = isStatic ? [['-static', ...common], common] : [common]
  let failure: unknown
  for (const args of attempts) {
    try {
      await run(compiler, args)
      await rename(fresh, binary)
      return binary
    } catch (error) {
      failure = error
      await rm(fresh, { force: true })
    }
  }
  throw new SandboxError(`the sandbox helper does not compile: ${String(failure)}`)
}

if (import.meta.main) console.log(await buildHelper())
