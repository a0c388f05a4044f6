/**
 * `npm run test:cgroup2`: the runner's tests under cgroup v2, whatever this machine has. Debian's user-mode Linux
 * boots a kernel of its own as an ordinary process, with this machine's files as its root, read-only: what the
 * tests write goes to its memory. All that touches the kernel is slow in there, so its clocks are slowed down, and
 * tests leave times unchecked.
 * Arguments go to vitest (`-- --mode full --project runner` for all of it).
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { PlainError, runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'
import { setUp } from './setup.ts'

const KERNEL = '/usr/bin/linux.uml'
const SLOW_CLOCK = `${ROOT}scripts/cgroup2/slow-clock.c`
/**
 * The memory of the kernel, and how many times slower its clocks run where it has a core to itself: in a full run much C++ is
 * compiled, which takes longest.
 */
const SIZES = {
  brief: { memory: '1536M', slowness: 3 },
  full: { memory: '4096M', slowness: 6 },
}
/** How long is watched what others, or a quota, leave of a core, in ms. */
const WATCHED_MS = 2_000
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
const BRIEF_ARGS = ['--project', 'runner', ...BRIEF.map((name) => `tests/runner/${name}`)]
/** Longer means that it hangs. */
const PATIENCE_MS = 90 * 60_000
/** Memory in there, and so is whatever the tests write into the project. */
const WRITABLE = ['/tmp', '/var/tmp', '/dev/shm']
/** The kernel's module for that. */
const OVERLAY = '/usr/lib/uml/modules/$(uname -r)/kernel/fs/overlayfs/overlay.ko'
const PASSED = 'cgroup v2: passed'

/** A word for the shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** The first process: mounts what a system has, runs the tests, switches off. */
function initScript(args: readonly string[]): string {
  const vitest = [process.execPath, `${ROOT}node_modules/vitest/vitest.mjs`, 'run', ...args]
  const root = quote(ROOT)
  return [
    '#!/bin/sh',
    'export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp NO_COLOR=1 CI=1',
    'mount -t proc proc /proc',
    'mount -t sysfs sysfs /sys',
    'mount -t cgroup2 cgroup2 /sys/fs/cgroup',
    'mkdir -p /dev/shm',
    // SIOCSIFFLAGS with IFF_UP: the loopback device begins switched off (netdevice(7)).
    `/usr/bin/python3 -c 'import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 1))'`,
    // The project may lie below what is about to be covered.
    'mount -t tmpfs tmpfs /mnt',
    'mkdir /mnt/project /mnt/upper /mnt/work',
    `mount --bind ${root} /mnt/project`,
    ...WRITABLE.map((path) => `mount -t tmpfs tmpfs ${path}`),
    // As insmod does, which is not everywhere: finit_module(2).
    `/usr/bin/python3 -c 'import ctypes; ctypes.CDLL(None).syscall(313, 0, b"", 0)' < "${OVERLAY}"`,
    `mkdir -p ${root}`,
    `mount -t overlay -o lowerdir=/mnt/project,upperdir=/mnt/upper,workdir=/mnt/work overlay ${root}`,
    // Of little memory, and programs reserve much of it.
    'echo 1 > /proc/sys/vm/overcommit_memory',
    `cd ${root}`,
    `${vitest.map(quote).join(' ')} && echo ${quote(PASSED)}`,
    // Nothing is on a disk that would want to be synced.
    'echo o > /proc/sysrq-trigger',
    'sleep 60',
    '',
  ].join('\n')
}

/** The part of a core that a process gets here. That kernel takes what others have of it for its programs' CPU time. */
function shareOfCore(): number {
  const began = performance.now()
  const before = process.cpuUsage()
  while (performance.now() - began < WATCHED_MS) continue
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / (performance.now() - began)
}

/** Compiles the clock that is put in front of the C library's. */
function buildSlowClock(library: string, slowness: number): void {
  const flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', `-DSLOWNESS=${slowness}`]
  execFileSync('gcc', [...flags, '-o', library, SLOW_CLOCK])
}

/** Boots, passes on what it writes; answers whether the tests passed. */
function boot(init: string, memory: string, clock: string): Promise<boolean> {
  const args = [
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    'con=null',
    'con0=fd:0,fd:1',
    'quiet',
    'loglevel=1',
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(KERNEL, [`mem=${memory}`, ...args, `init=${init}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
      env: { ...process.env, LD_PRELOAD: clock },
    })
    // The kernel's helper processes have to go with it.
    const stop = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
    const timer = setTimeout(stop, PATIENCE_MS)
    // Tests that were killed cannot say that nobody waits for this any more.
    const parent = process.ppid
    const watch = setInterval(() => process.ppid === parent || stop(), 1_000)
    process.once('SIGTERM', stop).once('SIGINT', stop)
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      said = (said + chunk.toString()).slice(-10_000)
    })
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      clearInterval(watch)
      resolve(said.includes(PASSED))
    })
  })
}

async function main(): Promise<number> {
  if (process.arch !== 'x64') throw new PlainError('User-mode Linux is for x86-64 only.')
  await setUp({ judging: true, userModeLinux: true })
  const folder = mkdtempSync('/var/tmp/coursejudge-cgroup2-')
  try {
    const args = process.argv.slice(2)
    const init = `${folder}/init`
    writeFileSync(init, initScript(args.length > 0 ? args : BRIEF_ARGS), {
      mode: 0o755,
    })
    const { memory, slowness } = args.length > 0 ? SIZES.full : SIZES.brief
    const clock = `${folder}/slow-clock.so`
    buildSlowClock(clock, Math.ceil(slowness / shareOfCore()))
    const passed = await boot(init, memory, clock)
    console.log(passed ? PASSED : 'cgroup v2: failed')
    return passed ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runCommand(main)
