/** What an honest caller pays beside an attack: time as a ratio within one run, and what the Worker holds in memory. */
import { percentile, timed, type Report } from '../report.ts'
import type { BenchStack } from '../stack.ts'

/** Bounds: an honest call beside an attack ÷ alone, and what the Worker holds beside an attack beyond what it does alone. */
export const MOST = { slower: 2, addedMb: 20 } as const

const ROUNDS = 20
/** Of the rounds, before those that count. */
const WARM_UP = 0.15
/** Bursts beside which the heap is looked at, all the time. */
const HEAP_ROUNDS = 3
/** Honest calls that a burst is held against, where memory is compared. */
const HONEST_CALLS = 15
/** Honest calls beside one burst, at most. */
const MAX_CALLS = 50

export interface Attack {
  what: string
  /** One call of somebody who does nothing wrong; it throws when it is refused. */
  honest(): Promise<unknown>
  /** One burst of the attack; it ends when all of it has been answered. */
  burst(): Promise<unknown>
  /** As many honest calls at once as the burst has: what any class takes of the process. Without it, honest calls in turn. */
  crowd?(): Promise<unknown>
  /** Bounds of its own. */
  most?: { slower: number; addedMb: number }
  /** How many bursts are measured, where they are long; there are as many calls alone all the same. */
  rounds?: number
}

/** Does something again and again, one after the other, while a burst lasts. */
async function duringBurst(burst: Attack['burst'], work: () => Promise<unknown>): Promise<void> {
  const attack = { lasts: true }
  const over = burst().finally(() => (attack.lasts = false))
  for (let count = 0; count < MAX_CALLS && (attack.lasts || count === 0); count += 1) await work()
  await over
}

/**
 * Measures the honest call alone and beside a burst, in turn, so that whatever else the machine does slows both alike.
 * Reports the ratio of medians.
 */
async function reportTimes(report: Report, attack: Attack): Promise<void> {
  const { what, honest, burst, most = MOST, rounds = ROUNDS } = attack
  const [alone, beside, single]: [number[], number[], number[]] = [[], [], []]
  for (let round = -Math.floor(WARM_UP * rounds); round < rounds; round += 1) {
    const quiet: number[] = []
    for (let count = 0; count < ROUNDS / rounds; count += 1) quiet.push(await timed(honest))
    const times: number[] = []
    await duringBurst(burst, async () => times.push(await timed(honest)))
    if (round < 0) continue
    alone.push(...quiet)
    single.push(...times)
    beside.push(times.reduce((sum, time) => sum + time, 0) / times.length)
  }
  const [own, other] = [percentile(alone, 0.5), percentile(beside, 0.5)]
  const p95 = percentile(single, 0.95)
  const detail = `alone ${own.toFixed(1)} ms, beside ${other.toFixed(1)} ms, p95 of single calls ${p95.toFixed(1)} ms`
  report.bound(`${what}: beside ÷ alone`, other / own, most.slower, detail)
}

/**
 * Reports the most memory at any time beside bursts beyond the most beside as many honest calls, garbage collected over and
 * over: of the Worker's isolate, and of the process, which has the bodies that are on their way.
 */
async function reportMemory(stack: BenchStack, report: Report, attack: Attack): Promise<void> {
  const { what, honest, burst, crowd = honest, rounds = HEAP_ROUNDS } = attack
  const { addedMb } = attack.most ?? MOST
  const alone = { isolate: 0, process: 0 }
  const beside = { isolate: 0, process: 0 }
  for (const [most, work] of [
    [alone, honest],
    [alone, crowd],
    [beside, burst],
  ] as const) {
    const look = async () => {
      most.isolate = Math.max(most.isolate, await stack.heap.heldMb())
      most.process = Math.max(most.process, stack.processMb())
    }
    const times = Math.min(rounds, HEAP_ROUNDS) * (most === alone ? HONEST_CALLS : 1)
    for (let time = 0; time < times; time += 1) await duringBurst(work, look)
    await look()
  }
  for (const [key, name] of [
    ['isolate', 'memory held'],
    ['process', 'RSS of workerd'],
  ] as const) {
    const detail = `${alone[key].toFixed(0)} → ${beside[key].toFixed(0)} MB`
    report.bound(`${what}: ${name}, MB more`, beside[key] - alone[key], addedMb, detail)
  }
}

/** Reports both. */
export async function reportBeside(stack: BenchStack, report: Report, attack: Attack) {
  // Memory first: what an attack once took, the process may keep.
  await reportMemory(stack, report, attack)
  await reportTimes(report, attack)
}
