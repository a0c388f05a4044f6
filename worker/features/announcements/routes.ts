/** /ann: system announcements for everyone, course announcements for members. */
import type { Context } from 'hono'
import { PUBLIC_COURSE } from '#contract/fields'
import { can } from '#contract/roles'
import type { AppEnv } from '../../env.ts'
import { changeOf } from '../../http/change.ts'
import { courseInBody, courseInPath, namedInBody } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { guard } from '../../http/guard.ts'
import { tellCourse } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import {
  deleteAnnouncement,
  findAnnouncementStanding,
  getAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from './queries.ts'

/** Answers one announcement of a course, with its ETag. */
async function sendAnnouncement<E extends AppEnv>(c: Context<E>, course: string, annId: string) {
  const found = await getAnnouncement(c.var.db, course, annId)
  if (!found) throw new AppError('announcement_not_found')
  return sendEditable(c, found.version, found.announcement)
}

/** The course of the announcement in the body. */
const courseOfAnnouncement = guard('course', async (c) => {
  const annId = await namedInBody(c, 'annId')
  const found = await findAnnouncementStanding(c.var.db, c.var.user, annId ?? '')
  if (!found) throw new AppError('announcement_not_found')
  if (found.course !== PUBLIC_COURSE && !can(found.standing, 'course.read'))
    throw new AppError('announcement_not_found')
  return { standing: found.standing, name: found.course }
})

export const announcements = [
  route('GET /ann', (c, { query }) => listAnnouncements(c.var.db, PUBLIC_COURSE, query)),
  route('GET /ann/:annId', (c, { params }) => sendAnnouncement(c, PUBLIC_COURSE, params.annId)),
  route('GET /course/:name/ann', courseInPath, (c, { course, query }) =>
    listAnnouncements(c.var.db, course.name, query),
  ),
  route('GET /ann/:name/:annId', courseInPath, (c, { course, params }) =>
    sendAnnouncement(c, course.name, params.annId),
  ),
  route('POST /ann', courseInBody('courseName', PUBLIC_COURSE), async (c, { course, body }) => {
    const change = changeOf(c)
    const annId = await insertAnnouncement(c.var.db, course, body, change)
    // System announcements are on everybody's home page: no course has to be told.
    if (course.name !== PUBLIC_COURSE)
      tellCourse(c, course.id, { kind: 'announcement', course: course.name, annId }, 'course.read')
    return { annId, createTime: change.now }
  }),
  route('PUT /ann', courseOfAnnouncement, (c, { body }) =>
    updateAnnouncement(c.var.db, body, editedVersion(c), changeOf(c)),
  ),
  route('DELETE /ann', courseOfAnnouncement, (c, { body }) =>
    deleteAnnouncement(c.var.db, body.annId, editedVersion(c), changeOf(c)),
  ),
]
