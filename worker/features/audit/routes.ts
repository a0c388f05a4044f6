/** GET /audit: the audit log, for admins. */
import * as z from 'zod'
import { COUNT_LIMITS } from '#contract/limits'
import { fromCursor, toPage } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import { listAuditEntries } from './queries.ts'

export const audit = [
  route('GET /audit', async (c, { query }) => {
    const { cursor, limit = COUNT_LIMITS.listItemsDefault, ...filter } = query
    const before = fromCursor(cursor, z.int().min(1))
    const rows = await listAuditEntries(c.var.db, { ...filter, before, limit })
    const page = toPage(rows, limit, (row) => row.id)
    return { items: page.rows, next: page.next }
  }),
]
