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
/** Honest calls beside one burst, at most. */
const MAX_CALLS = 50

export interface Attack {
  what: string
  /** One call of somebody who does nothing wrong; it throws when it is refused. */
  honest(): Promise<unknown>
  /** One burst of the attack; it ends when all of it has been answered. */
  burst(): Promise<unknown>
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
  const { what, honest, burst, rounds = ROUNDS } = attack
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
  report.bound(`${what}: beside ÷ alone`, other / own, MOST.slower, detail)
}

/** Reports the most that the Worker holds at any time beside bursts, beyond the most beside an honest call. */
async function reportMemory(stack: BenchStack, report: Report, attack: Attack): Promise<void> {
  const { what, honest, burst, rounds = HEAP_ROUNDS } = attack
  const most = { alone: 0, beside: 0 }
  const processMb = { alone: 0, beside: 0 }
  for (const where of ['alone', 'beside'] as const) {
    const look = async () => (most[where] = Math.max(most[where], await stack.heap.heldMb()))
    for (let round = 0; round < Math.min(rounds, HEAP_ROUNDS); round += 1)
      await duringBurst(where === 'alone' ? honest : burst, look)
    await look()
    processMb[where] = stack.processMb()
  }
  const mb = [most.alone, most.beside].map((value) => value.toFixed(1)).join(' → ')
  const rss = [processMb.alone, processMb.beside].map((value) => value.toFixed(0)).join(' → ')
  const detail = `${mb} MB, RSS of all workerd ${rss} MB`
  report.bound(`${what}: memory held, MB more`, most.beside - most.alone, MOST.addedMb, detail)
}

/** Reports both. */
export async function reportBeside(stack: BenchStack, report: Report, attack: Attack) {
  await reportTimes(report, attack)
  await reportMemory(stack, report, attack)
}
