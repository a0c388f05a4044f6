/** Calls of copy detection. */
import { queryOptions } from '@tanstack/react-query'
import { copycatComparison, copycatStarted, copycatState } from '#contract/copycat'
import { apiQuery } from '../../lib/api/api-query.ts'
import { isRefusal } from '../../lib/api/api-error.ts'
import { anything, apiPath, callApi, queryString } from '../../lib/api/api.ts'

/** Poll interval of a running search. */
const POLL_MS = 1_000

/** GET /copycat, polled while a search runs; null before the first search. */
export function copycatQuery(course: string, problemId: number) {
  return queryOptions({
    queryKey: ['copycat', problemId],
    queryFn: async ({ signal }) => {
      try {
        const path = `/copycat${queryString({ course, problemId })}`
        return await callApi(path, copycatState, { signal })
      } catch (error) {
        if (isRefusal(error, 'report_not_found')) return null
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  })
}

/** POST /copycat. */
export function startSearch(course: string, problemId: number) {
  return callApi('/copycat', copycatStarted, { method: 'POST', body: { course, problemId } })
}

/** DELETE /copycat. */
export function stopSearch(course: string, problemId: number) {
  return callApi('/copycat', anything, { method: 'DELETE', body: { course, problemId } })
}

/** GET /copycat/{problemId}/pair. The code of a submission never changes. */
export function pairQuery(problemId: number, left: string, right: string) {
  return apiQuery(
    ['copycat', problemId, 'pair', left, right],
    apiPath`/copycat/${problemId}/pair` + queryString({ left, right }),
    copycatComparison,
  )
}
