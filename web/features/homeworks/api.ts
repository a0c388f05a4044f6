/** Calls about homeworks (contract §5). */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { homework, homeworkCreated, type NewHomework } from '#contract/homeworks'
import { callApi } from '../../lib/api.ts'
import { coursePath } from '../../lib/course.ts'

/** GET /course/{name}/homework. */
export function homeworksQuery(course: string) {
  return queryOptions({
    queryKey: ['homeworks', course],
    queryFn: ({ signal }) =>
      callApi(`${coursePath(course)}/homework`, z.array(homework), { signal }),
  })
}

/** POST /homework. */
export function createHomework(body: NewHomework) {
  return callApi('/homework', homeworkCreated, { method: 'POST', body })
}
