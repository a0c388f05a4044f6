/** /ann: system announcements for everyone, course announcements for members. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { announcementEdit, announcementRef, newAnnouncement } from '#contract/announcements'
import { hexId, PUBLIC_COURSE } from '#contract/fields'
import { openDb } from '../../db/client.ts'
import { changeOf } from '../../http/change.ts'
import {
  demand,
  inCourse,
  namedInBody,
  namedInPath,
  type CourseEnv,
} from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody, params } from '../../http/validate.ts'
import {
  deleteAnnouncement,
  findAnnouncementStanding,
  getAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from './queries.ts'

const annIdOf = namedInBody('annId')

/** Lets through who may write in the course of the announcement that the body names. */
const mayEdit = createMiddleware<UserEnv>(async (c, next) => {
  const found = await findAnnouncementStanding(
    openDb(c.env.DB),
    c.var.user,
    (await annIdOf(c)) ?? '',
  )
  if (!found) throw new AppError('announcement_not_found')
  demand(found.standing, 'announcement.write')
  await next()
})

export const announcements = new Hono<CourseEnv>()
  .get('/ann', async (c) => ok(c, await listAnnouncements(openDb(c.env.DB), PUBLIC_COURSE)))
  .get('/ann/:annId', params(z.object({ annId: hexId })), async (c) => {
    const found = await getAnnouncement(openDb(c.env.DB), PUBLIC_COURSE, c.req.valid('param').annId)
    if (!found) throw new AppError('announcement_not_found')
    return ok(c, found)
  })
  .get('/course/:name/ann', requireUser, inCourse(namedInPath, 'course.read'), async (c) =>
    ok(c, await listAnnouncements(openDb(c.env.DB), c.var.course.name)),
  )
  .get(
    '/ann/:name/:annId',
    requireUser,
    inCourse(namedInPath, 'course.read'),
    params(z.object({ name: z.string(), annId: hexId })),
    async (c) => {
      const found = await getAnnouncement(
        openDb(c.env.DB),
        c.var.course.name,
        c.req.valid('param').annId,
      )
      if (!found) throw new AppError('announcement_not_found')
      return ok(c, found)
    },
  )
  .post(
    '/ann',
    requireUser,
    inCourse(namedInBody('courseName', PUBLIC_COURSE), 'announcement.write'),
    jsonBody(newAnnouncement),
    async (c) => {
      const change = changeOf(c)
      const annId = await insertAnnouncement(
        openDb(c.env.DB),
        c.var.course.id,
        c.req.valid('json'),
        change,
      )
      return ok(c, { annId, createTime: change.now })
    },
  )
  .put('/ann', requireUser, mayEdit, jsonBody(announcementEdit), async (c) => {
    await updateAnnouncement(openDb(c.env.DB), c.req.valid('json'), changeOf(c))
    return ok(c, null)
  })
  .delete('/ann', requireUser, mayEdit, jsonBody(announcementRef), async (c) => {
    await deleteAnnouncement(openDb(c.env.DB), c.req.valid('json').annId, changeOf(c))
    return ok(c, null)
  })
