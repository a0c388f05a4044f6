/** Queries for copy detection. */
import { queryOptions } from '@tanstack/react-query'
import { copycatComparison, copycatState } from '#contract/copycat'
import { apiQuery } from '../../lib/api/api-query.ts'
import { isRefusal } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'

/** Poll interval of a running search. */
const POLL_MS = 1_000

/** GET /copycat, polled while a search runs; null before the first search. */
export function copycatQuery(course: string, problemId: number) {
  return queryOptions({
    queryKey: ['copycat', problemId],
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /copycat', {
          query: { course, problemId },
          signal,
          as: copycatState,
        })
      } catch (error) {
        if (isRefusal(error, 'report_not_found')) return null
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  })
}

/** GET /copycat/{problemId}/pair. The code of a submission never changes. */
export function pairQuery(problemId: number, left: string, right: string) {
  return apiQuery(['copycat', problemId, 'pair', left, right], 'GET /copycat/:id/pair', {
    params: { id: problemId },
    query: { left, right },
    as: copycatComparison,
  })
}
