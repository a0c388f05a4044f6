/** /auth/tokens: personal API tokens, for scripts in their owner's name. */
import { Hono } from 'hono'
import * as z from 'zod'
import { hexId } from '#contract/fields'
import { newToken } from '#contract/people/tokens'
import { changeOf } from '../../http/change.ts'
import { ok } from '../../http/respond.ts'
import { demandFreshPassword, requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody, params } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { deleteToken, insertToken, listTokens } from './queries.ts'

export const tokens = new Hono<UserEnv>()
  .get('/auth/tokens', requireUser, async (c) =>
    ok(c, await listTokens(c.var.db, c.var.user.id, nowSeconds())),
  )
  .post('/auth/tokens', requireUser, jsonBody(newToken), async (c) => {
    demandFreshPassword(c)
    return ok(c, await insertToken(c.var.db, c.req.valid('json'), changeOf(c)))
  })
  .delete('/auth/tokens/:id', requireUser, params(z.object({ id: hexId })), async (c) => {
    await deleteToken(c.var.db, c.req.valid('param').id, changeOf(c))
    return ok(c, null)
  })
