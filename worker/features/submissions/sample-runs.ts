/** Starts sample runs, and shows them. */
import { isLanguageAllowed } from '#contract/languages'
import type { RunInputs } from '#contract/judging'
import { JUDGING, RUNS } from '#contract/limits'
import type { ProblemDescription } from '#contract/problems'
import type { NewSampleRun, SampleRun } from '#contract/judging/sample-runs'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newHexId } from '../../lib/ids.ts'
import { toOutput } from './outputs.ts'
import { sourceFromText } from './source.ts'
import { insertRun, type getRun, type RunTarget } from './sample-run-queries.ts'

/** The first samples of a statement, then the person's own inputs. */
function inputsOf(form: NewSampleRun, description: ProblemDescription): RunInputs['inputs'] {
  const { inputs, samples = inputs.length === 0 } = form
  const { sampleInput, sampleOutput } = description
  const own = inputs.map((input) => ({ input, expected: null }))
  if (!samples) return own
  const shown = sampleInput.slice(0, RUNS.inputs)
  return [...shown.map((input, index) => ({ input, expected: sampleOutput[index] ?? '' })), ...own]
}

/** POST /problem/{id}/run. @returns the id of the run */
export async function startRun(
  db: Db,
  userId: number,
  target: RunTarget,
  form: NewSampleRun,
): Promise<string> {
  const code = sourceFromText(form.code)
  if (!isLanguageAllowed(target.allowedLanguage, form.languageType))
    throw new AppError('language_not_allowed')
  if (target.compare.mode === 'interactor') throw new AppError('run_interactive')
  const inputs = inputsOf(form, target.description)
  if (inputs.length === 0) throw new AppError('nothing_to_run')
  if (Buffer.byteLength(JSON.stringify(inputs)) > RUNS.inputBytes)
    throw new AppError('too_large', { limit: RUNS.inputBytes })
  const row = {
    id: newHexId(Date.now()),
    userId,
    problemId: target.problemId,
    languageType: form.languageType,
    sampleCount: inputs.filter(({ expected }) => expected !== null).length,
    code,
    inputs,
  }
  const { rate, runId } = await insertRun(db, row, nowSeconds())
  demandTokens([rate])
  if (runId === undefined) throw new Error('no run was stored')
  return runId
}

/** Row → contract. */
export function toSampleRun(
  row: NonNullable<Awaited<ReturnType<typeof getRun>>>,
  now: number,
): SampleRun {
  const { id: runId, problemId, result } = row
  if (result)
    return {
      runId,
      problemId,
      state: 'done',
      status: result.status,
      compileMessage: result.compileMessage,
      cases: result.cases.map(({ output, ...rest }) => ({
        ...rest,
        output: output && toOutput(output),
      })),
    }
  const isLeased = row.state === 'leased' && (row.leaseUntil ?? 0) >= now
  const isLost = row.finishedAt !== null || (!isLeased && row.attempt >= JUDGING.maxAttempts)
  const state = isLost ? 'failed' : isLeased ? 'running' : 'queued'
  return { runId, problemId, state, status: null, compileMessage: null, cases: [] }
}
