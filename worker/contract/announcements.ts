/** System announcements (course `Public`) and course announcements (contract §4). */
import * as z from 'zod'
import {
  courseName,
  epochSeconds,
  hexId,
  PUBLIC_COURSE,
  requiredText,
  userInfo,
} from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'

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

const content = {
  title: requiredText(TEXT_LIMITS.announcementTitle),
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
