/**
 * `npm run fuzz -- [seconds]`: sends damaged requests to the helper's parser, under sanitizers, for a minute or the
 * given time. With clang and its runtime (Debian: clang, libclang-rt-dev) libFuzzer looks for inputs that reach new
 * code and keeps them in `build/fuzz-inputs`; without clang, requests are damaged at random.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { buildFuzzer } from '../runner/sandbox/build.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'

const SECONDS = 60

async function main(): Promise<number> {
  const seconds = Number(process.argv[2] ?? SECONDS)
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new PlainError('How long? Give a whole number of seconds: npm run fuzz -- 60')
  const time = [`-max_total_time=${seconds}`, `-seed=${Date.now() % 1_000_000}`]
  const inputs = `${ROOT}build/fuzz-inputs`
  let command: string[]
  try {
    command = [await buildFuzzer('libfuzzer'), ...time, '-runs=-1', '-print_final_stats=1', inputs]
    mkdirSync(inputs, { recursive: true })
  } catch {
    console.log('clang or its runtime is missing, so the requests are damaged at random.')
    command = [await buildFuzzer('driver'), ...time, `-runs=${Number.MAX_SAFE_INTEGER}`]
  }
  const [file = '', ...args] = command
  const [code] = await once(spawn(file, args, { stdio: 'inherit', cwd: `${ROOT}build` }), 'close')
  return code === 0 ? 0 : 1
}

await runCommand(main)
