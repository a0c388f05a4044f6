/** Finds where this process may make control groups (cgroups(7); proc(5): /proc/self/cgroup, /proc/self/mountinfo). */
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SandboxError } from './errors.ts'

/** The directories below which helpers make their cgroups. */
export type CgroupDirs =
  { version: 'v1'; memory: string; cpuacct: string; pids: string } | { version: 'v2'; dir: string }

/** All directories; on v1 those of memory, cpuacct and pids. */
export function directoriesOf(dirs: CgroupDirs): string[] {
  return dirs.version === 'v2' ? [dirs.dir] : [dirs.memory, dirs.cpuacct, dirs.pids]
}

/** On v2 only leaves may hold processes, so the runner moves into this cgroup. */
const RUNNER_LEAF = 'coursejudge-runner'

/** The directory of a cgroup in a mounted hierarchy. `root` is the cgroup that the mount shows at its top. */
function directory(mountPoint: string, root: string, path: string): string {
  if (root === '/') return join(mountPoint, path)
  return path === root || path.startsWith(`${root}/`)
    ? join(mountPoint, path.slice(root.length))
    : mountPoint
}

/**
 * Finds the hierarchies: v1 where the memory controller is mounted there (also on hybrid hosts), else v2.
 * @returns null when no memory controller can be reached
 */
export function locateCgroup(mountInfo: string, selfCgroup: string): CgroupDirs | null {
  const paths = new Map<string, string>()
  for (const line of selfCgroup.trim().split('\n')) {
    const [, controllers = '', ...path] = line.split(':')
    for (const name of controllers.split(',')) paths.set(name, path.join(':'))
  }
  const v1 = new Map<string, string>()
  let v2: string | null = null
  for (const line of mountInfo.trim().split('\n')) {
    const [left = '', right = ''] = line.split(' - ')
    const [, , , root = '/', mountPoint = '/'] = left.split(' ')
    const [type, , options = ''] = right.split(' ')
    if (type === 'cgroup2' && v2 === null) v2 = directory(mountPoint, root, paths.get('') ?? '/')
    if (type !== 'cgroup') continue
    for (const name of options.split(',')) {
      const path = paths.get(name)
      if (path !== undefined && !v1.has(name)) v1.set(name, directory(mountPoint, root, path))
    }
  }
  const memory = v1.get('memory')
  const cpuacct = v1.get('cpuacct')
  const pids = v1.get('pids')
  if (memory && cpuacct && pids) return { version: 'v1', memory, cpuacct, pids }
  if (memory || v2 === null) return null
  return { version: 'v2', dir: basename(v2) === RUNNER_LEAF ? dirname(v2) : v2 }
}

/** Finds the directories of this process. @throws SandboxError when there are none */
export async function findCgroup(): Promise<CgroupDirs> {
  const [mountInfo, selfCgroup] = await Promise.all([
    readFile('/proc/self/mountinfo', 'utf8'),
    readFile('/proc/self/cgroup', 'utf8'),
  ])
  const dirs = locateCgroup(mountInfo, selfCgroup)
  if (!dirs) throw new SandboxError('no cgroup hierarchy with memory, cpuacct and pids is mounted')
  return dirs
}

let prepared: Promise<CgroupDirs> | null = null

/**
 * Finds the directories and makes them usable. On v2 a cgroup with processes cannot hand controllers to its children
 * ("no internal processes", cgroup-v2.rst), so all processes of the delegated cgroup move into a leaf first.
 */
export async function prepareCgroup(): Promise<CgroupDirs> {
  prepared ??= prepare().catch((error: unknown) => {
    prepared = null
    throw error
  })
  return prepared
}

async function prepare(): Promise<CgroupDirs> {
  const dirs = await findCgroup()
  if (dirs.version === 'v1') return dirs
  const controllers = (await readFile(join(dirs.dir, 'cgroup.controllers'), 'utf8')).split(/\s+/)
  const missing = ['memory', 'pids'].filter((name) => !controllers.includes(name))
  if (missing.length > 0)
    throw new SandboxError(`the cgroup ${dirs.dir} is not given: ${missing.join(', ')}`)
  try {
    await enableControllers(dirs.dir)
  } catch {
    await moveIntoLeaf(dirs.dir)
    await enableControllers(dirs.dir)
  }
  return dirs
}

async function enableControllers(dir: string) {
  await writeFile(join(dir, 'cgroup.subtree_control'), '+memory +pids')
}

async function moveIntoLeaf(dir: string) {
  const leaf = join(dir, RUNNER_LEAF)
  await mkdir(leaf, { recursive: true })
  // A process may fork, so read again until none is left.
  for (let round = 0; round < 20; round++) {
    const pids = (await readFile(join(dir, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean)
    if (pids.length === 0) return
    for (const pid of pids) {
      // A process that has ended need not be moved.
      await writeFile(join(leaf, 'cgroup.procs'), pid).catch(async (error: unknown) => {
        await access(`/proc/${pid}`).then(
          () => Promise.reject(error),
          () => undefined,
        )
      })
    }
  }
}
