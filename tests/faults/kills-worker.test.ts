/** The judge's Worker dies at every point of the protocol. */
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, test } from 'vitest'
import { seededNumbers } from '../../scripts/demo/problem.ts'
import { FaultStack } from './support/fault-stack.ts'
import { dieAt } from './support/kills.ts'
import { POINTS, rounds } from './support/points.ts'
import { seed } from './support/seed.ts'

/** The Worker dies at a random moment within this time of a call, in ms. Most calls take less. */
const IN_THE_MIDDLE_MS = 25

const number = seededNumbers(seed)
let faults: FaultStack

beforeAll(async () => {
  faults = await FaultStack.start()
  await faults.startRunners(2)
})

async function restartAfter(ms: number): Promise<void> {
  if (ms > 0) await delay(ms)
  await faults.stack.killWorker()
  await faults.stack.startWorker()
}

test.each(POINTS)(
  'kill -9 of the Worker $what: every submission gets its one verdict [QF2]',
  async (point) => {
    for (let round = 1; round <= rounds; round++) {
      const sent = await dieAt(faults, point, round, ({ stage }) =>
        stage === 'asked'
          ? { act: true, over: restartAfter(number(1, IN_THE_MIDDLE_MS)) }
          : { act: 'cut', over: restartAfter(0) },
      )
      await faults.expectOneResultEach(sent)
    }
  },
)
