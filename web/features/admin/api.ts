/** Calls of the dashboard: statistics, judge hosts, queue, storage. */
import { alarmList } from '#contract/installation/alarms'
import { operationStarted } from '#contract/operations'
import {
  queueState,
  runnerAdded,
  runnerList,
  type Runner,
  type RunnerEdit,
} from '#contract/judging/runners'
import { courseSummary } from '#contract/problems/stats'
import { storageStatus } from '#contract/installation/storage'
import { userSummary } from '#contract/people/users'
import { STATUS } from '#contract/verdicts'
import { apiQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api/api.ts'

/** Poll interval in ms: half of the runners' heartbeat interval. */
const FLEET_INTERVAL_MS = 7_500

/** GET /user/summary. */
export const userSummaryQuery = apiQuery(['users', 'summary'], '/user/summary', userSummary)

/** GET /course/summary. */
export const courseSummaryQuery = apiQuery(['courses', 'summary'], '/course/summary', courseSummary)

/** GET /runners, polled while it is shown. */
export const runnersQuery = apiQuery(['runners'], '/runners', runnerList, {
  refetchInterval: FLEET_INTERVAL_MS,
})

/** GET /runners/queue, polled likewise. */
export const queueQuery = apiQuery(['queue'], '/runners/queue', queueState, {
  refetchInterval: FLEET_INTERVAL_MS,
})

/** GET /alarms. */
export const alarmsQuery = apiQuery(['alarms'], '/alarms', alarmList, {
  refetchInterval: FLEET_INTERVAL_MS,
})

/** GET /storage. */
export const storageQuery = apiQuery(['storage'], '/storage', storageStatus)

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
