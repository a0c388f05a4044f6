/** A copy of the project in which one mutation at a time is made and tests run. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PlainError } from '../plain-error.ts'
import type { Mutation } from './mutations.ts'
import type { Reaper } from '../process/reaper.ts'
import { ROOT } from '../root.ts'
import { TestsProcess, type Mode } from './tests-process.ts'

/** The project of `vitest.config.ts` that has these tests. */
export function projectOf(tests: string): string {
  return tests.split('/')[1] ?? ''
}

const BUILD = ['runner/sandbox/build.ts']
/** Node's own check of a file (`--check`) knows no types. */
const CHECK = [
  '--disable-warning=ExperimentalWarning',
  '--eval',
  "require('module').stripTypeScriptTypes(require('fs').readFileSync(process.argv[1], 'utf8'))",
]

export class Lane {
  /** What the tests wrote. */
  readonly logFile: string
  private readonly tree: string
  private readonly reaper: Reaper
  /** By mode and project. */
  private readonly processes = new Map<string, TestsProcess>()
  /** The mutated file, and its text without the mutation. */
  private whole: { path: string; text: string } | null = null

  /** Copies what git knows and what is new. The helper, which is built from it, is built anew. */
  constructor(index: number, reaper: Reaper) {
    this.reaper = reaper
    this.tree = join(ROOT, `build/mutants/${index}`)
    this.logFile = `${this.tree}.log`
    rmSync(this.tree, { recursive: true, force: true })
    rmSync(this.logFile, { force: true })
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' })
    for (const file of files.split('\0').filter(Boolean)) {
      mkdirSync(dirname(join(this.tree, file)), { recursive: true })
      copyFileSync(join(ROOT, file), join(this.tree, file))
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.tree, 'node_modules'))
  }

  /** @throws PlainError when the code has changed, so that the mutation is none any more, or when it makes no code */
  mutate({ name, file, from, to }: Mutation): void {
    const path = join(this.tree, file)
    const text = readFileSync(path, 'utf8')
    if (text.split(from).length !== 2)
      throw new PlainError(`${name}: ${file} does not hold this once: ${from}`)
    this.whole = { path, text }
    this.write(
      path,
      text.replace(from, () => to),
    )
    // Tests would fail for nothing.
    this.demandSuccess(name, file.endsWith('.c') ? BUILD : [...CHECK, path])
  }

  undo(): void {
    if (this.whole) this.write(this.whole.path, this.whole.text)
    this.whole = null
  }

  /** Whether one of these tests, all of one project, fails. */
  failsIn(mode: Mode, tests: readonly string[]): Promise<boolean> {
    const project = projectOf(tests[0] ?? '')
    const key = `${mode} ${project}`
    const { tree: cwd, logFile, reaper } = this
    const running =
      this.processes.get(key) ?? new TestsProcess({ mode, project, cwd, logFile, reaper })
    this.processes.set(key, running)
    return running.failsIn(tests)
  }

  end(): void {
    for (const running of this.processes.values()) running.end()
  }

  private write(path: string, text: string): void {
    writeFileSync(path, text)
    for (const running of this.processes.values()) running.noteChange(path)
  }

  private demandSuccess(name: string, args: readonly string[]): void {
    const options = { cwd: this.tree, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(process.execPath, args, options)
    if (status !== 0) throw new PlainError(`${name}: ${stderr}`)
  }
}
