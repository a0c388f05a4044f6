/** The helper's parser of requests gets damaged requests; `npm run fuzz` continues for as long as wanted. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildFuzzer } from '../../../runner/sandbox/build.ts'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const run = promisify(execFile)
const RUNS = Reflect.get(import.meta, 'env').MODE === 'full' ? 5_000_000 : 100_000
/** Full runs use another seed every day, and one seed within a day. */
const SEED = RUNS > 1_000_000 ? Math.floor(Date.now() / 86_400_000) : 1

// In user-mode Linux the address sanitizer finds no room for its shadow memory.
test.skipIf(USER_MODE_LINUX)(
  'no bytes from the runner crash the parser, or leave a job that is not sound',
  async () => {
    const fuzzer = await buildFuzzer('driver')
    const { stdout } = await run(fuzzer, [`-runs=${RUNS}`, `-seed=${SEED}`])
    expect(stdout).toBe(`${RUNS} inputs\n`)
  },
)
