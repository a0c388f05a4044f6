/** GET /overview. */
import { Hono } from 'hono'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { getOverview } from './queries.ts'

export const overview = new Hono<UserEnv>().get('/overview', requireUser, async (c) =>
  ok(c, await getOverview(c.var.db, c.var.user, nowSeconds())),
)
