/** Programs that would take the time of other slots, beside an honest one on another slot of the same runner. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { STATUS } from '#contract/verdicts'
import { CaseGate } from '../../../runner/judge/case-gate.ts'
import { Workshop } from '../judge/workshop.ts'
import { percentile, type Report, timed } from '../report.ts'
import { MOST } from './beside.ts'

/** Even, so that the two slots get different processors. */
const SLOT = 140
const ROUNDS = 3
/** CPU time of the honest program's cases, beside ÷ alone. */
const CPU_SLOWER = 1.05
/** How late the runner's own thread may come to anything, ms: heartbeats, and the helpers of all slots. */
const LATE_MS = 20

/** About 20 ms of computing in the first-level cache. */
const HONEST = `#include <stdio.h>
int main(void) {
  unsigned numbers[1024], seed = 1;
  for (int i = 0; i < 1024; i++) numbers[i] = seed = seed * 1103515245u + 12345u;
  for (int round = 0; round < 50000; round++)
    for (int i = 0; i < 1024; i++) numbers[i] = numbers[i] * 69069u + (numbers[(i + 1) & 1023] >> 7);
  unsigned sum = 0;
  for (int i = 0; i < 1024; i++) sum ^= numbers[i];
  puts(sum == 42 ? "4" : "3");
}`
const HONEST_CASES = 10

/** A near miss of a limit of 1 s that also sleeps for 0.8 s, or does not. */
function nearMiss(sleepUs: number): string {
  return `#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) { while (clock() < 1.04 * CLOCKS_PER_SEC); usleep(${sleepUs}); puts("3"); }`
}

/** The answer and 62 MB of blanks, which the comparison has to look at. */
const BLANKS = `#include <string.h>
#include <unistd.h>
static char blanks[1 << 20];
int main(void) {
  write(1, "3", 1);
  for (unsigned i = 0; i < sizeof blanks; i++) blanks[i] = i % 2 ? ' ' : '\\t';
  for (int i = 0; i < 59; i++) for (unsigned n = 0; n < sizeof blanks;) n += write(1, blanks + n, sizeof blanks - n);
}`

interface Attack {
  what: string
  run(shop: Workshop): Promise<{ status: number }>
  status: number
}

const ATTACKS: readonly Attack[] = [
  {
    what: 'near misses that sleep',
    run: (shop) => shop.judge('c', nearMiss(800_000), 1, '3\n', { timeLimit: 1_000, subtasks: 3 }),
    status: STATUS.TLE,
  },
  {
    what: 'near misses that compute',
    run: (shop) => shop.judge('c', nearMiss(0), 1, '3\n', { timeLimit: 1_000, subtasks: 3 }),
    status: STATUS.TLE,
  },
  {
    what: '62 MB of blanks',
    run: (shop) => shop.judge('c', BLANKS, 8, '3\n', { outputLimit: 65_536 }),
    status: STATUS.AC,
  },
]

/** Judges the honest program; answers the CPU times of its cases. */
async function judgeHonest(shop: Workshop): Promise<number[]> {
  const { status, tasks: subtasks } = await shop.judge('c', HONEST, HONEST_CASES, '3\n')
  if (status !== STATUS.AC) throw new Error(`the honest program got status ${status}`)
  return subtasks.flatMap(({ cases }) => cases.map(({ runTime }) => runTime ?? 0))
}

/** The honest program's times alone and beside an attack, in turn. */
async function measure(honest: Workshop, hostile: Workshop, { what, run, status }: Attack) {
  const times = { alone: [] as number[], beside: [] as number[] }
  const cpu = { alone: [] as number[], beside: [] as number[] }
  const once = async (where: 'alone' | 'beside') =>
    times[where].push(await timed(async () => void cpu[where].push(...(await judgeHonest(honest)))))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let n = 0; n < 4; n += 1) await once('alone')
    const over = new AbortController()
    const attack = run(hostile).finally(() => over.abort())
    delay.enable()
    do await once('beside')
    while (!over.signal.aborted)
    delay.disable()
    const judged = await attack
    if (judged.status !== status) throw new Error(`${what}: status ${judged.status}`)
  }
  return { times, cpu, lateMs: delay.percentile(99) / 1e6 }
}

export async function neighbours(report: Report): Promise<void> {
  const gate = new CaseGate()
  const honest = await Workshop.open(SLOT, gate)
  const hostile = await Workshop.open(SLOT + 1, gate)
  try {
    await judgeHonest(honest)
    for (const attack of ATTACKS) {
      const { times, cpu, lateMs } = await measure(honest, hostile, attack)
      const [alone, beside] = [percentile(times.alone, 0.5), percentile(times.beside, 0.5)]
      const worst = Math.max(...times.beside)
      const mean = times.beside.reduce((sum, time) => sum + time, 0) / times.beside.length
      const detail = `alone ${alone.toFixed(0)} ms, median beside ${beside.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`
      report.bound(`${attack.what}: submission beside ÷ alone`, mean / alone, MOST.slower, detail)
      const [own, other] = [percentile(cpu.alone, 0.5), percentile(cpu.beside, 0.5)]
      const cpuDetail = `alone ${own} ms, beside ${other} ms`
      report.bound(`${attack.what}: CPU of its cases`, other / own, CPU_SLOWER, cpuDetail)
      report.bound(`${attack.what}: the runner’s thread is late, p99, ms`, lateMs, LATE_MS)
    }
  } finally {
    await honest.close()
    await hostile.close()
  }
}
