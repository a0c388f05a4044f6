import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Progress } from '../../../runner/judge/judge.ts'
import { ProgressReporter } from '../../../runner/server/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function at(done: number): Progress {
  return { phase: 'running', done, total: 9 }
}

it('progress is sent once per interval, the latest only', async () => {
  const sent: number[] = []
  const reporter = new ProgressReporter(1_000, async ({ done }) => void sent.push(done), 8)
  reporter.report(at(1))
  reporter.report(at(2))
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.advanceTimersByTimeAsync(5_000)
  reporter.report(at(3))
  await vi.advanceTimersByTimeAsync(1_000)
  reporter.stop()
  expect(sent).toEqual([2, 3])
})

it('progress of a quick job is not sent at all', async () => {
  const send = vi.fn(async () => {})
  const reporter = new ProgressReporter(1_000, send, 1)
  reporter.report(at(9))
  reporter.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(send).not.toHaveBeenCalled()
})

it('progress waits for the answer to the one before', async () => {
  const sent: number[] = []
  const answers: (() => void)[] = []
  const reporter = new ProgressReporter(
    1_000,
    ({ done }) => {
      sent.push(done)
      return new Promise((resolve) => answers.push(resolve))
    },
    8,
  )
  for (const done of [1, 2, 3]) {
    reporter.report(at(done))
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(sent).toEqual([1])
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(1_000)
  reporter.stop()
  expect(sent).toEqual([1, 3])
})

it.each([
  { intervals: 1, sent: [1, 1, 1, 1, 2] },
  { intervals: 3, sent: [1, 1, 2] },
])('the same progress is sent again after $intervals intervals', async ({ intervals, sent }) => {
  const seen: number[] = []
  const reporter = new ProgressReporter(1_000, async ({ done }) => void seen.push(done), intervals)
  reporter.report(at(1))
  await vi.advanceTimersByTimeAsync(4_000)
  reporter.report(at(2))
  await vi.advanceTimersByTimeAsync(1_000)
  reporter.stop()
  expect(seen).toEqual(sent)
})
