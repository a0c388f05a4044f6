/** Calls that manage problems. */
import { managedProblem, problemCreated, type ProblemFormInput } from '#contract/problems'
import { problemStats } from '#contract/stats'
import { apiQuery } from '../../lib/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api.ts'

/** Path of GET and PUT /problem/manage/{id}. */
export function managedProblemPath(problemId: number): string {
  return apiPath`/problem/manage/${problemId}`
}

/** GET /problem/manage/{id}: what the form edits; saving sends its ETag. */
export function managedProblemQuery(problemId: number) {
  const key = ['problem', problemId, 'manage']
  // A form must not open with cached data.
  return apiQuery(key, managedProblemPath(problemId), managedProblem, { gcTime: 0, staleTime: 0 })
}

/** GET /problem/{id}/stats. */
export function problemStatsQuery(problemId: number) {
  return apiQuery(
    ['problem', problemId, 'stats'],
    apiPath`/problem/${problemId}/stats`,
    problemStats,
  )
}

/** POST /problem/manage. */
export function createProblem(course: string, form: ProblemFormInput) {
  return callApi('/problem/manage', problemCreated, { method: 'POST', body: { ...form, course } })
}

/** PUT /problem/manage/{id}. @param etag of the read that was edited */
export function saveProblem(problemId: number, form: ProblemFormInput, etag: string | null) {
  return callApi(managedProblemPath(problemId), anything, {
    method: 'PUT',
    body: form,
    ifMatch: etag,
  })
}

/** DELETE /problem/manage/{id}. */
export function deleteProblem(problemId: number) {
  return callApi(managedProblemPath(problemId), anything, { method: 'DELETE' })
}

/** POST /problem/{id}/copy. */
export function copyProblem(problemId: number, course: string) {
  return callApi(apiPath`/problem/${problemId}/copy`, problemCreated, {
    method: 'POST',
    body: { course },
  })
}

/** Path of POST /problem/{id}/rejudge. */
export function rejudgePath(problemId: number): string {
  return apiPath`/problem/${problemId}/rejudge`
}
