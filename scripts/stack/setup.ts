/**
 * Makes sure that this machine has the tools for building, judging and testing. Nothing is installed
 * silently: missing tools are printed first, and outside of Debian the command is only shown.
 */
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { LANGUAGES } from '#contract/languages'
import { runApt } from './apt.ts'
import { restartInDelegatedScope } from './delegated-scope.ts'
import { PlainError, messageOf } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { runTool } from '../process/run-tool.ts'

interface Tool {
  command: string
  /** Debian's package with the tool. */
  package: string
  /** Where the tool must be; default: anywhere on the PATH. */
  path?: string
}

/** The tools of judging. Programs in the sandbox see only the system's own compilers, so a Python that a user installed does not count. */
const JUDGING_TOOLS: readonly Tool[] = [
  ...LANGUAGES.flatMap(({ packages, versionArgv: [path] }) =>
    packages.map((name) => ({ command: path, package: name, path })),
  ),
  { command: 'make', package: 'make' },
]
/** Tools with which tests check pages, and the files that set up judge hosts. */
const TEST_TOOLS: readonly Tool[] = [
  { command: 'chromium', package: 'chromium' },
  { command: 'cloud-init', package: 'cloud-init' },
  { command: 'shellcheck', package: 'shellcheck' },
  { command: 'systemd-analyze', package: 'systemd' },
]
/** A file that keeps cloud-init from setting up the machine that it is installed on. */
const CLOUD_INIT_OFF = '/etc/cloud/cloud-init.disabled'
const USER_MODE_LINUX: Tool = { command: 'linux.uml', package: 'user-mode-linux' }
/** Tools that build and run the container image of a judge host. */
const IMAGE_TOOLS: readonly Tool[] = [
  { command: 'podman', package: 'podman' },
  { command: 'crun', package: 'crun' },
  { command: 'catatonit', package: 'catatonit' },
  { command: 'slirp4netns', package: 'slirp4netns' },
  { command: 'slirp-fullbolt', package: 'slirp' },
  { command: 'debootstrap', package: 'debootstrap' },
  { command: 'mke2fs', package: 'e2fsprogs' },
]

interface SetupOptions {
  /** Whether submissions will be judged on this machine. */
  judging: boolean
  /** Whether the tests will run. */
  tests?: boolean
  /** Whether the tests of cgroup v2 will run. */
  userModeLinux?: boolean
  /** Whether the test of the container image will run. */
  image?: boolean
}

/** Whether a file can be run. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether a tool is where it has to be. */
function isPresent(tool: Tool): boolean {
  if (tool.path !== undefined) return isExecutable(tool.path)
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => folder !== '' && isExecutable(join(folder, tool.command)))
}

/** The missing tools. */
function missingTools(options: SetupOptions): Tool[] {
  const needed = [
    ...(options.judging ? JUDGING_TOOLS : []),
    ...(options.tests ? TEST_TOOLS : []),
    // User-mode Linux does not exist for other processors; there, its test is left out.
    ...(options.userModeLinux && process.arch === 'x64' ? [USER_MODE_LINUX] : []),
    ...(options.image && process.arch === 'x64' ? IMAGE_TOOLS : []),
  ]
  return needed.filter((tool) => !isPresent(tool))
}

/** Installs Debian packages. */
async function install(packages: string[]): Promise<void> {
  if (packages.includes('cloud-init') && !existsSync(CLOUD_INIT_OFF)) {
    mkdirSync(dirname(CLOUD_INIT_OFF), { recursive: true })
    writeFileSync(CLOUD_INIT_OFF, '')
  }
  const done =
    (await runApt(['-qq', 'update'])) &&
    (await runApt([
      '-qq',
      '-y',
      '-o',
      'Dpkg::Use-Pty=0',
      'install',
      '--no-install-recommends',
      ...packages,
    ]))
  if (!done)
    throw new PlainError(
      `apt could not install ${packages.join(' ')}. Is the network up? Install the packages by hand and start again.`,
    )
}

/** Whether to install: if OJ_SETUP or the person at the terminal says so, or if there is no terminal. */
async function mayInstall(command: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  if (process.env['OJ_SETUP'] === 'auto' || !process.stdin.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const reply = await terminal.question(`Run "${command}" now? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(reply.trim())
}

/** Installs the missing tools, or prints the command. */
async function ensureTools(options: SetupOptions): Promise<void> {
  const missing = missingTools(options)
  if (missing.length === 0) return
  const packages = missing.map((tool) => tool.package)
  const names = [...new Set(missing.map((tool) => tool.path ?? tool.command))].join(', ')
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  const command = `${sudo}apt-get install -y ${packages.join(' ')}`
  console.log(`This machine lacks ${names}.`)
  const hasApt = existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
  if (!hasApt)
    throw new PlainError(
      `Install ${names} with your system's package manager and start again (on Debian: ${command}).`,
    )
  if (!(await mayInstall(command))) throw new PlainError(`Run this and start again: ${command}`)
  console.log(`Installing with apt: ${packages.join(' ')}`)
  await install(packages)
  const left = missingTools(options).map((tool) => tool.path ?? tool.command)
  if (left.length > 0) throw new PlainError(`apt is done, but ${left.join(', ')} is still missing.`)
}

/** Runs the runner's own check of whether this host can hold a sandbox. */
async function ensureSandboxHost(): Promise<void> {
  try {
    await runTool('The check of this machine', ['runner/host/check-host.ts'])
  } catch (error) {
    if (/cgroup|control group/.test(messageOf(error))) restartInDelegatedScope()
    throw new PlainError(
      `This machine cannot judge submissions.\n${messageOf(error)}\nRUNNERS=0 npm start runs everything except judging.`,
    )
  }
}

/**
 * Checks this machine, and installs missing tools if that is allowed.
 * @throws PlainError that says what to do
 */
export async function setUp(options: SetupOptions): Promise<void> {
  // Other systems need only Node.
  if (process.platform !== 'linux') {
    if (!options.judging && !options.tests) return
    throw new PlainError(
      'Judging needs Linux. RUNNERS=0 runs everything else here; a Linux machine or WSL 2 runs all of it.',
    )
  }
  await ensureTools(options)
  if (options.judging && existsSync(join(ROOT, 'runner/host/check-host.ts')))
    await ensureSandboxHost()
}
