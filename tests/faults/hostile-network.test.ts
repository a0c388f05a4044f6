/** A network that repeats, reorders, delays and loses calls at random, or answers in the judge's place. */
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, test } from 'vitest'
import { seededNumbers } from '../../scripts/demo/problem.ts'
import type { Act, ProxiedCall } from '../../scripts/stack/runner-proxy.ts'
import { claimOf, FaultStack, isFull } from './support/fault-stack.ts'
import { seed } from './support/seed.ts'

const SUBMISSIONS = isFull ? 300 : 24
/**
 * Percent of calls. A delayed call lets others overtake it; a call is harmed before or after the judge has seen it.
 * The runner never hears of the job of a repeated claim: the job waits until its lease ends, and takes up a slot until then.
 */
const PERCENT = { delayed: 30, harmedBefore: 8, harmedAfter: 6, claimedTwice: 1 } as const
const LONGEST_DELAY_MS = 400

const number = seededNumbers(seed)
const page = (status: number): Act => ({
  status,
  headers: { 'content-type': 'text/html' },
  text: '<!DOCTYPE html><title>Attention Required!</title>',
})
const json = { 'content-type': 'application/json' }

/** Answers of the network in place of the judge's, by name. */
const HARMS: Record<string, Act> = {
  cut: 'cut',
  'a 502': { status: 502, headers: json, text: '{}' },
  'a 429': { status: 429, headers: { ...json, 'retry-after': '1' }, text: '{}' },
  'a page with 200': page(200),
  'a page with 403': page(403),
  'a page with 503': page(503),
}

let faults: FaultStack
/** Judgements that have lost their lease once: after three lost leases a Judge Error would be right. */
const lost = new Set<string>()
const counts: Record<string, number> = {}

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

function chance(percent: number): boolean {
  return number(1, 100) <= percent
}

function harm(stage: string): Act {
  const [what, act] = Object.entries(HARMS)[number(0, Object.keys(HARMS).length - 1)] ?? ['', true]
  count(`${what}, ${stage}`)
  return act
}

async function harass(call: ProxiedCall): Promise<Act> {
  if (call.stage === 'heard') return true
  if (chance(PERCENT.delayed)) {
    count('delayed')
    await delay(number(1, LONGEST_DELAY_MS))
  }
  if (call.stage === 'asked') {
    if (chance(PERCENT.harmedBefore)) return harm('asked')
    if (!chance(call.name === 'claim' ? PERCENT.claimedTwice : PERCENT.harmedBefore)) return true
    count('twice')
    return 'twice'
  }
  const given = claimOf(call)
  if (!chance(PERCENT.harmedAfter) || (given !== null && lost.has(given))) return true
  if (given !== null) lost.add(given)
  return harm('answered')
}

beforeAll(async () => {
  faults = await FaultStack.start()
  await faults.startRunners(2)
})

test(`${SUBMISSIONS} submissions through such a network: one result each, and the right one [QF1] [QF5]`, async () => {
  const problemId = await faults.createProblem('hostile network')
  faults.onCall = harass
  const sent = await faults.submitAll(problemId, SUBMISSIONS, { mark: 'hostile', ms: 5 })
  await faults.expectOneResultEach(sent)
  faults.onCall = () => true
  console.log(`${SUBMISSIONS} submissions, lost leases ${lost.size}:`, counts)
})
