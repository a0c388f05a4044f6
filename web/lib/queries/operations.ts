/** Operations that the user has started in this browser, so that they can leave and come back. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { operationStatus } from '#contract/operations'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { useSession } from '../session/session.ts'
import { readStored, removeStored, writeStored } from '../storage.ts'

/** Poll interval of a running operation. */
const POLL_MS = 1_000
/** Of one that has queued its jobs, while some of them wait. */
const WAITING_POLL_MS = 5_000

/** GET /jobs/{jobId}, polled while it runs. */
export function operationQuery(operationId: string) {
  return queryOptions({
    queryKey: ['operation', operationId],
    queryFn: ({ signal }) =>
      call('GET /jobs/:jobId', { params: { jobId: operationId }, signal, as: operationStatus }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'running') return POLL_MS
      return (data?.waiting ?? 0) > 0 ? WAITING_POLL_MS : false
    },
  })
}

/**
 * The newest operation on a subject, kept per person in this browser until it is dismissed.
 * @param subject e.g. `rejudge:problem:4`
 */
export function useKnownOperation(subject: string) {
  const { user } = useSession()
  const storageKey = `job:${user?.username.toLowerCase()}:${subject}`
  const queryKey = ['known-operation', storageKey]
  const { data: operationId = null } = useQuery({
    queryKey,
    queryFn: () => readStored(storageKey),
    staleTime: Infinity,
    networkMode: 'always',
  })

  function know(next: string | null) {
    if (next === null) removeStored(storageKey)
    else writeStored(storageKey, next)
    queryClient.setQueryData(queryKey, next)
  }

  return { operationId, know }
}
