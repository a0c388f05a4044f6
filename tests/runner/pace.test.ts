/** When the job after one at work is to be claimed. */
import { expect, test } from 'vitest'
import { type Course, Pace } from '../../runner/pace.ts'

const begun: Course = { startMs: 0, runningMs: null, progressMs: 0, progress: null }

test('nothing is foreseen before the first job has ended', () => {
  expect(new Pace().claimsInMs(begun, 100, 10)).toBe(Infinity)
})

test('a job without progress takes as long as those before it', () => {
  const pace = new Pace()
  pace.noteJob(400)
  expect(pace.claimsInMs(begun, 100, 10)).toBe(400 - 100 - 2 * 10 - 20)
  expect(pace.claimsInMs(begun, 500, 10)).toBeLessThan(0)
})

test('one that takes much longer is not about to end', () => {
  const pace = new Pace()
  pace.noteJob(400)
  expect(pace.claimsInMs(begun, 1_399, 10)).toBeLessThan(0)
  expect(pace.claimsInMs(begun, 1_401, 10)).toBe(Infinity)
})

test('a job with progress is foreseen by its own cases, until one of them takes much longer', () => {
  const pace = new Pace()
  pace.noteJob(9_000)
  const progress = { phase: 'running', done: 5, total: 10 } as const
  const half: Course = { startMs: 0, runningMs: 100, progressMs: 600, progress }
  expect(pace.claimsInMs(half, 700, 10)).toBe(500 - 100 - 2 * 10 - 20)
  expect(pace.claimsInMs(half, 2_200, 10)).toBe(Infinity)
})
