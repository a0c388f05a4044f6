/** A runner dies at every point of the protocol. */
import { beforeAll, test } from 'vitest'
import { FaultStack } from './support/fault-stack.ts'
import { dieAt } from './support/kills.ts'
import { POINTS, rounds } from './support/points.ts'

let faults: FaultStack

beforeAll(async () => {
  // No runner is woken: tickets and claims have to suffice.
  faults = await FaultStack.start({ LIVE_UPDATES: 'off' })
  await faults.startRunners(2)
})

async function restart(index: number): Promise<void> {
  await faults.runners[index]?.kill()
  await faults.runners[index]?.start()
}

test.each(POINTS)(
  'kill -9 of a runner $what: every submission gets its one verdict [QF2]',
  async (point) => {
    for (let number = 1; number <= rounds; number++) {
      const sent = await dieAt(faults, point, number, (_, runner) => ({
        act: false,
        over: restart(runner),
      }))
      await faults.expectOneResultEach(sent)
    }
  },
)
