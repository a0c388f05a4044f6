/** The network keeps results and sends them again later: they change nothing. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { rowsOf } from '../support/database-rows.ts'
import type { ProxiedCall } from '../../scripts/stack/runner-proxy.ts'
import { claimOf, FaultStack } from './support/fault-stack.ts'

/** How often a kept call is sent again. */
const TIMES = 3

let faults: FaultStack

beforeAll(async () => {
  faults = await FaultStack.start()
  await faults.startRunners(1)
})

/** Every row that a result can change. */
function written(): unknown[] {
  const tables = [
    'select * from submissions',
    'select * from judgements',
    'select * from problem_results',
    'select id, verdict_counts, busy_seconds, refused_results from runners',
  ]
  return tables.map((sql) => rowsOf(faults.stack.stateDir, sql, z.record(z.string(), z.unknown())))
}

/** Sends a kept call again `TIMES` times. @returns the statuses */
async function repeat(call: ProxiedCall): Promise<number[]> {
  const statuses = []
  for (let time = 0; time < TIMES; time++) statuses.push((await call.again()).status)
  return statuses
}

/** Waits for the next matching call and keeps it. @param act whether the call goes on to the judge */
function nextCall(is: (call: ProxiedCall) => boolean, act: boolean): Promise<ProxiedCall> {
  const { promise, resolve } = Promise.withResolvers<ProxiedCall>()
  faults.onCall = (call) => {
    if (!is(call)) return true
    faults.onCall = () => true
    resolve(call)
    return act
  }
  return promise
}

function isResult({ name, stage }: ProxiedCall): boolean {
  return name === 'result' && stage === 'asked'
}

test('a stored result that comes again is a 200 that changes nothing [QF5]', async () => {
  const problemId = await faults.createProblem('again')
  const kept = nextCall(isResult, true)
  const sent = await faults.submit(problemId, 'WA', { mark: 'again' })
  const call = await kept
  await faults.expectOneResultEach([sent])
  const before = written()
  expect(await repeat(call)).toEqual(Array.from({ length: TIMES }, () => 200))
  expect(written()).toEqual(before)
})

test('a result of a lost lease is a 409, while its job is at work and when it is judged [QF5]', async () => {
  const problemId = await faults.createProblem('lost lease')
  const kept = nextCall(isResult, false)
  const sent = await faults.submit(problemId, 'AC', { mark: 'lost lease', ms: 200 })
  const call = await kept
  await faults.runners[0]?.kill()
  // A host that has lost its disk, with the result, reports at its start that it holds nothing.
  await rm(join(faults.stateDirOf(0), 'results'), { recursive: true })
  const claimedAgain = nextCall((claim) => claim.stage === 'heard' && claimOf(claim) !== null, true)
  await faults.runners[0]?.start()
  await claimedAgain
  expect(await repeat(call)).toEqual(Array.from({ length: TIMES }, () => 409))
  await faults.expectOneResultEach([sent])
  const before = written()
  expect(await repeat(call)).toEqual(Array.from({ length: TIMES }, () => 409))
  expect(written()).toEqual(before)
})

test('a result of before a rejudge changes neither its verdict nor its progress [QF5]', async () => {
  const problemId = await faults.createProblem('rejudged')
  const kept = nextCall(isResult, true)
  const sent = await faults.submit(problemId, 'AC', { mark: 'rejudged', ms: 200 })
  const call = await kept
  await faults.final(sent)
  const claimedAgain = nextCall((claim) => claim.stage === 'heard' && claimOf(claim) !== null, true)
  await faults.admin.call('POST', `/submission/${sent.submissionId}/rejudge`, z.unknown())
  await claimedAgain
  await repeat(call)
  expect((await faults.read(sent.submissionId)).judgements.map(({ state }) => state)).toEqual([
    'leased',
    'done',
  ])
  const found = await faults.final(sent)
  expect(found.judgements.map(({ state }) => state)).toEqual(['done', 'done'])
  const before = written()
  await repeat(call)
  expect(written()).toEqual(before)
})
