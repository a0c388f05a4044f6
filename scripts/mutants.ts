/**
 * `npm run mutants [-- WORD…]`: makes each mutation of `mutants/mutations.ts` in a copy of the project and runs its tests, which have
 * to fail: first the quick tests, then the long tests beside them. A mutation without a failing test is a rule without a test. With
 * words, it makes only mutations whose name, file or tests contain one of the words.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MUTATIONS, type Mutation } from './mutants/mutations.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { startProcessGroup } from './process/process-group.ts'
import { startReaper } from './process/reaper.ts'
import { ROOT } from './root.ts'

const TREE = join(ROOT, 'build/mutants')
/** The output of the tests. */
const LOG_FILE = `${TREE}.log`
/** The modes of vitest that leave tests out (`vitest.config.ts`). */
type Mode = 'quick' | 'long'
/** The deadline of tests: a mutation that makes them hang counts as noticed, ms. */
const MOST_MS = 10 * 60_000
const BUILD = ['runner/sandbox/build.ts']
/** The arguments for Node that check the syntax of a TypeScript file; Node's own `--check` does not know types. */
const CHECK = [
  '--disable-warning=ExperimentalWarning',
  '--eval',
  "require('module').stripTypeScriptTypes(require('fs').readFileSync(process.argv[1], 'utf8'))",
]

const reaper = startReaper()

function chosen(words: string[]): readonly Mutation[] {
  const isMeant = ({ name, file, tests }: Mutation) =>
    words.length === 0 || words.some((word) => [name, file, tests].some((t) => t.includes(word)))
  const found = MUTATIONS.filter(isMeant)
  if (found.length === 0) throw new PlainError('No mutation has this name.')
  return found
}

/** Copies the files that git knows and new files. The helper is then built from the copy. */
function copyProject(): void {
  rmSync(TREE, { recursive: true, force: true })
  rmSync(LOG_FILE, { force: true })
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(TREE, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(TREE, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(TREE, 'node_modules'))
}

/**
 * Makes a mutation. @returns a function that takes it back
 * @throws PlainError when the mutation no longer fits the code, or when its result does not compile
 */
function mutate({ name, file, from, to }: Mutation): () => void {
  const path = join(TREE, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2)
    throw new PlainError(`${name}: ${file} does not hold this text exactly once: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  // Without this check, a mutation with wrong syntax would make every test fail.
  const args = file.endsWith('.c') ? BUILD : [...CHECK, path]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: TREE, encoding: 'utf8' })
  if (status !== 0) throw new PlainError(`${name}: ${stderr}`)
  return () => writeFileSync(path, text)
}

/** The tests of a mutation in a mode; null: there are none beside those that have already run. */
function testsIn(mode: Mode, { tests }: Mutation): string | null {
  const isFile = tests.endsWith('.test.ts')
  if (mode === 'quick') return tests.endsWith('.long.test.ts') ? null : tests
  return isFile ? tests.slice(0, tests.lastIndexOf('/') + 1) : tests
}

/** Whether one of these tests fails, or they do not end in time. */
async function fails(mode: Mode, tests: string): Promise<boolean> {
  const project = tests.split('/')[1] ?? ''
  const options = ['--mode', mode, '--project', project, '--bail', '1', '--passWithNoTests']
  const run = startProcessGroup({
    name: tests,
    command: process.execPath,
    args: ['node_modules/vitest/vitest.mjs', 'run', ...options, tests],
    cwd: TREE,
    env: process.env,
    logFile: LOG_FILE,
    reaper,
  })
  const timer = setTimeout(() => void run.end(0), MOST_MS)
  const outcome = await run.ended
  clearTimeout(timer)
  return outcome !== 'exit code 0'
}

/** @throws PlainError when the tests also fail without the mutation: then they tell nothing about it */
async function diesIn(mutation: Mutation): Promise<Mode | null> {
  for (const mode of ['quick', 'long'] as const) {
    const tests = testsIn(mode, mutation)
    if (tests === null) continue
    const undo = mutate(mutation)
    const failed = await fails(mode, tests).finally(undo)
    if (!failed) continue
    if (await fails(mode, tests))
      throw new PlainError(`${tests} fails without any mutation: ${LOG_FILE}`)
    return mode
  }
  return null
}

await runCommand(async () => {
  const mutations = chosen(process.argv.slice(2))
  copyProject()
  const died: (Mode | null)[] = []
  for (const mutation of mutations) {
    const mode = await diesIn(mutation)
    console.log(`${(mode ?? 'LIVES').padEnd(7)}${mutation.name}`)
    died.push(mode)
  }
  const [dead, quick] = [died.filter(Boolean), died.filter((mode) => mode === 'quick')]
  const share = Math.floor((quick.length / died.length) * 100)
  console.log(`${dead.length} of ${died.length} mutants die; quick tests end ${share} % of all.`)
  return dead.length === died.length ? 0 : 1
})
