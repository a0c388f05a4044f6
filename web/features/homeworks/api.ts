/** Calls about homeworks. */
import * as z from 'zod'
import {
  homework,
  homeworkBoard,
  homeworkCreated,
  type HomeworkForm,
  type NewHomework,
} from '#contract/homeworks'
import { scoreboardRow } from '#contract/problems/stats'
import { apiQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi, queryString } from '../../lib/api/api.ts'
import { coursePath } from '../../lib/queries/course.ts'

/** Path of one homework. */
export function homeworkPath(homeworkId: string): string {
  return apiPath`/homework/${homeworkId}`
}

/** Path of POST /homework/{id}/rejudge. */
export function rejudgePath(homeworkId: string): string {
  return apiPath`/homework/${homeworkId}/rejudge`
}

/** GET /homework/{id}. */
export function homeworkQuery(homeworkId: string) {
  return apiQuery(['homework', homeworkId], homeworkPath(homeworkId), homework)
}

/** GET /homework/{id}/scoreboard. */
export function boardQuery(homeworkId: string) {
  return apiQuery(['board', homeworkId], `${homeworkPath(homeworkId)}/scoreboard`, homeworkBoard)
}

/** A time window in epoch seconds; null: open. */
export interface TimeWindow {
  start: number | null
  end: number | null
}

/** GET /course/{name}/scoreboard of some problems. */
export function scoreboardQuery(course: string, problemIds: number[], window: TimeWindow) {
  const query = queryString({ pids: problemIds.join(','), ...window })
  return apiQuery(
    ['scoreboard', course, query],
    `${coursePath(course)}/scoreboard${query}`,
    z.array(scoreboardRow),
  )
}

/** POST /homework. */
export function createHomework(body: NewHomework) {
  return callApi('/homework', homeworkCreated, { method: 'POST', body })
}

/** PUT /homework/{id}. @param etag of the read that was edited */
export function saveHomework(homeworkId: string, body: HomeworkForm, etag: string | null) {
  return callApi(homeworkPath(homeworkId), anything, { method: 'PUT', body, ifMatch: etag })
}

/** DELETE /homework/{id}. */
export function deleteHomework(homeworkId: string) {
  return callApi(homeworkPath(homeworkId), anything, { method: 'DELETE' })
}
