/** The homeworks of a course. This file is separate from that of the home page, because home loads no code of courses. */
import * as z from 'zod'
import { homework } from '#contract/homeworks'
import { apiQuery } from '../api/api-query.ts'

/** GET /course/{name}/homework, with the user's own progress only. */
export function homeworksQuery(course: string) {
  return apiQuery(['homeworks', course], 'GET /course/:name/homework', {
    params: { name: course },
    query: { progress: 'own' },
    as: z.array(homework),
  })
}
