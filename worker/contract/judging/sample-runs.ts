/** Sample runs: trying a program on the statement's samples or on own inputs, before it is submitted. */
import * as z from 'zod'
import { hexId, listOf, problemId } from '#contract/fields'
import { languageCode } from '#contract/languages/codes'
import { RUNS } from '#contract/limits'
import { caseOutput } from '#contract/submissions'
import { caseResult, verdict } from '#contract/verdicts'

const ownInputs = listOf(z.string(), RUNS.inputs).refine(
  (inputs) => inputs.join('').length <= RUNS.inputCharacters,
  { params: { code: 'max_length', max: RUNS.inputCharacters } },
)

/**
 * POST /problem/{id}/run. `samples`: whether the statement's samples run before the `inputs`; by default only when there are no
 * inputs.
 */
export const newSampleRun = z.object({
  languageType: languageCode,
  code: z.string(),
  inputs: ownInputs.default([]),
  samples: z.boolean().optional(),
})
export type NewSampleRun = z.infer<typeof newSampleRun>

/** Its answer. */
export const sampleRunStarted = z.object({ runId: hexId })

/** What a run printed, each stream cut, with its full size in bytes. */
const runOutput = caseOutput.omit({ input: true, inputSize: true })

/**
 * The run on one input. `matches`: whether the output equals the sample's; null for an own input and after a Judge Error, where
 * nothing is compared. A run on an own input is Accepted when it ends normally within its limits. `output`: null when nothing was
 * kept.
 */
const runCase = caseResult.extend({
  matches: z.boolean().nullable(),
  output: runOutput.nullable(),
})
export type RunCase = z.infer<typeof runCase>

/**
 * GET /run/{id}. `failed`: no judge host could finish the run. `cases`: once it is `done`, the samples, then the own inputs; none
 * after a Compile Error.
 */
export const sampleRun = z.object({
  runId: hexId,
  problemId,
  state: z.enum(['queued', 'running', 'done', 'failed']),
  status: verdict.nullable(),
  compileMessage: z.string().nullable(),
  cases: z.array(runCase),
})
export type SampleRun = z.infer<typeof sampleRun>
