/** Lists of announcements: the system's, which home shows, and those of a course. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { announcementItem } from '#contract/announcements'
import { COUNT_LIMITS } from '#contract/limits'
import { callApi, queryString } from './api.ts'
import { coursePath } from './course.ts'

/** The list at a path, page by page. */
function announcementsQuery(key: string, path: string) {
  return infiniteQueryOptions({
    queryKey: ['announcements', key],
    queryFn: ({ signal, pageParam }) =>
      callApi(`${path}${queryString({ after: pageParam })}`, z.array(announcementItem), { signal }),
    initialPageParam: '',
    // A shorter page is the last one.
    getNextPageParam: (page) =>
      page.length < COUNT_LIMITS.listItemsDefault ? null : page.at(-1)?.annId,
  })
}

/** GET /ann. */
export const systemAnnouncementsQuery = announcementsQuery('system', '/ann')

/** GET /course/{name}/ann. */
export function courseAnnouncementsQuery(course: string) {
  return announcementsQuery(course, `${coursePath(course)}/ann`)
}
