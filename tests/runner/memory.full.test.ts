/** A runner's memory: little when idle, and no more after thousands of submissions. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Job } from '#contract/judging'
import { descendants } from './fixtures/processes.ts'
import { it, QUEUE, source } from './fixtures/runner.ts'
import { USER_MODE_LINUX } from './fixtures/sandbox.ts'
import { testDataZip } from './fixtures/zip-builder.ts'

const SUBMISSIONS = 2_000
const PROBLEMS = 20
/** Results between two measurements. */
const STEP = 200
/** After this many results the caches are full and V8 has settled. */
const WARM = 600

const IDLE_MB = 80
const SLOT_MB = 10
/** The second half may exceed the first by this much, which V8 has not collected yet. */
const DRIFT_MB = 3

/** The settings that docs/operating-runners.md recommends. */
const SPARING = { NODE_OPTIONS: '--max-semi-space-size=1', MALLOC_ARENA_MAX: '1' }

function rollup(pid: number, what: 'Rss' | 'Pss'): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024
}

/** A different source for every number, with each kind of ending: right, wrong with much output, compile error, crash. */
function submission(number: number): Pick<Job, 'language' | 'source'> {
  const c = (code: string) => `#include <stdio.h>\nint main(void) { ${code} } // ${number}\n`
  const sources: [Job['language'], string][] = [
    ['py3', `print(input()) # ${number}`],
    ['c', c('int n; scanf("%d", &n); printf("%d\\n", n);')],
    ['py3', `print("${number} " * 10_000)`],
    ['c', `int main(void) { return ${number} +; }`],
    ['c', c(`return ${number} % 200 + 1;`)],
    ['py3', `raise ValueError("${number}" * 1_000)`],
  ]
  const [language, code] = sources[number % sources.length] ?? ['c', '']
  return { language, ...source(code) }
}

/** Median of some measurements. */
function middle(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}

// The figures are for the machine's own kernel; user-mode Linux is too slow.
it.skipIf(USER_MODE_LINUX)(
  `a runner holds ≤ ${IDLE_MB} MB idle, ≤ ${SLOT_MB} MB per slot, and no more after ${SUBMISSIONS} submissions [LO4]`,
  async ({ world: { server, stateDir, startRunner } }) => {
    const env = { ...QUEUE, ...SPARING, NODE_COMPILE_CACHE: join(stateDir, 'node') }
    // The first start fills the compile cache.
    const first = startRunner(env)
    await first.logged('ready')
    first.child.kill('SIGTERM')
    await first.ended

    const runner = startRunner(env)
    await runner.logged('ready')
    await server.seen('pull')
    const pid = runner.child.pid ?? 0
    const idle = rollup(pid, 'Rss')
    const slots = descendants(pid).reduce((sum, helper) => sum + rollup(helper, 'Pss'), 0) / 2
    const zips = Array.from({ length: PROBLEMS }, (_, n) => testDataZip([[[`${n}\n`, `${n}\n`]]]))
    const looks: { rssMb: number; descriptors: number }[] = []
    for (let done = 0; done < SUBMISSIONS; done += STEP) {
      for (let number = done; number < done + STEP; number++)
        server.jobs.push(server.job(number + 1, submission(number), zips[number % PROBLEMS]))
      server.ticket()
      await server.seen('result', STEP)
      await expect.poll(() => server.jobs.length).toBe(0)
      // Empties the test server's own record of calls.
      server.calls.length = 0
      looks.push({
        rssMb: Math.round(rollup(pid, 'Rss') * 10) / 10,
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
      })
    }
    const held = looks.map(({ rssMb }) => rssMb)
    console.log(
      `idle ${idle.toFixed(1)} MB, a slot ${slots.toFixed(1)} MB, after each ${STEP} submissions: ${held.join(', ')} MB`,
    )
    expect(idle).toBeLessThanOrEqual(IDLE_MB)
    expect(slots).toBeLessThanOrEqual(SLOT_MB)
    const warm = held.slice(WARM / STEP)
    const half = Math.floor(warm.length / 2)
    expect(middle(warm.slice(half)) - middle(warm.slice(0, half))).toBeLessThanOrEqual(DRIFT_MB)
    const descriptors = looks.map((look) => look.descriptors)
    expect(Math.max(...descriptors.slice(1)) - (descriptors[0] ?? 0)).toBeLessThanOrEqual(4)
  },
)
