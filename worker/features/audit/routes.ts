/** GET /audit: the audit log, for admins. */
import { Hono } from 'hono'
import * as z from 'zod'
import { auditParams } from '#contract/audit'
import { COUNT_LIMITS } from '#contract/limits'
import { inInstallation } from '../../http/installation-guard.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { query } from '../../http/validate.ts'
import { listAuditEntries } from './queries.ts'

export const audit = new Hono<UserEnv>().get(
  '/audit',
  requireUser,
  inInstallation('audit.read'),
  query(auditParams),
  async (c) => {
    const { cursor, limit = COUNT_LIMITS.listItemsDefault, ...filter } = c.req.valid('query')
    const before = fromCursor(cursor, z.int().min(1))
    const rows = await listAuditEntries(c.var.db, { ...filter, before, limit })
    const page = toPage(rows, limit, (row) => row.id)
    return ok(c, { items: page.rows, next: page.next })
  },
)
