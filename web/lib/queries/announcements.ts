/** Announcements, the system's and those of a course: lists, and one. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { announcement, announcementItem } from '#contract/announcements'
import { COUNT_LIMITS } from '#contract/limits'
import { apiQuery } from '../api/api-query.ts'
import { apiPath, callApi, queryString } from '../api/api.ts'
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

/** Path of one announcement. @param course null: a system announcement */
export function announcementPath(course: string | null, annId: string): string {
  return course === null ? apiPath`/ann/${annId}` : apiPath`/ann/${course}/${annId}`
}

/** GET /ann/{course}/{annId}, or GET /ann/{annId} of a system announcement. */
export function announcementQuery(course: string | null, annId: string) {
  return apiQuery(
    ['announcements', course ?? 'system', annId],
    announcementPath(course, annId),
    announcement,
  )
}
