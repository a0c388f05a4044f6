/** Calls about announcements. */
import { queryOptions } from '@tanstack/react-query'
import {
  announcement,
  announcementCreated,
  type AnnouncementEdit,
  type NewAnnouncement,
} from '#contract/announcements'
import { anything, apiPath, callApi } from '../../lib/api.ts'

/** Path of one announcement of a course. */
export function announcementPath(course: string, annId: string): string {
  return apiPath`/ann/${course}/${annId}`
}

/** GET /ann/{course}/{annId}. */
export function announcementQuery(course: string, annId: string) {
  return queryOptions({
    queryKey: ['announcements', course, annId],
    queryFn: ({ signal }) => callApi(announcementPath(course, annId), announcement, { signal }),
  })
}

/** Path of one system announcement. */
export function systemAnnouncementPath(annId: string): string {
  return apiPath`/ann/${annId}`
}

/** GET /ann/{annId}: one system announcement. */
export function systemAnnouncementQuery(annId: string) {
  return queryOptions({
    queryKey: ['announcements', 'system', annId],
    queryFn: ({ signal }) => callApi(systemAnnouncementPath(annId), announcement, { signal }),
  })
}

/** POST /ann. */
export function createAnnouncement(body: NewAnnouncement) {
  return callApi('/ann', announcementCreated, { method: 'POST', body })
}

/** PUT /ann. @param etag of the read that was edited */
export function saveAnnouncement(body: AnnouncementEdit, etag: string | null) {
  return callApi('/ann', anything, { method: 'PUT', body, ifMatch: etag })
}

/** DELETE /ann. */
export function deleteAnnouncement(annId: string) {
  return callApi('/ann', anything, { method: 'DELETE', body: { annId } })
}
