import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ResultLoop } from '../../../runner/server/result-loop.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // Makes each random wait as long as possible.
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A loop over an outbox whose passes end in this way, in turn; then all results are settled. */
function looping(...passes: boolean[]) {
  let count = 0
  const loop = new ResultLoop({
    async flush() {
      count += 1
      return passes.shift() ?? true
    },
  })
  return { loop, passes: () => count, over: loop.run() }
}

it('what waits is tried again after a second, then less and less often, at least each minute', async () => {
  const { loop, passes, over } = looping(...Array.from({ length: 20 }, () => false))
  await vi.advanceTimersByTimeAsync(0)
  for (const [before, pauseMs] of [
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
  ].entries()) {
    await vi.advanceTimersByTimeAsync(pauseMs - 1)
    expect(passes()).toBe(before + 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(passes()).toBe(before + 2)
  }
  loop.stop()
  await over
})

it('without need there is a pass each minute, and one at once when a result waits', async () => {
  const { loop, passes, over } = looping()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(passes()).toBe(1)
  loop.ring()
  await vi.advanceTimersByTimeAsync(0)
  expect(passes()).toBe(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(passes()).toBe(3)
  loop.stop()
  await over
  expect(passes()).toBe(3)
})
