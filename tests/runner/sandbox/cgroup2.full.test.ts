/** The sandbox under cgroup v2, on a kernel without cgroup v1 (`scripts/cgroup2.ts`). */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, '../../../scripts/cgroup2.ts')

// User-mode Linux exists only for x86-64, and cannot run inside itself.
test.skipIf(process.arch !== 'x64' || USER_MODE_LINUX)(
  'the sandbox holds under cgroup v2 as well',
  { timeout: 5_500_000 },
  async () => {
    const args = ['--mode', 'full', '--project', 'runner']
    const options = { maxBuffer: 1 << 24 }
    const stdout = await run(process.execPath, [SCRIPT, ...args], options).then(
      (ended) => ended.stdout,
      (error: { stdout: string }) => error.stdout,
    )
    expect(stdout.trimEnd()).toMatch(/cgroup v2: passed$/)
    expect(stdout).toMatch(/Tests .*\d+ passed/)
  },
)
