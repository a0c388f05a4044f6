/** Calls about announcements. */
import {
  announcement,
  announcementCreated,
  type AnnouncementEdit,
  type NewAnnouncement,
} from '#contract/announcements'
import { apiQuery } from '../../lib/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api.ts'

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
