/** The parser of the helper's requests against damaged ones; `npm run fuzz` goes on for as long as asked. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildFuzzer } from '../../../runner/sandbox/build.ts'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const run = promisify(execFile)
const RUNS = Reflect.get(import.meta, 'env').MODE === 'full' ? 5_000_000 : 100_000
/** Full runs look elsewhere every day, the same for all of it. */
const SEED = RUNS > 1_000_000 ? Math.floor(Date.now() / 86_400_000) : 1

// The address sanitizer finds no place for its shadow memory in there.
test.skipIf(USER_MODE_LINUX)(
  'no bytes from the runner crash the parser, or leave a job that is not sound',
  async () => {
    const fuzzer = await buildFuzzer('driver')
    const { stdout } = await run(fuzzer, [`-runs=${RUNS}`, `-seed=${SEED}`])
    expect(stdout).toBe(`${RUNS} inputs\n`)
  },
)
