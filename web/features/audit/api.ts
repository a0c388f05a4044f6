/** The audit log. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditPage } from '#contract/audit'
import { callApi, queryString } from '../../lib/api.ts'

/** The log's filters; an empty one matches all. */
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
