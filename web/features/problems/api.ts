/** Calls that manage problems. */
import { managedProblem, type ProblemFormInput } from '#contract/problems'
import { problemFile } from '#contract/problems/problem-files'
import { problemStats } from '#contract/problems/stats'
import { submissionsCancelled } from '#contract/submissions'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'

/** GET /problem/manage/{id}: what the form edits; saving sends its ETag. */
export function managedProblemQuery(problemId: number) {
  return apiQuery(
    ['problem', problemId, 'manage'],
    'GET /problem/manage/:id',
    { params: { id: problemId }, as: managedProblem },
    // A form must not open with cached data.
    { gcTime: 0, staleTime: 0 },
  )
}

/** GET /problem/{id}/stats. @param label the label whose students count; empty: all */
export function problemStatsQuery(problemId: number, label = '') {
  return apiQuery(['problem', problemId, 'stats', label], 'GET /problem/:id/stats', {
    params: { id: problemId },
    query: { label },
    as: problemStats,
  })
}

/** PUT /problem/manage/{id}. @param etag the ETag of the version that was edited */
export function saveProblem(problemId: number, body: ProblemFormInput, etag: string | null) {
  return call('PUT /problem/manage/:id', { params: { id: problemId }, body, ifMatch: etag })
}

/** POST /problem/{id}/file. */
export function addFile(problemId: number, file: File) {
  const body = new FormData()
  body.set('file', file)
  return call('POST /problem/:id/file', { params: { id: problemId }, body, as: problemFile })
}

/** DELETE /problem/{id}/file/{fileId}. */
export function deleteFile(problemId: number, fileId: string) {
  return call('DELETE /problem/:id/file/:fileId', { params: { id: problemId, fileId } })
}

/** Repeats POST /problem/{id}/cancel until all submissions that waited at first are cancelled. */
export async function cancelAll(problemId: number): Promise<void> {
  for (;;) {
    const params = { id: problemId }
    const as = submissionsCancelled
    const { count, more } = await call('POST /problem/:id/cancel', { params, as })
    if (!more || count === 0) return
  }
}
