/** The judge answers a claim, but the runner does not hear it: the job is free again long before its lease ends. */
import { beforeAll, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { claimOf, FaultStack, type Sent } from './support/fault-stack.ts'

/** Time limit of a runner's call, ms; see runner/server/json-call.ts. */
const CALL_TIMEOUT_MS = 15_000

let faults: FaultStack

beforeAll(async () => {
  faults = await FaultStack.start()
})

/** Seconds from queueing to the verdict. */
async function secondsToVerdict(sent: Sent): Promise<number> {
  const [judgement] = (await faults.final(sent)).judgements
  return (judgement?.finishedAt ?? Infinity) - (judgement?.queuedAt ?? 0)
}

test('a runner that did not hear the answer of its claim says so: the job is free at once [QF4]', async () => {
  const problemId = await faults.createProblem('lost answer')
  let isLost = false
  faults.onCall = (call) => {
    if (isLost || call.stage !== 'answered' || claimOf(call) === null) return true
    isLost = true
    return 'cut'
  }
  const runner = await faults.addRunner()
  await runner.start()
  const sent = await faults.submit(problemId, 'AC', { mark: 'lost answer' })
  expect(await secondsToVerdict(sent)).toBeLessThan(JUDGING.leaseSeconds)
  expect([...faults.claims.values()]).toEqual([2])
  await faults.expectOneResultEach([sent])
  await runner.stop()
})

test('a runner that is stopped while its claim hangs ends at once, and another judges the job', async () => {
  const problemId = await faults.createProblem('hanging claim')
  const { promise: hanging, resolve } = Promise.withResolvers<void>()
  const stopped = await faults.addRunner()
  const other = await faults.addRunner()
  faults.onCall = (call, runner) => {
    if (runner !== 1 || call.stage !== 'answered' || claimOf(call) === null) return true
    resolve()
    return false
  }
  await stopped.start()
  const sent = await faults.submit(problemId, 'AC', { mark: 'hanging claim' })
  await hanging
  const startMs = performance.now()
  await stopped.stop()
  expect(performance.now() - startMs).toBeLessThan(CALL_TIMEOUT_MS / 2)
  await other.start()
  expect(await secondsToVerdict(sent)).toBeLessThan(JUDGING.leaseSeconds)
  await faults.expectOneResultEach([sent])
})
