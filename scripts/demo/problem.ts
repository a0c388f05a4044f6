/** What a demo problem is made of. */
import type { ProblemFormInput } from '#contract/problems'
import type { TestCase } from '../test-data-zip.ts'

/** A problem's form and, for each subtask of the form, its cases. */
export interface DemoProblem {
  form: ProblemFormInput
  cases: TestCase[][]
}

/** One case from two texts. */
export function textCase(input: string, output: string): TestCase {
  const encoder = new TextEncoder()
  return { input: encoder.encode(input), output: encoder.encode(output) }
}

/**
 * Numbers that look random and are the same at every start (the mulberry32 generator).
 * @returns a function that answers a whole number from `min` to `max`, both included
 */
export function seededNumbers(seed: number): (min: number, max: number) => number {
  let state = seed
  return (min, max) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    return min + Math.floor(fraction * (max - min + 1))
  }
}
