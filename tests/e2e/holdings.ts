/** What processes of the judge hold, by proc(5): memory, and all that would pile up if it were left behind. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { directoriesOf, findCgroup } from '../../runner/sandbox/cgroup.ts'
import { descendants } from '../runner/fixtures/processes.ts'

/** Names of things of each kind, so that a failure tells which were left. */
type Holdings = Record<'descriptors' | 'processes' | 'cgroups' | 'mounts' | 'files', string[]>

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024
}

/** What a descriptor is; `gone` when it was closed meanwhile. */
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

/** The workerd below a wrangler that runs the Worker; the other one is wrangler's own proxy. */
export function workerdBelow(wrangler: number): number {
  const found = descendants(wrangler).find((pid) => commandLine(pid).includes('--inspector-addr'))
  if (found === undefined) throw new Error('workerd does not run')
  return found
}

export function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => target(`/proc/${pid}/fd/${fd}`))
}

/** Mounts of boxes that show outside them. */
function boxMounts(pid: number): string[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')
  return lines.filter((line) => / - tmpfs (root|run|work|box) /.test(line))
}

/** Whether a process still runs; one that nobody has reaped yet does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Cgroups that helpers of these pids have made, and those within. */
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

/** Of a runner. @param folder holds its state folder and its temporary one */
export async function holdingsOf(runner: number, folder: string): Promise<Holdings> {
  const below = descendants(runner)
  return {
    descriptors: descriptorsOf(runner),
    processes: below.map(commandLine),
    cgroups: await cgroupsOf(below),
    mounts: boxMounts(runner),
    // Compiled programs are kept, up to 128 MB.
    files: readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
      (path) => !/\/programs\/[0-9a-f]{64}$/.test(path),
    ),
  }
}

/** The kinds of which there are more than before. */
export function grown<Kind extends string>(
  before: Record<Kind, string[]>,
  now: Record<Kind, string[]>,
): string[] {
  return (Object.keys(now) as Kind[])
    .filter((kind) => now[kind].length > before[kind].length)
    .map((kind) => `${kind}: ${before[kind].length}, now ${now[kind].join(', ')}`)
}

/** Growth per ten minutes of the line through points (ms, MB) by least squares. */
export function slopePer10Min(points: readonly (readonly [number, number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanMs, meanMb] = [mean(points.map(([ms]) => ms)), mean(points.map(([, mb]) => mb))]
  const above = points.reduce((sum, [ms, mb]) => sum + (ms - meanMs) * (mb - meanMb), 0)
  const below = points.reduce((sum, [ms]) => sum + (ms - meanMs) ** 2, 0)
  return (above / below) * 600_000
}
