/** Calls that manage problems. */
import { queryOptions } from '@tanstack/react-query'
import { operationStarted } from '#contract/operations'
import { managedProblem, problemCreated, type ProblemFormInput } from '#contract/problems'
import { problemFile } from '#contract/problems/problem-files'
import {
  previewedChangesPage,
  rejudgePreview,
  type RejudgePreview,
} from '#contract/judging/rejudge-previews'
import { problemStats } from '#contract/problems/stats'
import { submissionsCancelled } from '#contract/submissions'
import { apiQuery, pagedQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api/api.ts'

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

/** POST /problem/{id}/file. */
export function addFile(problemId: number, file: File) {
  const body = new FormData()
  body.set('file', file)
  return callApi(apiPath`/problem/${problemId}/file`, problemFile, { method: 'POST', body })
}

/** DELETE /problem/{id}/file/{fileId}. */
export function deleteFile(problemId: number, fileId: string) {
  return callApi(apiPath`/problem/${problemId}/file/${fileId}`, anything, { method: 'DELETE' })
}

/** POST /problem/{id}/copy. */
export function copyProblem(problemId: number, course: string) {
  return callApi(apiPath`/problem/${problemId}/copy`, problemCreated, {
    method: 'POST',
    body: { course },
  })
}

/** POST /problem/{id}/cancel, until none waits that did when it began. */
export async function cancelAll(problemId: number): Promise<void> {
  for (;;) {
    const path = apiPath`/problem/${problemId}/cancel`
    const { count, more } = await callApi(path, submissionsCancelled, { method: 'POST' })
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

/** Path of the preview of a problem's rejudge. */
function previewPath(problemId: number): string {
  return apiPath`/problem/${problemId}/rejudge/preview`
}

/** GET /problem/{id}/rejudge/preview, polled while it is judged or applied. */
export function previewQuery(problemId: number) {
  return queryOptions({
    queryKey: ['problem', problemId, 'preview'],
    queryFn: ({ signal }) => callApi(previewPath(problemId), rejudgePreview, { signal }),
    refetchInterval: ({ state }) => previewPollMs(state.data?.preview),
  })
}

/** GET /problem/{id}/rejudge/preview/changes, page by page. */
export function previewChangesQuery(problemId: number) {
  const path = `${previewPath(problemId)}/changes`
  return pagedQuery(['problem', problemId, 'preview', 'changes'], path, {}, previewedChangesPage)
}

/** POST /problem/{id}/rejudge/preview. */
export function startPreview(problemId: number) {
  return callApi(previewPath(problemId), operationStarted, { method: 'POST' })
}

/** POST /problem/{id}/rejudge/preview/apply. */
export function applyPreview(problemId: number) {
  return callApi(`${previewPath(problemId)}/apply`, operationStarted, { method: 'POST' })
}

/** DELETE /problem/{id}/rejudge/preview. */
export function dropPreview(problemId: number) {
  return callApi(previewPath(problemId), anything, { method: 'DELETE' })
}
