/** Calls of sample runs, which students make on the submit page and staff in the problem form. */
import type * as z from 'zod'
import { sampleRun, sampleRunStarted, type newSampleRun } from '#contract/judging/sample-runs'
import { call } from '../api/call.ts'

/** POST /problem/{id}/run. */
export function startRun(
  problemId: number,
  body: z.input<typeof newSampleRun>,
  signal?: AbortSignal,
) {
  const params = { id: problemId }
  return call('POST /problem/:id/run', { params, body, signal, as: sampleRunStarted })
}

/** GET /run/{id}. */
export function getRun(runId: string, signal?: AbortSignal) {
  return call('GET /run/:id', { params: { id: runId }, signal, as: sampleRun })
}
