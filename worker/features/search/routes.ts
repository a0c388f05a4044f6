/** GET /search. */
import { Hono } from 'hono'
import { searchParams } from '#contract/search'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findNamed } from './queries.ts'

export const search = new Hono<UserEnv>().get(
  '/search',
  requireUser,
  query(searchParams),
  async (c) =>
    ok(c, await findNamed(c.var.db, c.var.user, c.req.valid('query').text, nowSeconds())),
)
