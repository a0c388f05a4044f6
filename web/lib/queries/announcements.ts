/** Queries for announcements of the system and of courses: the lists, and a single announcement. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { announcement, announcementItem, type AnnouncementItem } from '#contract/announcements'
import { COUNT_LIMITS } from '#contract/limits'
import { apiQuery } from '../api/api-query.ts'
import { addressOfCall, call } from '../api/call.ts'

/** The schema of a list. */
const as = z.array(announcementItem)

/** A list that is read page by page. */
function announcementsQuery(
  key: string,
  read: (after: string, signal: AbortSignal) => Promise<AnnouncementItem[]>,
) {
  return infiniteQueryOptions({
    queryKey: ['announcements', key],
    queryFn: ({ signal, pageParam }) => read(pageParam, signal),
    initialPageParam: '',
    // A shorter page is the last one.
    getNextPageParam: (page) =>
      page.length < COUNT_LIMITS.listItemsDefault ? null : page.at(-1)?.annId,
  })
}

/** GET /ann. */
export const systemAnnouncementsQuery = announcementsQuery('system', (after, signal) =>
  call('GET /ann', { query: { after }, signal, as }),
)

/** GET /course/{name}/ann. */
export function courseAnnouncementsQuery(course: string) {
  const params = { name: course }
  return announcementsQuery(course, (after, signal) =>
    call('GET /course/:name/ann', { params, query: { after }, signal, as }),
  )
}

/** The address of one announcement. @param course null: a system announcement */
export function announcementPath(course: string | null, annId: string): string {
  return course === null
    ? addressOfCall('GET /ann/:annId', { params: { annId } })
    : addressOfCall('GET /ann/:name/:annId', { params: { name: course, annId } })
}

/** GET /ann/{course}/{annId}, or GET /ann/{annId} of a system announcement. */
export function announcementQuery(course: string | null, annId: string) {
  const key = ['announcements', course ?? 'system', annId]
  return course === null
    ? apiQuery(key, 'GET /ann/:annId', { params: { annId }, as: announcement })
    : apiQuery(key, 'GET /ann/:name/:annId', { params: { name: course, annId }, as: announcement })
}
