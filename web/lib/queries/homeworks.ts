/** Reads of homeworks that several features need. */
import * as z from 'zod'
import { homework, runningHomework } from '#contract/homeworks'
import { apiQuery } from '../api/api-query.ts'
import { coursePath } from './course.ts'

/** GET /homework: the running homeworks, next deadline first. */
export const runningHomeworksQuery = apiQuery(
  ['running-homeworks'],
  '/homework',
  z.array(runningHomework),
)

/** GET /course/{name}/homework, with the user's own progress only. */
export function homeworksQuery(course: string) {
  return apiQuery(
    ['homeworks', course],
    `${coursePath(course)}/homework?progress=own`,
    z.array(homework),
  )
}
