/** Calls of the dashboard: statistics, judge hosts, queue, storage. */
import { queryOptions } from '@tanstack/react-query'
import { operationStarted } from '#contract/operations'
import {
  queueState,
  runnerAdded,
  runnerList,
  type Runner,
  type RunnerEdit,
} from '#contract/runners'
import { courseSummary } from '#contract/stats'
import { storageStatus } from '#contract/storage'
import { userSummary } from '#contract/users'
import { STATUS } from '#contract/verdicts'
import { anything, apiPath, callApi } from '../../lib/api.ts'

/** Poll interval in ms: half of the runners' heartbeat interval. */
const FLEET_INTERVAL_MS = 7_500

/** GET /user/summary. */
export const userSummaryQuery = queryOptions({
  queryKey: ['users', 'summary'],
  queryFn: ({ signal }) => callApi('/user/summary', userSummary, { signal }),
})

/** GET /course/summary. */
export const courseSummaryQuery = queryOptions({
  queryKey: ['courses', 'summary'],
  queryFn: ({ signal }) => callApi('/course/summary', courseSummary, { signal }),
})

/** GET /runners, polled while it is shown. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: ({ signal }) => callApi('/runners', runnerList, { signal }),
  refetchInterval: FLEET_INTERVAL_MS,
})

/** GET /runners/queue, polled likewise. */
export const queueQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => callApi('/runners/queue', queueState, { signal }),
  refetchInterval: FLEET_INTERVAL_MS,
})

/** GET /storage. */
export const storageQuery = queryOptions({
  queryKey: ['storage'],
  queryFn: ({ signal }) => callApi('/storage', storageStatus, { signal }),
})

/** POST /storage/confirm. @param state the state the admin has seen */
export function confirmStorage(state: 'mismatch' | 'held') {
  return callApi('/storage/confirm', anything, { method: 'POST', body: { state } })
}

/** POST /runners. The token is answered this once. */
export function addRunner(body: { name: string }) {
  return callApi('/runners', runnerAdded, { method: 'POST', body })
}

/** PATCH /runners/{id}, with the etag of the runner given. */
export function changeRunner({ runnerId, etag }: Runner, body: RunnerEdit) {
  return callApi(apiPath`/runners/${runnerId}`, anything, { method: 'PATCH', body, ifMatch: etag })
}

/** DELETE /runners/{id}. */
export function removeRunner(runnerId: string) {
  return callApi(apiPath`/runners/${runnerId}`, anything, { method: 'DELETE' })
}

/** POST /runners/requeue: every Judge Error again. */
export function requeueJudgeErrors() {
  const body = { status: STATUS.JE }
  return callApi('/runners/requeue', operationStarted, { method: 'POST', body })
}
