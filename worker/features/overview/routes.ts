/** GET /overview. */
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { getOverview } from './queries.ts'

export const overview = [
  route('GET /overview', (c) => getOverview(c.var.db, c.var.user, nowSeconds())),
]
