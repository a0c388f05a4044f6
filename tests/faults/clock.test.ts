/** A judge host whose clock is ten minutes wrong, and one whose clock is set while it judges. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/clean-up.ts'
import { eventually } from '../support/eventually.ts'
import type { TestRunner } from '../support/runner.ts'
import { FaultStack, isFull } from './support/fault-stack.ts'

const SHIFT_SECONDS = 600
const SUBMISSIONS = isFull ? 30 : 9

let faults: FaultStack
let library = ''
let shiftFile = ''

beforeAll(async () => {
  const folder = await temporaryFolder()
  library = join(folder, 'shifted-clock.so')
  shiftFile = join(folder, 'seconds')
  const source = join(import.meta.dirname, 'support/shifted-clock.c')
  const flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC']
  execFileSync('gcc', [...flags, '-o', library, source])
  faults = await FaultStack.start()
})

function setClock(seconds: number): void {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(seconds))
  // In place, because the runner has mapped the file.
  writeFileSync(shiftFile, bytes, { flag: 'r+' })
}

async function startWithClock(seconds: number): Promise<TestRunner> {
  writeFileSync(shiftFile, Buffer.alloc(8))
  setClock(seconds)
  const runner = await faults.addRunner({ LD_PRELOAD: library, CLOCK_SHIFT_FILE: shiftFile })
  await runner.start()
  return runner
}

/** How many minutes the runner's clock is off, by its newest log line. */
function minutesWrong({ events }: TestRunner): number {
  const at = new Date(String(events.at(-1)?.['at'])).getTime()
  return Math.round((at - Date.now()) / 60_000)
}

test.each([SHIFT_SECONDS, -SHIFT_SECONDS])(
  'a clock that is %i s wrong: everything is judged, by the first host that has it',
  async (seconds) => {
    faults.claims.clear()
    const runner = await startWithClock(seconds)
    expect(minutesWrong(runner)).toBe(seconds / 60)
    const problemId = await faults.createProblem(`clock of ${seconds} s`)
    const mark = `clock of ${seconds} s`
    const sent = await faults.submitAll(problemId, SUBMISSIONS, { mark, ms: 20 })
    await faults.expectOneResultEach(sent)
    expect([...faults.claims.values()]).toEqual(sent.map(() => 1))
    await runner.stop()
  },
)

test('a clock that is set forwards and backwards at work: everything is judged, by the first host that has it', async () => {
  faults.claims.clear()
  const runner = await startWithClock(0)
  const problemId = await faults.createProblem('clock that is set')
  const judged = () => runner.events.filter(({ event }) => event === 'judged').length
  const sent = await faults.submitAll(problemId, SUBMISSIONS, { mark: 'set', ms: 50 })
  for (const [at, seconds] of [SHIFT_SECONDS, -SHIFT_SECONDS, 0].entries()) {
    await eventually(() => expect(judged()).toBeGreaterThan((at * SUBMISSIONS) / 4))
    setClock(seconds)
  }
  await faults.expectOneResultEach(sent)
  expect([...faults.claims.values()]).toEqual(sent.map(() => 1))
  await runner.stop()
})
