/** When slots are free for jobs that are not claimed yet. */
import { expect, test } from 'vitest'
import { type Course, Pace } from '../../runner/pace.ts'

const begun: Course = { startMs: 0, runningMs: null, progressMs: 0, progress: null }

/** One that knows how long a job takes. */
function paceOf(jobMs: number): Pace {
  const pace = new Pace()
  pace.noteJob(jobMs)
  return pace
}

test('nothing is foreseen before the first job has ended', () => {
  expect(new Pace().freeInMs([begun], 0, 100)).toEqual([Infinity])
  expect(new Pace().freeInMs([begun], 1, 100)).toEqual([Infinity])
})

test('a job is claimed two claims before its slot is free, and a second before at most', () => {
  expect(new Pace().leadMs(10, 0)).toBe(2 * 10 + 20)
  expect(new Pace().leadMs(700, 0)).toBe(1_000)
})

test('for each slot that is free before it one claim earlier', () => {
  expect(new Pace().leadMs(10, 3)).toBe(5 * 10 + 20)
})

test('a job without progress takes as long as those before it', () => {
  expect(paceOf(400).freeInMs([begun], 0, 100)).toEqual([300])
  expect(paceOf(400).freeInMs([begun], 0, 500)).toEqual([0])
})

test('one that takes much longer is not about to end', () => {
  expect(paceOf(400).freeInMs([begun], 0, 1_399)).toEqual([0])
  expect(paceOf(400).freeInMs([begun], 0, 1_401)).toEqual([Infinity])
})

test('a job with progress is foreseen by its own cases, until one of them takes much longer', () => {
  const progress = { phase: 'running', done: 5, total: 10 } as const
  const half: Course = { startMs: 0, runningMs: 100, progressMs: 600, progress }
  expect(paceOf(9_000).freeInMs([half], 0, 700)).toEqual([400])
  expect(paceOf(9_000).freeInMs([half], 0, 2_200)).toEqual([Infinity])
})

test('a slot is free after the jobs that wait for it, and each waits for the one that is free first', () => {
  const later: Course = { ...begun, startMs: 50 }
  expect(paceOf(400).freeInMs([later, begun], 0, 100)).toEqual([300, 350])
  expect(paceOf(400).freeInMs([later, begun], 1, 100)).toEqual([350, 700])
  expect(paceOf(400).freeInMs([later, begun], 3, 100)).toEqual([750, 1_100])
})
