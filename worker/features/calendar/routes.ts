/** The calendar feed and the secret link to it. */
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { calendarOf } from './feed.ts'
import { endLink, findLinkOwner, findLinkTime, listDueTimes, makeLink } from './queries.ts'

export const calendar = [
  route('GET /calendar', async (c, { query }) => {
    const owner = await findLinkOwner(c.var.db, query.token)
    if (!owner) throw new AppError('bad_link')
    const origin = c.env.WEB_ORIGIN ?? new URL(c.req.url).origin
    return c.body(calendarOf(await listDueTimes(c.var.db, owner), origin), 200, {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Cache-Control': 'private, max-age=3600',
    })
  }),
  route('GET /calendar-link', async (c) => ({
    createdAt: await findLinkTime(c.var.db, c.var.user.id),
  })),
  route('POST /calendar-link', async (c) => {
    const token = await makeLink(c.var.db, changeOf(c))
    return { url: `${new URL(c.req.url).origin}/api/calendar?token=${token}` }
  }),
  route('DELETE /calendar-link', (c) => endLink(c.var.db, changeOf(c))),
]
