/** /languages: how programs are compiled and run. */
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { listLanguages } from './queries.ts'

export const languages = [route('GET /languages', (c) => listLanguages(c.var.db, nowSeconds()))]
