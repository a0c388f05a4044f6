/** GET /search. */
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findNamed } from './queries.ts'

export const search = [
  route('GET /search', (c, { query }) => findNamed(c.var.db, c.var.user, query.text, nowSeconds())),
]
