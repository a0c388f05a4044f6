/**
 * `npm test`: installs and builds everything that tests need, then runs them (`--mode full`: also those that take minutes). Arguments go
 * to vitest. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import * as z from 'zod'
import { buildWeb } from './bundle/build-web.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'
import { setUp } from './stack/setup.ts'

const REPORT = `${ROOT}node_modules/.cache/vitest-report.json`

/** The totals of vitest's json reporter. A file that could not be loaded counts as a failure. */
const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  success: z.boolean(),
})

/** Runs vitest with its output on the terminal; returns its exit code. */
function runVitest(args: readonly string[]): Promise<number> {
  const named = args.some((arg) => arg.startsWith('--reporter'))
  const reporters = [
    ...(named ? [] : ['--reporter=default']),
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [`${ROOT}node_modules/vitest/vitest.mjs`, 'run', ...reporters, ...args],
      { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
    )
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}

async function main(): Promise<number> {
  // The tests of faults need no other kernel and no container.
  const isFull = process.argv.includes('full') && !process.argv.includes('faults')
  const isRoot = process.getuid?.() === 0
  await setUp({ judging: true, tests: true, userModeLinux: isFull, image: isFull && isRoot })
  await buildWeb()
  mkdirSync(`${ROOT}node_modules/.cache`, { recursive: true })
  rmSync(REPORT, { force: true })
  const code = await runVitest(process.argv.slice(2))
  let text: string
  try {
    text = readFileSync(REPORT, 'utf8')
  } catch {
    throw new PlainError('vitest ended without a report.')
  }
  const totals = report.parse(JSON.parse(text))
  const failed = code !== 0 && totals.numFailedTests === 0 ? 1 : totals.numFailedTests
  console.log(`${totals.numPassedTests} passed, ${failed} failed`)
  return code
}

await runCommand(main)
