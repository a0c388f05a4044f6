/** The cache of everything read from the API. */
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { isTransient } from './api-error.ts'

/** The app's query client. Refusals are final; server failures are retried once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isTransient(error),
    },
    // A paused mutation would look like a button that does nothing.
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Has what these keys begin read again: at once where it is shown, else when it is next shown. */
export async function refresh(...keys: QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
