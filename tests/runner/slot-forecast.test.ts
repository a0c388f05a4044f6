/** When slots are free for jobs that are not claimed yet. */
import { expect, test } from 'vitest'
import { type JobTiming, LONGEST_AHEAD_MS, SlotForecast } from '../../runner/slot-forecast.ts'

const begun: JobTiming = { startMs: 0, runningMs: null, progressMs: 0, progress: null }

/** One that knows how long a job takes. */
function forecastOf(jobMs: number): SlotForecast {
  const forecast = new SlotForecast()
  forecast.noteJob(jobMs)
  return forecast
}

test('nothing is foreseen before the first job has ended', () => {
  expect(new SlotForecast().freeInMs([begun], 0, 100)).toEqual([Infinity])
  expect(new SlotForecast().freeInMs([begun], 1, 100)).toEqual([Infinity])
})

test('a job is claimed two claims before its slot is free, and a second before at most', () => {
  expect(new SlotForecast().leadMs(10, 0)).toBe(2 * 10 + 20)
  expect(new SlotForecast().leadMs(700, 0)).toBe(1_000)
})

test('for each slot that is free before it one claim earlier', () => {
  expect(new SlotForecast().leadMs(10, 3)).toBe(5 * 10 + 20)
})

test('a job without progress takes as long as those before it', () => {
  expect(forecastOf(400).freeInMs([begun], 0, 100)).toEqual([300])
  expect(forecastOf(400).freeInMs([begun], 0, 500)).toEqual([0])
})

test('of the jobs before it the newest counts a fifth', () => {
  const forecast = forecastOf(100)
  forecast.noteJob(200)
  expect(forecast.freeInMs([begun], 0, 0)).toEqual([120])
})

test('a job whose first case is not over takes as long as those before it, too', () => {
  const progress = { phase: 'running', done: 0, total: 10 } as const
  const first: JobTiming = { startMs: 0, runningMs: 50, progressMs: 60, progress }
  expect(forecastOf(400).freeInMs([first], 0, 100)).toEqual([300])
})

test('what was claimed ahead goes back after twice the longest lead', () => {
  expect(LONGEST_AHEAD_MS).toBe(2_000)
})

test('one that takes much longer is not about to end', () => {
  expect(forecastOf(400).freeInMs([begun], 0, 1_399)).toEqual([0])
  expect(forecastOf(400).freeInMs([begun], 0, 1_401)).toEqual([Infinity])
})

test('a job with progress is foreseen by its own cases, until one of them takes much longer', () => {
  const progress = { phase: 'running', done: 5, total: 10 } as const
  const half: JobTiming = { startMs: 0, runningMs: 100, progressMs: 600, progress }
  expect(forecastOf(9_000).freeInMs([half], 0, 700)).toEqual([400])
  expect(forecastOf(9_000).freeInMs([half], 0, 2_200)).toEqual([Infinity])
})

test('a slot is free after the jobs that wait for it, and each waits for the one that is free first', () => {
  const later: JobTiming = { ...begun, startMs: 50 }
  expect(forecastOf(400).freeInMs([later, begun], 0, 100)).toEqual([300, 350])
  expect(forecastOf(400).freeInMs([later, begun], 1, 100)).toEqual([350, 700])
  expect(forecastOf(400).freeInMs([later, begun], 3, 100)).toEqual([750, 1_100])
})
