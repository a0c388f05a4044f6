/** The cores of this machine: how many can judge at the same time, and which one a slot gets. */
import { readFileSync } from 'node:fs'

/** Parses a list as the kernel writes it, e.g. `0-3,8` (cpuset(7), "Formats"). */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [first = NaN, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 || 0 }, (_, n) => first + n)
    })
}

/**
 * Orders processors so that every core comes once before any comes twice. Two threads of a core slow each other, and
 * machines number them differently.
 * @param siblings the processors that share a core with this one, itself included; null if unknown
 * @returns all of `allowed`, and the number of their cores
 */
export function orderCores(
  allowed: readonly number[],
  siblings: (cpu: number) => readonly number[] | null,
): { order: number[]; cores: number } {
  const seen = new Map<number, number>()
  const ranked = allowed.map((cpu) => {
    const core = siblings(cpu)?.[0] ?? cpu
    const rank = seen.get(core) ?? 0
    seen.set(core, rank + 1)
    return { cpu, rank }
  })
  ranked.sort((left, right) => left.rank - right.rank || left.cpu - right.cpu)
  return { order: ranked.map(({ cpu }) => cpu), cores: seen.size }
}

/** The processors that this process may use (proc(5); sysfs, cpu topology). */
function ownCores(): { order: number[]; cores: number } {
  const status = readFileSync('/proc/self/status', 'utf8')
  const allowed = /^Cpus_allowed_list:(.*)$/m.exec(status)?.[1] ?? ''
  return orderCores(parseCpuList(allowed), (cpu) => {
    try {
      const topology = `/sys/devices/system/cpu/cpu${cpu}/topology`
      return parseCpuList(readFileSync(`${topology}/thread_siblings_list`, 'utf8'))
    } catch {
      return null
    }
  })
}

/** The number of cores that this process may use. Two hyper-threads share a core, and timing needs a whole core. */
export function physicalCores(): number {
  return Math.max(1, ownCores().cores)
}

/** The processor of a slot. After the last processor the first one follows. */
export function coreOfSlot(index: number): number {
  const { order } = ownCores()
  return order[index % order.length] ?? 0
}
