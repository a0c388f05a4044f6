import { expect, test } from 'vitest'
import { RUNS } from '#contract/limits'
import type { SampleRun } from '#contract/judging/sample-runs'
import { STATUS } from '#contract/verdicts'
import {
  inGroups,
  NoOutputError,
  outputsOf,
} from '../../web/features/problems/test-data/make-outputs.ts'

const casesOf = (...inputs: string[]) =>
  inputs.map((input, index) => ({ subtask: 0, index, input }))

const text = (stdout: string, stdoutSize = stdout.length) => ({
  stdout,
  stdoutSize,
  stderr: '',
  stderrSize: 0,
  expected: '',
  expectedSize: 0,
})

/** A sample run of one input. */
function runOf(change: Partial<SampleRun['cases'][number]>): SampleRun {
  const result = { status: STATUS.AC, runTime: 1, memoryUsage: 1, matches: null, output: text('3') }
  const run = { runId: '0'.repeat(24), problemId: 1, state: 'done', compileMessage: null } as const
  return { ...run, status: STATUS.AC, cases: [{ ...result, ...change }] }
}

test('cases are grouped so that each group fits a run, in order', () => {
  const short = casesOf(...Array.from({ length: 2 * RUNS.inputs + 1 }, (_, index) => `${index}`))
  const groups = inGroups(short)
  expect(groups.map(({ length }) => length)).toEqual([RUNS.inputs, RUNS.inputs, 1])
  expect(groups.flat()).toEqual(short)
  const half = 'x'.repeat(RUNS.inputCharacters / 2)
  expect(inGroups(casesOf(half, half, 'x', half)).map(({ length }) => length)).toEqual([2, 2])
  expect(inGroups([])).toEqual([])
})

test('an output is taken only whole, and only of a run that ended well', () => {
  const group = casesOf('1 2')
  expect(outputsOf(runOf({}), group)).toEqual(['3'])
  const reasonOf = (run: SampleRun) => {
    try {
      return outputsOf(run, group)
    } catch (error) {
      return error instanceof NoOutputError ? error.reason : error
    }
  }
  expect(reasonOf(runOf({ status: STATUS.RE }))).toBe('verdict')
  expect(reasonOf(runOf({ output: text('33', 100_000) }))).toBe('cut')
  expect(reasonOf(runOf({ output: text('\ufffd', 1) }))).toBe('cut')
  expect(reasonOf(runOf({ output: null }))).toBe('notKept')
  expect(reasonOf({ ...runOf({}), state: 'failed', status: null, cases: [] })).toBe('lost')
  expect(reasonOf({ ...runOf({ status: null, output: null }), status: STATUS.JE })).toBe('verdict')
  expect(reasonOf({ ...runOf({}), status: STATUS.CE, cases: [] })).toBe('compile')
})
