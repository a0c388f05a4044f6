/** The late days of a course. */
import { lateDayTable } from '#contract/late-days'
import { apiQuery } from '../api/api-query.ts'

/** GET /course/{name}/late-days. */
export function lateDaysQuery(course: string) {
  return apiQuery(['late-days', course], 'GET /course/:name/late-days', {
    params: { name: course },
    as: lateDayTable,
  })
}
