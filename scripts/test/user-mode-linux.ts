/**
 * Starts a second kernel, with cgroup v2, as an ordinary process: Debian's user-mode Linux. Its root is this machine's
 * files, read-only: writes go to its memory. Everything that touches the kernel is slow in the guest, so its clocks are slowed
 * down.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { PlainError } from '../plain-error.ts'
import { ROOT } from '../root.ts'

const KERNEL = '/usr/bin/linux.uml'
const PRELOADED = ['slow-clock.c', 'wide-registers.c'].map((name) => `${ROOT}scripts/test/${name}`)
/** How long to measure which share of a core other processes or a quota leave, ms. */
const WATCHED_MS = 2_000
/** A guest that runs longer hangs. */
const PATIENCE_MS = 90 * 60_000
/** Folders that lie in the guest's memory, as do writes into the project. */
const WRITABLE = ['/tmp', '/var/tmp', '/dev/shm']
const MODULES = '/usr/lib/uml/modules/$(uname -r)/kernel'
/** Connects the guest by its serial line. In the guest, this machine's loopback is 10.0.2.2, and the guest itself 10.0.2.15. */
const SLIRP = '/usr/bin/slirp-fullbolt'
const ENDED_WELL = 'user-mode Linux: all commands passed'

interface GuestOptions {
  /** Lines of a POSIX shell script, run as root in the project's folder. */
  commands: readonly string[]
  /** e.g. `1536M` */
  memory: string
  /** How many times slower the guest's clocks run when it has a core to itself. */
  slowness: number
  /** More writable folders. */
  writable?: readonly string[]
  /** A file with an ext4 file system, which the guest sees as `/dev/ubda`. */
  disk?: string
  /** Whether the guest reaches this machine's loopback as 10.0.2.2. */
  network?: boolean
}

interface Guest {
  /** Whether all commands passed. */
  ended: Promise<boolean>
  /** The guest's output so far. */
  output(): string
  /** Ends the guest at once. */
  stop(): void
}

/** A text quoted as one word of the shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** A line that loads a module by finit_module(2), because not every machine has insmod. */
export function loadModule(path: string): string {
  return `/usr/bin/python3 -c 'import ctypes; ctypes.CDLL(None).syscall(313, 0, b"", 0)' < "${MODULES}/${path}"`
}

/** A line of Python in which `s` is a socket, `call` is fcntl.ioctl and `ip` packs an address (netdevice(7)). */
function netDevice(...calls: string[]): string {
  const helpers =
    'import fcntl, socket, struct; call = fcntl.ioctl; s = socket.socket(); ip = lambda a: struct.pack("HH4s8x", 2, 0, socket.inet_aton(a))'
  return `/usr/bin/python3 -c '${[helpers, ...calls].join('; ')}'`
}

/** Gives a device an address and switches it on: SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFFLAGS with IFF_UP. */
const ethernet = netDevice(
  'call(s, 0x8916, struct.pack("16s", b"eth0") + ip("10.0.2.15"))',
  'call(s, 0x891c, struct.pack("16s", b"eth0") + ip("255.255.255.0"))',
  'call(s, 0x8914, struct.pack("16sh14x", b"eth0", 1))',
)

/** The script of the first process: mounts the usual file systems, runs the commands, switches off. */
function initScript({ commands, writable = [], network }: GuestOptions): string {
  const root = quote(ROOT)
  return [
    '#!/bin/sh',
    'export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp NO_COLOR=1 CI=1',
    'mount -t proc proc /proc',
    'mount -t sysfs sysfs /sys',
    'mount -t cgroup2 cgroup2 /sys/fs/cgroup',
    'mkdir -p /dev/shm /dev/pts /dev/mqueue',
    'mount -t devpts devpts /dev/pts',
    // At first the loopback device is switched off.
    netDevice('call(s, 0x8914, struct.pack("16sh14x", b"lo", 1))'),
    ...(network ? [ethernet] : []),
    // The next mounts may cover the folder in which the project lies, so it is mounted elsewhere first.
    'mount -t tmpfs tmpfs /mnt',
    'mkdir /mnt/project /mnt/upper /mnt/work',
    `mount --bind ${root} /mnt/project`,
    ...[...WRITABLE, ...writable].map((path) => `mount -t tmpfs tmpfs ${path}`),
    loadModule('fs/overlayfs/overlay.ko'),
    `mkdir -p ${root}`,
    `mount -t overlay -o lowerdir=/mnt/project,upperdir=/mnt/upper,workdir=/mnt/work overlay ${root}`,
    // The guest has little memory, but programs reserve much.
    'echo 1 > /proc/sys/vm/overcommit_memory',
    `cd ${root}`,
    `sh -ec ${quote(commands.join('\n'))} && echo ${quote(ENDED_WELL)}`,
    // The guest is switched off without a sync, because no disk has data to keep.
    'echo o > /proc/sysrq-trigger',
    'sleep 60',
    '',
  ].join('\n')
}

/** The share of a core that a process gets here. The guest counts the rest of the core as its programs' CPU time. */
function shareOfCore(): number {
  const began = performance.now()
  const before = process.cpuUsage()
  while (performance.now() - began < WATCHED_MS) continue
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / (performance.now() - began)
}

/** Compiles a library that is preloaded before the C library. */
function buildPreloaded(library: string, slowness: number): void {
  const flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', `-DSLOWNESS=${slowness}`]
  execFileSync('gcc', [...flags, '-o', library, ...PRELOADED])
}

/** Boots a guest and prints its output. @throws PlainError when the processor is not x86-64 */
export function bootGuest(options: GuestOptions): Guest {
  if (process.arch !== 'x64') throw new PlainError('User-mode Linux is for x86-64 only.')
  const folder = mkdtempSync('/var/tmp/coursejudge-guest-')
  const init = `${folder}/init`
  writeFileSync(init, initScript(options), { mode: 0o700 })
  const preloaded = `${folder}/preloaded.so`
  buildPreloaded(preloaded, Math.ceil(options.slowness / shareOfCore()))
  const args = [
    `mem=${options.memory}`,
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    'con=null',
    'con0=fd:0,fd:1',
    'quiet',
    'loglevel=1',
    ...(options.disk ? [`ubda=${options.disk}`] : []),
    ...(options.network ? [`eth0=slirp,,${SLIRP}`] : []),
    `init=${init}`,
  ]
  const child = spawn(KERNEL, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, LD_PRELOAD: preloaded },
  })
  let said = ''
  let isRunning = true
  // The kernel's helper processes must end with it.
  const stop = () => {
    try {
      if (isRunning && child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The guest has just ended.
    }
  }
  const timer = setTimeout(stop, PATIENCE_MS)
  // Tests that are killed cannot stop the guest, so it stops when their process is gone.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid === parent || stop(), 1_000)
  process.once('SIGTERM', stop).once('SIGINT', stop)
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    said += chunk.toString()
  })
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      isRunning = false
      clearTimeout(timer)
      clearInterval(watch)
      rmSync(folder, { recursive: true, force: true })
      resolve(said.includes(ENDED_WELL))
    })
  })
  return { ended, output: () => said, stop }
}
