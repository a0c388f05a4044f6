/**
 * `npm run test:cgroup2`: the runner's tests under cgroup v2, also on a machine without it. There, tests do not check times.
 * Arguments go to vitest (`-- --mode full --project runner` runs all tests).
 */
import { runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'
import { setUp } from './stack/setup.ts'
import { bootGuest, quote } from './test/user-mode-linux.ts'

/** A full run compiles much C++, which takes the longest. */
const SIZES = {
  brief: { memory: '1536M', slowness: 3 },
  full: { memory: '4096M', slowness: 6 },
}
/**
 * The tests that run without arguments. In about a minute they test everything that differs on v2: every limit and what fires it,
 * the kill, after which nothing may be left, and fork bombs and orphans beside an honest neighbour.
 */
const BRIEF = [
  'host/compose.test.ts',
  'sandbox/endings.test.ts',
  'sandbox/residue.test.ts',
  'sandbox/faults-hostile.long.test.ts',
]
const BRIEF_ARGS = [
  '--reporter=minimal',
  '--project',
  'runner',
  ...BRIEF.map((name) => `tests/runner/${name}`),
]

async function main(): Promise<number> {
  await setUp({ judging: true, userModeLinux: true })
  const args = process.argv.slice(2)
  const vitest = [process.execPath, `${ROOT}node_modules/vitest/vitest.mjs`, 'run']
  const command = [...vitest, ...(args.length > 0 ? args : BRIEF_ARGS)].map(quote).join(' ')
  const guest = bootGuest({ commands: [command], ...SIZES[args.length > 0 ? 'full' : 'brief'] })
  const passed = await guest.ended
  console.log(`cgroup v2: ${passed ? 'passed' : 'failed'}`)
  return passed ? 0 : 1
}

await runCommand(main)
