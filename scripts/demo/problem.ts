/** The parts of a demo course and of a demo problem. */
import type { LateRule } from '#contract/homework-dates'
import type { ProblemFormInput } from '#contract/problems'
import type { TestCase } from './test-data-zip.ts'

/** A problem's form and, for each subtask of the form, its cases; a draft has none. */
export interface DemoProblem {
  form: ProblemFormInput
  readonly cases: TestCase[][]
}

/** A course with everything that its teacher sets; times are epoch seconds. */
export interface DemoCourse {
  /** Rows of the batch sign-up, as its CSV has them; role 1 is teacher, 2 is student. */
  people: readonly { username: string; displayedName: string; role: 1 | 2 }[]
  problems: readonly DemoProblem[]
  /** `problems`: positions in the course's list of problems. */
  homeworks: readonly {
    name: string
    markdown: string
    start: number
    end: number
    close?: number | null
    lateRule?: LateRule
    problems: readonly number[]
    /** Due times of single students. */
    extensions?: readonly { username: string; due: number; reason: string }[]
  }[]
  /** The announcements, the oldest first. */
  announcements: readonly { title: string; markdown: string; pinned: boolean }[]
}

/** A case made from two texts. */
export function textCase(input: string, output: string): TestCase {
  const encoder = new TextEncoder()
  return { input: encoder.encode(input), output: encoder.encode(output) }
}

/**
 * Numbers that look random and are the same at every start (the mulberry32 generator).
 * @returns a function that returns a whole number from `min` to `max`, both included
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

const MEBIBYTE_KB = 1_024

/** The fields of a problem's form, beside its subtasks and samples. */
interface Statement extends Pick<
  ProblemFormInput,
  'problemName' | 'tags' | 'compare' | 'quota' | 'allowedLanguage'
> {
  description: string
  input: string
  output: string
  hint?: string
  timeLimitMs?: number
  outputLimitKb?: number
}

/**
 * A problem whose answers follow from its inputs.
 * @param subtasks score and inputs of each subtask; subtasks without score are the samples
 */
export function solvedProblem(
  statement: Statement,
  subtasks: [score: number, inputs: string[]][],
  answer: (input: string) => string,
): DemoProblem {
  const { description, input, output, hint, timeLimitMs, outputLimitKb, ...form } = statement
  const samples = subtasks.flatMap(([score, inputs]) => (score === 0 ? inputs : []))
  return {
    form: {
      ...form,
      status: 0,
      description: {
        description,
        input,
        output,
        hint,
        sampleInput: samples,
        sampleOutput: samples.map(answer),
      },
      testCase: subtasks.map(([taskScore, inputs]) => ({
        caseCount: inputs.length,
        taskScore,
        memoryLimit: 64 * MEBIBYTE_KB,
        timeLimit: timeLimitMs ?? 1_000,
        ...(outputLimitKb && { outputLimit: outputLimitKb }),
      })),
    },
    // The answers take a while to compute, and only an upload needs them.
    get cases() {
      return subtasks.map(([, inputs]) => inputs.map((text) => textCase(text, answer(text))))
    },
  }
}
