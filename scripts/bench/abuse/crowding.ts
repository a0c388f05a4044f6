/** Programs that keep the core, or the helper that reads what they write, as busy as they can. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { percentile, type Report } from '../report.ts'
import { Workshop } from '../judge/workshop.ts'
import { ROOT } from '../../root.ts'

const PROGRAMS = join(ROOT, 'tests/fixtures/hostile/crowding')
const ATTACKS = [
  'yielding-crowd.c',
  'stderr-bytes.c',
  'signals.c',
  'page-faults.c',
  'forks.c',
  'timers.c',
]
const HONEST = join(ROOT, 'tests/runner/fixtures/programs/burn.c')
const WALL_MS = 500
const TRIES = 5
/** Of the wall limit; and what an honest program on another core may lose. */
const MOST = { held: 1.2, slower: 1.05 } as const

/** How long each holds its slot, and what a program on the next core pays meanwhile. Needs a machine with nothing else to do. */
export async function crowding(report: Report): Promise<void> {
  const [shop, neighbour] = [await Workshop.open(0), await Workshop.open(1)]
  try {
    const honest = await neighbour.boxWith(await readFile(HONEST, 'utf8'))
    const burn = async () => (await neighbour.run(honest, {}, 'user')).cpuMs
    const [alone, beside]: [number[], number[]] = [[], []]
    const held: number[] = []
    for (const file of ATTACKS) {
      const box = await shop.boxWith(await readFile(join(PROGRAMS, file), 'utf8'))
      for (let n = 0; n < TRIES; n++) {
        alone.push(await burn())
        const attack = shop.run(box, { wallMs: WALL_MS, cpuMs: 10 * WALL_MS }).then(
          ({ waitedMs }) => waitedMs / WALL_MS,
          () => Infinity,
        )
        beside.push(await burn())
        held.push(await attack)
        // On a machine with other work the sandbox gives up; the bound says so.
        if (!Number.isFinite(held.at(-1))) break
      }
      await box.close()
    }
    const longest = `median ${percentile(held, 0.5).toFixed(2)}`
    report.bound(
      'crowding programs: slot held ÷ wall limit, p95',
      percentile(held, 0.95),
      MOST.held,
      longest,
    )
    const [own, other] = [percentile(alone, 0.5), percentile(beside, 0.5)]
    const detail = `alone ${own} ms, beside ${other} ms`
    report.bound('crowding programs: a neighbour beside ÷ alone', other / own, MOST.slower, detail)
  } finally {
    await Promise.all([shop.close(), neighbour.close()])
  }
}
