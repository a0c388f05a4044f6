/** The inputs of a sample run: the problem's samples, and the person's own inputs that this browser keeps. */
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { RUNS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { useOwnInputs } from '../../web/features/submit/own-inputs.ts'
import { failedSamples, samplesRun } from '../../web/features/submit/use-sample-run.ts'

afterEach(() => vi.unstubAllGlobals())

const texts = (count: number) => Array.from({ length: count }, (_, index) => `input ${index}`)

function OwnInputs() {
  return useOwnInputs('Ann', 7).inputs.join('|')
}

/** The boxes with Ann's inputs to problem 7 when the browser has stored this. */
function boxesOf(stored: unknown): string {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === 'run-inputs:ann:7' ? JSON.stringify(stored) : null),
  })
  return renderToStaticMarkup(<OwnInputs />)
}

it('as many inputs as a run may have come back, and one box for what is too much or none', () => {
  expect(boxesOf(texts(1))).toBe('input 0')
  expect(boxesOf(texts(RUNS.inputs))).toBe(texts(RUNS.inputs).join('|'))
  expect(boxesOf(texts(RUNS.inputs + 1))).toBe('')
  expect(boxesOf([])).toBe('')
})

it('the first samples run, no more than a run may have', () => {
  const run = (count: number) =>
    samplesRun({
      description: {
        description: '',
        input: '',
        output: '',
        hint: '',
        sampleInput: texts(count),
        sampleOutput: texts(count),
      },
    })
  expect(run(RUNS.inputs)).toEqual(texts(RUNS.inputs))
  expect(run(RUNS.inputs + 1)).toEqual(texts(RUNS.inputs))
})

it('samples that are wrong count as failed, inputs of one’s own do not, and a Compile Error fails all', () => {
  const ran = { runTime: 1, memoryUsage: 1, output: null, status: STATUS.AC }
  const cases = [true, false, null, false].map((matches) => ({ ...ran, matches }))
  const run = { runId: '0'.repeat(24), problemId: 7, state: 'done', compileMessage: null } as const
  expect(failedSamples({ ...run, status: STATUS.WA, cases }, 3)).toBe(2)
  expect(failedSamples({ ...run, status: STATUS.CE, cases: [] }, 3)).toBe(3)
  expect(failedSamples(undefined, 3)).toBe(0)
})
