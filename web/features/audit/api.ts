/** The audit log. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditPage } from '#contract/audit'
import { callApi, queryString } from '../../lib/api.ts'

/** What the log is filtered by; empty means everything. */
interface AuditFilter {
  actor: string
  action: string
}

/** GET /audit, page by page, newest first. */
export function auditEntriesQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      callApi(`/audit${queryString({ ...filter, cursor: pageParam })}`, auditPage, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
}
