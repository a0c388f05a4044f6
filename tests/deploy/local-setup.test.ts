/** How the set-up on this machine calls apt-get. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'
import { lockLists } from '../support/apt-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'local-setup-'))
afterAll(() => rmSync(folder, { recursive: true }))

const UPDATE = `import { runApt } from '${ROOT}scripts/stack/apt.ts'
  console.log(await runApt(['-qq', 'update']))`

test.skipIf(process.getuid?.() !== 0)(
  'the set-up waits for another apt-get that holds the lock of the lists, and says so',
  async () => {
    const { config, release } = await lockLists(folder)
    const { promise, resolve } = Promise.withResolvers<string>()
    const env = { ...process.env, APT_CONFIG: config }
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', UPDATE],
      { env, cwd: ROOT },
      (_, out, errors) => resolve(out + errors),
    )
    child.stdout?.once('data', () => writeFileSync(release, ''))
    expect(await promise).toBe(
      'Another apt-get is at work on this machine; waiting for it, 5 minutes at most.\ntrue\n',
    )
  },
)
