/** System announcements (course `Public`) and course announcements. */
import * as z from 'zod'
import {
  courseName,
  epochSeconds,
  hexId,
  PUBLIC_COURSE,
  userInfo,
  visibleName,
} from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'

/** An announcement as read. */
export const announcement = z.object({
  annId: hexId,
  title: z.string(),
  markdown: z.string(),
  pinned: z.boolean(),
  createTime: epochSeconds,
  updateTime: epochSeconds,
  creator: userInfo,
  updater: userInfo,
})
export type Announcement = z.infer<typeof announcement>

/**
 * An announcement in a list. With `cut`, `markdown` is only the beginning of the text (`TEXT_LIMITS.announcementExcerpt`): read all
 * of it with GET /ann/{annId} before editing it.
 */
export const announcementItem = announcement.extend({ cut: z.boolean() })
export type AnnouncementItem = z.infer<typeof announcementItem>

/**
 * Query of GET /ann and GET /course/{name}/ann. `after`: the last `annId` of the page before. A page with
 * fewer items than `limit` is the last one.
 */
export const announcementListParams = z.object({
  limit: z.coerce
    .number<string>()
    .pipe(z.int().min(1).max(COUNT_LIMITS.listItems))
    .default(COUNT_LIMITS.listItemsDefault),
  after: hexId.optional(),
})
export type AnnouncementListParams = z.infer<typeof announcementListParams>

const content = {
  title: visibleName(TEXT_LIMITS.announcementTitle),
  markdown: z.string().max(TEXT_LIMITS.announcementMarkdown),
}

/** POST /ann. */
export const newAnnouncement = z.object({
  ...content,
  courseName: courseName.default(PUBLIC_COURSE),
  pinned: z.boolean().default(false),
})
export type NewAnnouncement = z.input<typeof newAnnouncement>

/** Answer of POST /ann. */
export const announcementCreated = z.object({ annId: hexId, createTime: epochSeconds })

/** PUT /ann. */
export const announcementEdit = z.object({ annId: hexId, ...content, pinned: z.boolean() })
export type AnnouncementEdit = z.infer<typeof announcementEdit>

/** DELETE /ann. */
export const announcementRef = z.object({ annId: hexId })
