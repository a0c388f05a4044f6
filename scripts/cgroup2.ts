/**
 * `npm run test:cgroup2`: the runner's tests under cgroup v2, whatever this machine has. Tests leave times unchecked there.
 * Arguments go to vitest (`-- --mode full --project runner` for all of it).
 */
import { runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'
import { setUp } from './stack/setup.ts'
import { bootGuest, quote } from './test/user-mode-linux.ts'

/** In a full run much C++ is compiled, which takes longest. */
const SIZES = {
  brief: { memory: '1536M', slowness: 3 },
  full: { memory: '4096M', slowness: 6 },
}
/**
 * What runs when nothing is named: in about a minute, all that is different on v2. Every limit and who fires it, the
 * kill and that nothing is left after it, bombs and orphans beside an honest neighbour.
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
