/** /ann: system announcements for everyone, course announcements for members. */
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import {
  announcementEdit,
  announcementListParams,
  announcementRef,
  newAnnouncement,
} from '#contract/announcements'
import { hexId, PUBLIC_COURSE } from '#contract/fields'
import { can } from '#contract/roles'
import type { AppEnv } from '../../env.ts'
import { changeOf } from '../../http/change.ts'
import {
  demandCapability,
  inCourse,
  namedInBody,
  namedInPath,
  type CourseEnv,
} from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { tellCourse } from '../../http/live.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody, params, query } from '../../http/validate.ts'
import {
  deleteAnnouncement,
  findAnnouncementStanding,
  getAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from './queries.ts'

const annIdOf = namedInBody('annId')

/** Answers one announcement of a course, with its ETag. */
async function sendAnnouncement<E extends AppEnv>(c: Context<E>, course: string, annId: string) {
  const found = await getAnnouncement(c.var.db, course, annId)
  if (!found) throw new AppError('announcement_not_found')
  return sendEditable(c, found.version, found.announcement)
}

/** Lets callers through who may write in the course of the announcement in the body. */
const mayEdit = createMiddleware<UserEnv>(async (c, next) => {
  const found = await findAnnouncementStanding(c.var.db, c.var.user, (await annIdOf(c)) ?? '')
  if (!found) throw new AppError('announcement_not_found')
  if (found.course !== PUBLIC_COURSE && !can(found.standing, 'course.read'))
    throw new AppError('announcement_not_found')
  demandCapability(found.standing, 'announcement.write', found.course)
  await next()
})

export const announcements = new Hono<CourseEnv>()
  .get('/ann', query(announcementListParams), async (c) =>
    ok(c, await listAnnouncements(c.var.db, PUBLIC_COURSE, c.req.valid('query'))),
  )
  .get('/ann/:annId', params(z.object({ annId: hexId })), (c) =>
    sendAnnouncement(c, PUBLIC_COURSE, c.req.valid('param').annId),
  )
  .get(
    '/course/:name/ann',
    requireUser,
    inCourse(namedInPath, 'course.read'),
    query(announcementListParams),
    async (c) => {
      const { course } = c.var
      return ok(c, await listAnnouncements(c.var.db, course.name, c.req.valid('query')))
    },
  )
  .get(
    '/ann/:name/:annId',
    requireUser,
    inCourse(namedInPath, 'course.read'),
    params(z.object({ name: z.string(), annId: hexId })),
    (c) => sendAnnouncement(c, c.var.course.name, c.req.valid('param').annId),
  )
  .post(
    '/ann',
    requireUser,
    inCourse(namedInBody('courseName', PUBLIC_COURSE), 'announcement.write'),
    jsonBody(newAnnouncement),
    async (c) => {
      const change = changeOf(c)
      const { db, course } = c.var
      const annId = await insertAnnouncement(db, course, c.req.valid('json'), change)
      // Those of the system stand on home: their readers are everybody.
      if (course.name !== PUBLIC_COURSE)
        tellCourse(
          c,
          course.id,
          { kind: 'announcement', course: course.name, annId },
          'course.read',
        )
      return ok(c, { annId, createTime: change.now })
    },
  )
  .put('/ann', requireUser, mayEdit, jsonBody(announcementEdit), async (c) => {
    await updateAnnouncement(c.var.db, c.req.valid('json'), editedVersion(c), changeOf(c))
    return ok(c, null)
  })
  .delete('/ann', requireUser, mayEdit, jsonBody(announcementRef), async (c) => {
    await deleteAnnouncement(c.var.db, c.req.valid('json').annId, editedVersion(c), changeOf(c))
    return ok(c, null)
  })
