/** Calls about announcements. */
import {
  announcementCreated,
  type AnnouncementEdit,
  type NewAnnouncement,
} from '#contract/announcements'
import { anything, callApi } from '../../lib/api/api.ts'

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
