/** Resources that processes of the judge hold (proc(5)): memory, and everything that piles up if it is left behind. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { directoriesOf, findCgroup } from '../../runner/sandbox/cgroup.ts'
import { descendants } from '../runner/fixtures/processes.ts'

/** The names of held things by kind, so that a failure names what is left. */
type Holdings = Record<'descriptors' | 'processes' | 'cgroups' | 'mounts' | 'files', string[]>

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024
}

/** The file behind a descriptor; `gone` if it was closed meanwhile. */
function target(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return 'gone'
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return 'gone'
  }
}

/** The workerd that runs the Worker below a wrangler; the other workerd is wrangler's own proxy. */
export function workerdBelow(wrangler: number): number {
  const found = descendants(wrangler).find((pid) => commandLine(pid).includes('--inspector-addr'))
  if (found === undefined) throw new Error('workerd does not run')
  return found
}

export function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => target(`/proc/${pid}/fd/${fd}`))
}

/** Mounts of boxes that the host can see. */
function boxMounts(pid: number): string[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')
  return lines.filter((line) => / - tmpfs (root|run|work|box) /.test(line))
}

/** Whether a process still runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Cgroups that helpers of these processes have made, and the cgroups inside those. */
export async function cgroupsOf(pids: readonly number[]): Promise<string[]> {
  const names = pids.map((pid) => `coursejudge-${pid}-`)
  return directoriesOf(await findCgroup()).flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => names.some((start) => name.startsWith(start)))
      .flatMap((name) => [
        name,
        ...readdirSync(join(parent, name), { withFileTypes: true, recursive: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => `${name}/${entry.name}`),
      ]),
  )
}

/** The holdings of a runner. @param folder holds its state folder and its temporary folder */
export async function holdingsOf(runner: number, folder: string): Promise<Holdings> {
  const below = descendants(runner)
  return {
    descriptors: descriptorsOf(runner),
    processes: below.map(commandLine),
    cgroups: await cgroupsOf(below),
    mounts: boxMounts(runner),
    // The runner keeps compiled programs, up to 128 MB.
    files: readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
      (path) => !/\/programs\/[0-9a-f]{64}$/.test(path),
    ),
  }
}

/** The kinds that have grown. */
export function grown<Kind extends string>(
  before: Record<Kind, string[]>,
  now: Record<Kind, string[]>,
): string[] {
  return (Object.keys(now) as Kind[])
    .filter((kind) => now[kind].length > before[kind].length)
    .map((kind) => `${kind}: ${before[kind].length}, now ${now[kind].join(', ')}`)
}

/** Slope of the least-squares line through points (ms, MB), per ten minutes. */
export function slopePer10Min(points: readonly (readonly [number, number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanMs, meanMb] = [mean(points.map(([ms]) => ms)), mean(points.map(([, mb]) => mb))]
  const above = points.reduce((sum, [ms, mb]) => sum + (ms - meanMs) * (mb - meanMb), 0)
  const below = points.reduce((sum, [ms]) => sum + (ms - meanMs) ** 2, 0)
  return (above / below) * 600_000
}
