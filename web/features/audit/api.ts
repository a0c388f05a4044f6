/** The audit log. */
import { auditPage } from '#contract/audit'
import { pagedQuery } from '../../lib/api/api-query.ts'

/** GET /audit, page by page, newest first. @param filter an empty one matches all */
export function auditEntriesQuery(filter: { actor: string; action: string }) {
  return pagedQuery(['audit', filter], 'GET /audit', { query: filter, as: auditPage })
}
