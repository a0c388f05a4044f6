/** The cache of everything read from the API. */
import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError, isLimited, isTransient } from './api-error.ts'
import { isReported } from './error-text.ts'
import { createStore } from '../store.ts'

/** The newest failure of the server that only the layout's toast reports, because nothing else on the page does. */
export const unreportedFailure = createStore<ApiError | null>(null)

/** Notes a failed read, unless the page itself shows the failure. */
export function noteFailedRead(error: unknown): void {
  if (!(error instanceof ApiError) || error.status < 500) return
  // Components hear of the error in a task that was queued before this one.
  setTimeout(() => {
    if (!isReported(error)) unreportedFailure.set(error)
  })
}

/**
 * The app's query client. Refusals are final. A server failure is retried once; a call over a rate limit is retried
 * once after the wait.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailedRead }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && (isTransient(error) || isLimited(error)),
      retryDelay: (_, error) => 1_000 * ((isLimited(error) ? error.retryAfterSeconds : null) ?? 1),
    },
    // A paused mutation would look like a button that does nothing.
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Reads all queries again whose keys begin with one of these: at once if they are shown, else when they are next shown. */
export async function refresh(...keys: QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
