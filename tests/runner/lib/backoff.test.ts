import { describe, expect, it } from 'vitest'
import { backoffMs, jitteredMs } from '../../../runner/lib/backoff.ts'

describe('waiting after failures', () => {
  const backoff = { baseMs: 1_000, maxMs: 10_000 }

  it.each([
    [1, 0, 500],
    [1, 1, 1_000],
    [2, 1, 2_000],
    [4, 1, 8_000],
    [5, 1, 10_000],
    [5, 0, 5_000],
    [5_000, 1, 10_000],
  ])('after %i failures with a draw of %d is %i ms', (failures, draw, expected) => {
    expect(backoffMs(failures, backoff, () => draw)).toBe(expected)
  })

  it('spreads a period by a fifth', () => {
    expect(jitteredMs(200, () => 0)).toBe(160)
    expect(jitteredMs(200, () => 0.5)).toBe(200)
    expect(jitteredMs(200, () => 1)).toBe(240)
  })
})
