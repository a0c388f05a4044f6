/** The caller's courses, which home and the course list read. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { courseItem } from '#contract/courses'
import { callApi } from './api.ts'

/** GET /course. */
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: ({ signal }) => callApi('/course', z.array(courseItem), { signal }),
})
