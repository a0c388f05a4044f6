/** Queries for homeworks that several features need. */
import * as z from 'zod'
import { runningHomework } from '#contract/homeworks'
import { apiQuery } from '../api/api-query.ts'

/** GET /homework: the running homeworks, next deadline first. */
export const runningHomeworksQuery = apiQuery(['running-homeworks'], 'GET /homework', {
  as: z.array(runningHomework),
})
