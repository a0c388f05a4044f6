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
  const reporter = new ProgressReporter(1_000, async ({ done }) => void sent.push(done))
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
  const reporter = new ProgressReporter(1_000, send)
  reporter.report(at(9))
  reporter.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(send).not.toHaveBeenCalled()
})

it('progress waits for the answer to the one before', async () => {
  const sent: number[] = []
  const answers: (() => void)[] = []
  const reporter = new ProgressReporter(1_000, ({ done }) => {
    sent.push(done)
    return new Promise((resolve) => answers.push(resolve))
  })
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

it('progress that repeats is sent once per interval though it is the same', async () => {
  const sent: number[] = []
  const reporter = new ProgressReporter(1_000, async ({ done }) => void sent.push(done), true)
  reporter.report(at(1))
  await vi.advanceTimersByTimeAsync(2_000)
  reporter.report(at(2))
  await vi.advanceTimersByTimeAsync(1_000)
  reporter.stop()
  expect(sent).toEqual([1, 1, 2])
})
