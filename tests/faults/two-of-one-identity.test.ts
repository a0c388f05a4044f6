/** Two runner processes with one identity, as after copying a state folder. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { RUNNERS } from '#contract/limits'
import { claimOf, FaultStack, isFull, judgementOf } from './support/fault-stack.ts'

const SLOTS = 2
const SUBMISSIONS = isFull ? 60 : 12

let faults: FaultStack
/** Judgements that a process has claimed and not finished. */
const atWork = new Set<string>()
let mostAtWork = 0

beforeAll(async () => {
  faults = await FaultStack.start()
  faults.onCall = (call) => {
    const given = call.stage === 'answered' ? claimOf(call) : null
    if (given !== null) atWork.add(given)
    if (call.stage === 'asked' && ['result', 'release'].includes(call.name))
      atWork.delete(judgementOf(call))
    mostAtWork = Math.max(mostAtWork, atWork.size)
    return true
  }
  const first = await faults.addRunner()
  await first.start()
  await faults.addRunner({ RUNNER_NAME: 'tried-0', ...faults.proxies[0]?.environment })
  const [from, to] = [0, 1].map((index) => join(faults.stateDirOf(index), 'identity.json'))
  await copyFile(from ?? '', to ?? '')
})

test('the second one starts while the first is at work: nothing is lost or taken twice', async () => {
  const problemId = await faults.createProblem('copied')
  const sent = await faults.submitAll(problemId, SUBMISSIONS / 2, { mark: 'copied', ms: 100 })
  await faults.runners[1]?.start()
  sent.push(...(await faults.submitAll(problemId, SUBMISSIONS / 2, { mark: 'later', ms: 20 })))
  await faults.expectOneResultEach(sent)
  const registered = faults.runners.map(
    ({ events }) => events.find(({ event }) => event === 'ready')?.['runnerId'],
  )
  expect(registered[1]).toBe(registered[0])
})

test('both together hold no more jobs than one of them may: its slots, and those ahead', async () => {
  const problemId = await faults.createProblem('both')
  mostAtWork = 0
  const sent = await faults.submitAll(problemId, SUBMISSIONS, { mark: 'both', ms: 20 })
  await faults.expectOneResultEach(sent)
  expect(mostAtWork).toBeGreaterThanOrEqual(SLOTS)
  expect(mostAtWork).toBeLessThanOrEqual((1 + RUNNERS.aheadPerSlot) * SLOTS)
})
