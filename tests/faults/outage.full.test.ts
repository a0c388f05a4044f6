/** A judge that is down for long. */
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { FaultStack } from './support/fault-stack.ts'

const SUBMISSIONS = 6

let faults: FaultStack

beforeAll(async () => {
  faults = await FaultStack.start()
  await faults.startRunners(1)
})

test.each([60, 600])(
  'a judge that is gone for %i s: results wait on disk, nothing is lost, nothing is judged twice [QF3]',
  async (seconds) => {
    const mark = `outage of ${seconds} s`
    const problemId = await faults.createProblem(mark)
    faults.claims.clear()
    const { promise: underWay, resolve } = Promise.withResolvers<void>()
    faults.onCall = ({ name, stage }) => {
      if (name === 'progress' && stage === 'heard') resolve()
      return true
    }
    const sent = await faults.submitAll(problemId, SUBMISSIONS, { mark, ms: 400 })
    await underWay
    await faults.stack.killWorker()
    // The length of the outage is part of the test.
    await delay(seconds * 1_000)
    await faults.stack.startWorker()
    await faults.expectVerdicts(sent)
    expect([...faults.claims.values()]).toEqual(sent.map(() => 1))
  },
)
