/** Calls that manage problems. */
import { queryOptions } from '@tanstack/react-query'
import { managedProblem, type ProblemFormInput } from '#contract/problems'
import { problemFile } from '#contract/problems/problem-files'
import {
  previewedChangesPage,
  rejudgePreview,
  type RejudgePreview,
} from '#contract/judging/rejudge-previews'
import { problemStats } from '#contract/problems/stats'
import { submissionsCancelled } from '#contract/submissions'
import { apiQuery, pagedQuery } from '../../lib/api/api-query.ts'
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

/** GET /problem/{id}/stats. */
export function problemStatsQuery(problemId: number) {
  return apiQuery(['problem', problemId, 'stats'], 'GET /problem/:id/stats', {
    params: { id: problemId },
    as: problemStats,
  })
}

/** PUT /problem/manage/{id}. @param etag of the read that was edited */
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

/** POST /problem/{id}/cancel, until none waits that did when it began. */
export async function cancelAll(problemId: number): Promise<void> {
  for (;;) {
    const params = { id: problemId }
    const as = submissionsCancelled
    const { count, more } = await call('POST /problem/:id/cancel', { params, as })
    if (!more || count === 0) return
  }
}

/** Poll interval while a preview is judged or applied. Each poll counts what is left to judge: the more, the rarer. */
const PREVIEW_POLL_MS = { least: 3_000, perSubmission: 10 }

/** Milliseconds until a preview is read again; false once it rests. */
export function previewPollMs(preview: RejudgePreview['preview'] | undefined): number | false {
  if (preview?.state === 'applying') return PREVIEW_POLL_MS.least
  if (preview?.state !== 'judging') return false
  return Math.max(
    PREVIEW_POLL_MS.least,
    PREVIEW_POLL_MS.perSubmission * (preview.total - preview.done),
  )
}

/** GET /problem/{id}/rejudge/preview, polled while it is judged or applied. */
export function previewQuery(problemId: number) {
  return queryOptions({
    queryKey: ['problem', problemId, 'preview'],
    queryFn: ({ signal }) =>
      call('GET /problem/:id/rejudge/preview', {
        params: { id: problemId },
        signal,
        as: rejudgePreview,
      }),
    refetchInterval: ({ state }) => previewPollMs(state.data?.preview),
  })
}

/** GET /problem/{id}/rejudge/preview/changes, page by page. */
export function previewChangesQuery(problemId: number) {
  const key = ['problem', problemId, 'preview', 'changes']
  return pagedQuery(key, 'GET /problem/:id/rejudge/preview/changes', {
    params: { id: problemId },
    as: previewedChangesPage,
  })
}

/** POST /problem/{id}/rejudge/preview. */
export function startPreview(problemId: number) {
  return call('POST /problem/:id/rejudge/preview', { params: { id: problemId } })
}

/** POST /problem/{id}/rejudge/preview/apply. */
export function applyPreview(problemId: number) {
  return call('POST /problem/:id/rejudge/preview/apply', { params: { id: problemId } })
}

/** DELETE /problem/{id}/rejudge/preview. */
export function dropPreview(problemId: number) {
  return call('DELETE /problem/:id/rejudge/preview', { params: { id: problemId } })
}
