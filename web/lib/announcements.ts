/** The system announcements, which home and their own page read. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { announcement } from '#contract/announcements'
import { callApi } from './api.ts'

/** GET /ann. */
export const systemAnnouncementsQuery = queryOptions({
  queryKey: ['announcements', 'system'],
  queryFn: ({ signal }) => callApi('/ann', z.array(announcement), { signal }),
})
