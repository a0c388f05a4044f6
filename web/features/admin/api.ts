/** Queries for the dashboard: statistics, judge hosts, queue, storage. */
import { alarmList } from '#contract/installation/alarms'
import { storageStatus } from '#contract/installation/storage'
import { queueState, runnerList } from '#contract/judging/runners'
import { userSummary } from '#contract/people/users'
import { courseSummary } from '#contract/problems/stats'
import { apiQuery } from '../../lib/api/api-query.ts'

/** Polls, while the data are shown, at half of the runners' heartbeat interval, in ms. */
const POLLED = { refetchInterval: 7_500 }

/** GET /user/summary. */
export const userSummaryQuery = apiQuery(['users', 'summary'], 'GET /user/summary', {
  as: userSummary,
})

/** GET /course/summary. */
export const courseSummaryQuery = apiQuery(['courses', 'summary'], 'GET /course/summary', {
  as: courseSummary,
})

/** GET /runners. */
export const runnersQuery = apiQuery(['runners'], 'GET /runners', { as: runnerList }, POLLED)

/** GET /runners/queue. */
export const queueQuery = apiQuery(['queue'], 'GET /runners/queue', { as: queueState }, POLLED)

/** GET /alarms. */
export const alarmsQuery = apiQuery(['alarms'], 'GET /alarms', { as: alarmList }, POLLED)

/** GET /storage. */
export const storageQuery = apiQuery(['storage'], 'GET /storage', { as: storageStatus })
