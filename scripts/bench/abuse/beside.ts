/** What an honest caller pays beside an attack: time as a ratio within one run, memory of the Worker's process. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { percentile, timed, type Report } from '../report.ts'

/** Bounds: an honest call beside an attack ÷ alone, and what an attack adds to the Worker's process. */
export const MOST = { slower: 2, addedMb: 20 } as const

const ROUNDS = 20
const WARM_UP = 3
/** Honest calls alone, as many as an attack makes: garbage is collected late, whoever leaves it. */
const HONEST_CALLS = 100
/** Honest calls beside one burst, at most. */
const MAX_CALLS = 50

/** The process of workerd that this one has started (proc(5): the parent is the field behind the state). */
function workerdPid(): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    let stat: string
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    } catch {
      continue
    }
    const [, comm, parent] = /^\d+ \((.*)\) . (\d+)/.exec(stat) ?? []
    if (comm === 'workerd' && Number(parent) === process.pid) return Number(name)
  }
  throw new Error('workerd does not run')
}

/** The most memory a process has had so far, in MB (proc(5), status). */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

export interface Attack {
  what: string
  /** One call of somebody who does nothing wrong; it throws when it is refused. */
  honest(): Promise<unknown>
  /** One burst of the attack; it ends when all of it has been answered. */
  burst(): Promise<unknown>
}

/** Milliseconds of an honest call while a burst lasts: the mean of as many, one after the other, as fit into it. */
async function timeBeside({ honest, burst }: Attack): Promise<number> {
  const times: number[] = []
  const attack = { lasts: true }
  const over = burst().finally(() => (attack.lasts = false))
  do times.push(await timed(honest))
  while (attack.lasts && times.length < MAX_CALLS)
  await over
  return times.reduce((sum, time) => sum + time, 0) / times.length
}

/**
 * Measures the honest call alone and beside a burst, in turn, so that whatever else the machine does slows both alike.
 * Reports the ratio of medians, and the highest memory beyond what as many honest calls take by themselves.
 */
export async function reportBeside(report: Report, attack: Attack): Promise<void> {
  const { what, honest } = attack
  const pid = workerdPid()
  const [alone, beside]: [number[], number[]] = [[], []]
  // Resets the highest figure to the present one (proc(5), clear_refs).
  const forgetPeak = () => writeFileSync(`/proc/${pid}/clear_refs`, '5')
  for (let calls = 0; calls < HONEST_CALLS; calls += 1) await honest()
  const before = peakMb(pid)
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const quiet = await timed(honest)
    if (round === 0) forgetPeak()
    const loud = await timeBeside(attack)
    if (round < 0) continue
    alone.push(quiet)
    beside.push(loud)
  }
  const [own, other] = [percentile(alone, 0.5), percentile(beside, 0.5)]
  const p95 = percentile(beside, 0.95)
  const detail = `alone ${own.toFixed(1)} ms, beside ${other.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
  report.bound(`${what}: beside ÷ alone`, other / own, MOST.slower, detail)
  const peak = peakMb(pid)
  const memory = `${before.toFixed(0)} → ${peak.toFixed(0)} MB`
  report.bound(`${what}: memory added, MB`, peak - before, MOST.addedMb, memory)
}
