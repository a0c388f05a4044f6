/** What staff read and change of everybody's dates and points in a homework. */
import { homeworkDatesTable, keptMarks } from '#contract/homework-overrides'
import { homework } from '#contract/homeworks'
import { apiQuery } from '../api/api-query.ts'

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
