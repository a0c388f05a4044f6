/** Calls about bulk rejudges. */
import {
  problemRejudge,
  rejudgedChangesPage,
  rejudgeResult,
  type BulkRejudge,
  type RejudgeResult,
} from '#contract/judging/rejudges'
import { operationStarted, type OperationStatus } from '#contract/operations'
import { apiQuery, pagedQuery } from '../api/api-query.ts'
import { callApi } from '../api/api.ts'
import { call } from '../api/call.ts'

/** GET /problem/{id}/rejudge. */
export function problemRejudgeQuery(problemId: number) {
  const input = { params: { id: problemId }, as: problemRejudge }
  return apiQuery(['problem', problemId, 'rejudge'], 'GET /problem/:id/rejudge', input)
}

/** POST …/rejudge of a problem or homework. @param path the path of that call */
export function startRejudge(path: string, body: BulkRejudge) {
  return callApi(path, operationStarted, { method: 'POST', body })
}

/** GET /jobs/{jobId}/changes, page by page. */
export function rejudgeChangesQuery(operationId: string) {
  const input = { params: { jobId: operationId }, as: rejudgedChangesPage }
  return pagedQuery(['rejudge-changes', operationId], 'GET /jobs/:jobId/changes', input)
}

/** POST /jobs/{jobId}/apply. */
export function applyRejudge(operationId: string) {
  return call('POST /jobs/:jobId/apply', { params: { jobId: operationId } })
}

/** POST /jobs/{jobId}/cancel. */
export function cancelRejudge(operationId: string) {
  return call('POST /jobs/:jobId/cancel', { params: { jobId: operationId } })
}

/** The result of a rejudge that is over; null if it failed or is still running. */
export function resultOf({ state, result }: OperationStatus): RejudgeResult | null {
  return state === 'done' ? (rejudgeResult.safeParse(result).data ?? null) : null
}
