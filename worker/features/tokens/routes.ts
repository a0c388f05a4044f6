/** /auth/tokens: personal API tokens, for scripts in their owner's name. */
import { changeOf } from '../../http/change.ts'
import { route } from '../../http/route.ts'
import { demandFreshPassword } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { deleteToken, insertToken, listTokens } from './queries.ts'

export const tokens = [
  route('GET /auth/tokens', (c) => listTokens(c.var.db, c.var.user.id, nowSeconds())),
  route('POST /auth/tokens', async (c, { body }) => {
    demandFreshPassword(c)
    return insertToken(c.var.db, body, changeOf(c))
  }),
  route('DELETE /auth/tokens/:id', (c, { params }) =>
    deleteToken(c.var.db, params.id, changeOf(c)),
  ),
]
