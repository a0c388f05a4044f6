/** The homeworks of a course, apart from those of home: home loads nothing of courses. */
import * as z from 'zod'
import { homework } from '#contract/homeworks'
import { apiQuery } from '../api/api-query.ts'
import { coursePath } from './course.ts'

/** GET /course/{name}/homework, with the user's own progress only. */
export function homeworksQuery(course: string) {
  return apiQuery(
    ['homeworks', course],
    `${coursePath(course)}/homework?progress=own`,
    z.array(homework),
  )
}
