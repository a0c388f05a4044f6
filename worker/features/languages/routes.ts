/** /languages: how programs are compiled and run. */
import { Hono } from 'hono'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { listLanguages } from './queries.ts'

export const languages = new Hono<UserEnv>().get('/languages', requireUser, async (c) =>
  ok(c, await listLanguages(c.var.db, nowSeconds())),
)
