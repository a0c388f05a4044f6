/** Operations that the user has started, kept in this browser so that the user can leave and come back. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { operationStatus, type OperationStatus } from '#contract/operations'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { useSession } from '../session/session.ts'
import { readStored, removeStored, writeStored } from '../storage.ts'

/** Poll interval of a running operation. Each poll of a rejudge counts what is left to judge, so a large rejudge is polled less often. */
const POLL_MS = { least: 1_000, perSubmission: 10 }

/** Milliseconds until an operation is read again; false if it does not run, or waits for the user. */
export function operationPollMs(operation: OperationStatus | undefined): number | false {
  if (operation?.state !== 'running') return false
  const { rejudge, total, done } = operation
  if (rejudge?.phase === 'ready' || rejudge?.phase === 'outdated') return false
  return rejudge?.phase === 'judging'
    ? Math.max(POLL_MS.least, POLL_MS.perSubmission * (total - done))
    : POLL_MS.least
}

/** GET /jobs/{jobId}, polled while it runs. */
export function operationQuery(operationId: string) {
  return queryOptions({
    queryKey: ['operation', operationId],
    queryFn: ({ signal }) =>
      call('GET /jobs/:jobId', { params: { jobId: operationId }, signal, as: operationStatus }),
    refetchInterval: ({ state }) => operationPollMs(state.data),
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
