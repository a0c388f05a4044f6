/** The files that set up hosts pass the checkers of their readers: cloud-init, systemd, shellcheck. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudConfig, installLine } from '#contract/installation/host-setup'
import { LANGUAGES } from '#contract/languages'
import { hostFiles } from '../../../scripts/bundle/pack-runner.ts'
import { ROOT } from '../../../scripts/root.ts'

const run = promisify(execFile)
const UNIT = 'coursejudge-runner.service'
const SETUP = {
  server: 'https://judge.example.org',
  secretName: 'RUNNER_REGISTRATION_TOKEN',
  secret: 'a-b_c',
  installSha256: '0'.repeat(64),
} as const

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-checks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the cloud-init file fits cloud-init’s schema', async () => {
  const file = join(folder, 'user-data.yaml')
  await writeFile(file, cloudConfig(SETUP))
  const { stdout } = await run('cloud-init', ['schema', '-c', file])
  expect(stdout).toContain(`Valid cloud-config: ${file}`)
})

test('the scripts and the line are POSIX shell without a fault that shellcheck knows', async () => {
  const script = (await hostFiles()).find(({ name }) => name === 'install.sh')
  expect(script?.content.toString()).not.toMatch(/^@.*@$/m)
  await writeFile(join(folder, 'install.sh'), script?.content ?? '')
  await writeFile(join(folder, 'line.sh'), `#!/bin/sh\n${installLine(SETUP)}\n`)
  const scripts = ['install.sh', 'line.sh'].map((name) => join(folder, name))
  await run('shellcheck', [...scripts, join(ROOT, 'runner/install/update.sh')])
})

test('the script and the container image install the packages of every language', async () => {
  const files = new Map((await hostFiles()).map(({ name, content }) => [name, content.toString()]))
  const [, ofScript = ''] = /^PACKAGES='([^']+)'/m.exec(files.get('install.sh') ?? '') ?? []
  const ofImage = files.get('packages') ?? ''
  for (const { packages } of LANGUAGES)
    for (const text of [ofScript, ofImage])
      expect(text.split(/\s+/)).toEqual(expect.arrayContaining([...packages]))
})

test('the service may make control groups, is started again, and has time to hand back what it holds', async () => {
  const unit = (await readFile(join(ROOT, 'runner/install', UNIT), 'utf8')).split('\n')
  for (const line of [
    'User=coursejudge',
    'EnvironmentFile=/etc/coursejudge/runner.env',
    'ExecStartPre=/opt/coursejudge/update',
    'StateDirectoryMode=0755',
    'Delegate=yes',
    'TimeoutStopSec=30',
    // The sandbox keeps running while the runner ends.
    'KillMode=mixed',
    'Restart=always',
    'WantedBy=multi-user.target',
  ])
    expect(unit).toContain(line)
})

test('systemd reads the unit without a word, and finds it exposed by at most 5.0 of 10', async () => {
  const units = join(folder, 'etc/systemd/system')
  await mkdir(units, { recursive: true })
  await mkdir(join(folder, 'opt/coursejudge'), { recursive: true })
  await cp('/usr/lib/systemd/system', join(folder, 'usr/lib/systemd/system'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  await cp(join(ROOT, 'runner/install', UNIT), join(units, UNIT))
  for (const name of ['update', 'node'])
    await writeFile(join(folder, 'opt/coursejudge', name), '#!/bin/sh\n', { mode: 0o755 })
  const verified = await run('systemd-analyze', [`--root=${folder}`, 'verify', UNIT])
  expect(verified.stdout + verified.stderr).toBe('')
  const { stdout } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    '--no-pager',
    join(units, UNIT),
  ])
  const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
  expect(exposure).toBeGreaterThan(0)
  expect(exposure).toBeLessThanOrEqual(5)
})
