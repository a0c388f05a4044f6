/** What staff read and change of everybody's dates and points in a homework. */
import { homeworkDatesTable, keptMarks } from '#contract/homework-overrides'
import { homework } from '#contract/homeworks'
import { apiQuery } from '../api/api-query.ts'
import { refresh } from '../api/query-client.ts'

/** GET /homework/{id}. */
export function homeworkQuery(homeworkId: string) {
  return apiQuery(['homework', homeworkId], 'GET /homework/:id', {
    params: { id: homeworkId },
    as: homework,
  })
}

/** GET /homework/{id}/dates. */
export function homeworkDatesQuery(homeworkId: string) {
  return apiQuery(['homework-dates', homeworkId], 'GET /homework/:id/dates', {
    params: { id: homeworkId },
    as: homeworkDatesTable,
  })
}

/** GET /homework/{id}/kept-marks. */
export function keptMarksQuery(homeworkId: string) {
  return apiQuery(['homework-dates', homeworkId, 'kept'], 'GET /homework/:id/kept-marks', {
    params: { id: homeworkId },
    as: keptMarks,
  })
}

/** Reads again what dates, rules and points of a homework change. */
export function refreshHomework(homeworkId: string): Promise<void> {
  return refresh(
    ['homework', homeworkId],
    ['homework-dates', homeworkId],
    ['board', homeworkId],
    ['homeworks'],
    ['running-homeworks'],
    ['problem'],
    ['submission'],
  )
}
