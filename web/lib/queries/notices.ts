/** How many notices are new, for the bell. */
import type { LiveHint } from '#contract/live'
import { noticeCount } from '#contract/notices'
import { apiQuery } from '../api/api-query.ts'
import { queryClient, refresh } from '../api/query-client.ts'

/** GET /notices/count; read again on hints, and when the tab gets the focus after a while. */
export const noticeCountQuery = apiQuery(
  ['notices', 'count'],
  'GET /notices/count',
  { as: noticeCount },
  { staleTime: 60_000 },
)

/** Reads notices again if a hint may tell of a new one. @param hint null: hints may have been missed */
export function refreshNotices(hint: LiveHint | null): void {
  if (hint === null) void queryClient.refetchQueries({ queryKey: ['notices'], stale: true })
  else if (hint.kind !== 'submission' && hint.kind !== 'run') void refresh(['notices'])
}
