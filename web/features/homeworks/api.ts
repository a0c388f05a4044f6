/** Queries for homeworks. */
import * as z from 'zod'
import { homeworkStatistics } from '#contract/gradebook'
import { homeworkBoard } from '#contract/homeworks'
import { scoreboardRow } from '#contract/problems/stats'
import { apiQuery } from '../../lib/api/api-query.ts'
import { addressOfCall } from '../../lib/api/call.ts'

/** Path of POST /homework/{id}/rejudge. */
export function rejudgePath(homeworkId: string): string {
  return addressOfCall('POST /homework/:id/rejudge', { params: { id: homeworkId } })
}

/** GET /homework/{id}/scoreboard. */
export function boardQuery(homeworkId: string) {
  return apiQuery(['board', homeworkId], 'GET /homework/:id/scoreboard', {
    params: { id: homeworkId },
    as: homeworkBoard,
  })
}

/** GET /homework/{id}/statistics. @param label the id of the label whose students count; empty for all */
export function statisticsQuery(homeworkId: string, label: string) {
  return apiQuery(['homework', homeworkId, 'statistics', label], 'GET /homework/:id/statistics', {
    params: { id: homeworkId },
    query: { label },
    as: homeworkStatistics,
  })
}

/** A time window in epoch seconds; null: no bound. */
export interface TimeWindow {
  start: number | null
  end: number | null
}

/** GET /course/{name}/scoreboard of some problems. */
export function scoreboardQuery(course: string, problemIds: number[], window: TimeWindow) {
  const query = { pids: problemIds.join(','), ...window }
  return apiQuery(['scoreboard', course, query], 'GET /course/:name/scoreboard', {
    params: { name: course },
    query,
    as: z.array(scoreboardRow),
  })
}
