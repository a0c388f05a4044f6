/** Background jobs that the reader has started here, so that they can be left and found again. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { jobStatus } from '#contract/jobs'
import { apiPath, callApi } from './api.ts'
import { useSession } from './session.ts'
import { readStored, removeStored, writeStored } from './storage.ts'

/** How often a running job is asked about. */
const POLL_MS = 1_000

/** GET /jobs/{jobId}; again and again while it runs. */
export function jobQuery(jobId: string) {
  return queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => callApi(apiPath`/jobs/${jobId}`, jobStatus, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  })
}

/**
 * The newest job of a place, kept per person in this browser until it is dismissed.
 * @param place e.g. `rejudge:problem:4`
 */
export function useKnownJob(place: string) {
  const client = useQueryClient()
  const { user } = useSession()
  const storageKey = `job:${user?.username.toLowerCase()}:${place}`
  const queryKey = ['known-job', storageKey]
  const { data: jobId = null } = useQuery({
    queryKey,
    queryFn: () => readStored(storageKey),
    staleTime: Infinity,
    networkMode: 'always',
  })

  function know(next: string | null) {
    if (next === null) removeStored(storageKey)
    else writeStored(storageKey, next)
    client.setQueryData(queryKey, next)
  }

  return { jobId, know }
}
