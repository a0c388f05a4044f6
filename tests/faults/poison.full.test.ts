/** A submission that kills every runner that claims it. */
import { beforeAll, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import type { ProxiedCall } from '../../scripts/stack/runner-proxy.ts'
import { claimOf, FaultStack } from './support/fault-stack.ts'

const MARK = 'the one that kills'

let faults: FaultStack

beforeAll(async () => {
  faults = await FaultStack.start()
  await faults.startRunners(1)
})

/** Whether a claim's answer holds the deadly program. */
function isPoison({ data }: ProxiedCall): boolean {
  const source = (data as { data?: { source?: string } } | null)?.data?.source ?? ''
  return Buffer.from(source, 'base64').includes(MARK)
}

test('a submission that kills the runner each time is a Judge Error after three attempts; others are judged meanwhile [QF6]', async () => {
  const problemId = await faults.createProblem(MARK)
  const deaths = Promise.withResolvers<void>()
  let poisoned = ''
  let kills = 0
  let pending = Promise.resolve()
  faults.onCall = (call) => {
    if (call.stage !== 'heard' || call.name !== 'claim' || !isPoison(call)) return true
    poisoned = claimOf(call) ?? ''
    kills++
    pending = (async () => {
      await pending
      await faults.runners[0]?.kill()
      await faults.runners[0]?.start()
      if (kills === JUDGING.maxAttempts) deaths.resolve()
    })()
    return true
  }
  const poison = await faults.submit(problemId, 'AC', { mark: MARK, ms: 300 })
  const others = await faults.submitAll(problemId, 8, { mark: 'other', ms: 50 })
  await deaths.promise
  await faults.stack.runCron()
  const found = await faults.final(poison)
  expect(found.status).toBe(STATUS.JE)
  expect(found.judgements[0]?.reason).toMatch(/^Given up after 3 attempts/)
  expect(faults.claims.get(poisoned)).toBe(JUDGING.maxAttempts)
  await faults.expectVerdicts(others)
})
