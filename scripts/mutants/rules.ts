/**
 * `npm run mutants:rules`: StrykerJS makes every small change it knows in the pure rules, and tests in Node have to notice nine
 * of ten. `survivors.md` explains why each unnoticed change has no effect. StrykerJS is no dependency of the project: this script
 * fetches it into `build/`, once. Arguments go to Stryker (`-- --mutate runner/judge/verdict.ts`).
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'

const VERSION = '10.1.1'
const TOOL = join(ROOT, 'build/stryker')
const MODULES = join(TOOL, 'node_modules')

/** Fetches Stryker without running packages' scripts. It uses the project's own vitest: a second one would not know the tests. */
function fetchStryker(): void {
  if (existsSync(join(MODULES, 'vitest'))) return
  mkdirSync(TOOL, { recursive: true })
  const dependencies = {
    '@stryker-mutator/core': VERSION,
    '@stryker-mutator/vitest-runner': VERSION,
  }
  writeFileSync(join(TOOL, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { cwd: TOOL, stdio: 'inherit' })
  if (status !== 0) throw new PlainError('StrykerJS cannot be fetched.')
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(MODULES, 'vitest'))
}

async function main(): Promise<number> {
  fetchStryker()
  const stryker = join(MODULES, '@stryker-mutator/core/bin/stryker.js')
  const args = [stryker, 'run', 'scripts/mutants/rules.json', ...process.argv.slice(2)]
  const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }), 'close')
  return code === 0 ? 0 : 1
}

await runCommand(main)
