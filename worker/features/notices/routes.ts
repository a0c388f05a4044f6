/** What is new for a person, and how they hear of it. */
import { AppError } from '../../http/errors.ts'
import { mailFaults } from '../../http/mail.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { unsubscribe } from './mail-queries.ts'
import { countNew, listNotices } from './queries.ts'
import { getNoticeSettings, markSeen, putNoticeSettings } from './settings-queries.ts'

export const notices = [
  route('GET /notices', (c, { query }) =>
    listNotices(c.var.db, c.var.user.id, query.before, nowSeconds()),
  ),
  route('GET /notices/count', (c) => countNew(c.var.db, c.var.user.id, nowSeconds())),
  route('PUT /notices/seen', (c, { body }) => markSeen(c.var.db, c.var.user.id, body.noticeId)),
  route('GET /notices/settings', (c) =>
    getNoticeSettings(c.var.db, c.var.user, mailFaults(c.env).length === 0),
  ),
  route('PUT /notices/settings', (c, { body }) => putNoticeSettings(c.var.db, c.var.user, body)),
  route('POST /notices/unsubscribe', async (c, { query }) => {
    if (!(await unsubscribe(c.var.db, query.token))) throw new AppError('bad_link')
  }),
]
