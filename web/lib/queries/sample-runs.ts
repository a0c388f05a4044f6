/** Calls of sample runs, which students make on the submit page and staff in the problem form. */
import type * as z from 'zod'
import { sampleRun, sampleRunStarted, type newSampleRun } from '#contract/judging/sample-runs'
import { apiPath, callApi } from '../api/api.ts'

/** POST /problem/{id}/run. */
export function startRun(
  problemId: number,
  body: z.input<typeof newSampleRun>,
  signal?: AbortSignal,
) {
  return callApi(apiPath`/problem/${problemId}/run`, sampleRunStarted, {
    method: 'POST',
    body,
    ...(signal && { signal }),
  })
}

/** GET /run/{id}. */
export function getRun(runId: string, signal?: AbortSignal) {
  return callApi(apiPath`/run/${runId}`, sampleRun, signal ? { signal } : {})
}
