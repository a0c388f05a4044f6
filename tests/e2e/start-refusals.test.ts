/** `npm start` where something is missing: the exact words that a newcomer reads. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../scripts/stack/ports.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const isRoot = process.getuid?.() === 0
/** Runs the words after it as the user nobody, who owns no control group. */
const AS_NOBODY = isRoot
  ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all']
  : []
/** Whether the user nobody can read this checkout. */
const isOpen = await run('/usr/bin/env', [...AS_NOBODY, 'test', '-r', `${ROOT}package.json`]).then(
  () => true,
  () => false,
)

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-start-'))
  await chmod(folder, 0o777)
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs a command that fails; answers what it printed. */
async function refusal(
  command: readonly string[],
  environment: Record<string, string> = {},
  cwd = ROOT,
): Promise<string> {
  const env = { ...process.env, PORT: String(await freePort()), STATE_DIR: folder, ...environment }
  const failure = await run('/usr/bin/env', [...command], { cwd, env }).catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 1 })
  const { stdout, stderr } = failure as { stdout: string; stderr: string }
  return `${stdout}${stderr}`.trim()
}

const START = [process.execPath, 'scripts/start.ts']

test('without a finished npm ci: one line', async () => {
  await cp(`${ROOT}package.json`, join(folder, 'package.json'))
  await cp(`${ROOT}scripts`, join(folder, 'scripts'), { recursive: true })
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((name) => !name.includes('node_modules'))
  const environment = { PATH: path.join(delimiter) }
  expect(await refusal(['npm', 'run', '-s', 'start'], environment, folder)).toBe(
    'Error: The installation is not complete. Run this and start again: npm ci',
  )
})

test('a state folder that cannot be written: one line', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  expect(await refusal(START, { STATE_DIR: `${file}/state` })).toBe(
    `Error: Nothing can be written in ${file}/state (ENOTDIR: not a directory, mkdir '${file}/state'). Choose another folder: STATE_DIR=/tmp/judge npm start`,
  )
})

test.each(['darwin', 'win32'])(
  'judging on %s is refused, with what runs there',
  async (platform) => {
    const pretend = `Object.defineProperty(process, 'platform', { value: '${platform}' })`
    const [node = '', ...rest] = START
    const command = [
      node,
      '--import',
      `data:text/javascript,${encodeURIComponent(pretend)}`,
      ...rest,
    ]
    expect(await refusal(command, { RUNNERS: '1' })).toBe(
      'Error: Judging needs Linux. RUNNERS=0 runs everything else here; a Linux machine or WSL 2 runs all of it.',
    )
  },
)

test.skipIf(!isOpen)('an ordinary user without a control group reads one fix', async () => {
  const said = await refusal([...AS_NOBODY, ...START], { XDG_RUNTIME_DIR: folder })
  expect(said).toContain('Error: This machine cannot judge submissions.')
  expect(said).toContain('RUNNERS=0 npm start runs everything except judging.')
  expect(said).toContain('- no control groups can be made in /sys/fs/cgroup')
  expect(said.match(/fix: as a systemd service: Delegate=yes in its unit/g)).toHaveLength(1)
})

test.skipIf(!isOpen)('an ordinary user with a systemd session starts again below it', async () => {
  await mkdir(join(folder, 'systemd'))
  await writeFile(join(folder, 'systemd', 'private'), '')
  // No systemd runs here. The real command would run the words after `--`; this one writes all its words down.
  const systemdRun = join(folder, 'systemd-run')
  await writeFile(systemdRun, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.words"\nexit 1\n')
  await chmod(systemdRun, 0o755)
  const said = await refusal([...AS_NOBODY, ...START], {
    XDG_RUNTIME_DIR: folder,
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
  })
  expect(said).toBe('Starting again in a control group of your own (systemd-run --user --scope) …')
  const words = (await readFile(`${systemdRun}.words`, 'utf8')).trim().split('\n')
  expect(words).toEqual([
    '--user',
    '--scope',
    '--quiet',
    '--property=Delegate=yes',
    '--',
    process.execPath,
    `${ROOT}scripts/start.ts`,
  ])
})

test.skipIf(!isRoot || !isOpen)(
  'without gcc an ordinary user reads the command to run',
  async () => {
    // Hides the compiler behind an empty device, in a mount namespace of its own.
    const hide = 'mount --bind /dev/null /usr/bin/gcc && exec "$@"'
    const command = ['unshare', '--mount', 'sh', '-c', hide, 'sh', ...AS_NOBODY, ...START]
    expect(await refusal(command)).toBe(
      'This machine lacks /usr/bin/gcc.\nError: Run this and start again: sudo apt-get install -y gcc libc6-dev',
    )
  },
)
