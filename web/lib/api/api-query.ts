/** Options of queries that are one GET, or a GET page by page. */
import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import type * as z from 'zod'
import { callApi, queryString } from './api.ts'

/** One GET. */
export function apiQuery<T extends z.ZodType>(
  queryKey: QueryKey,
  path: string,
  schema: T,
  options: { staleTime?: number; gcTime?: number; refetchInterval?: number } = {},
) {
  const queryFn = ({ signal }: { signal: AbortSignal }) => callApi(path, schema, { signal })
  return queryOptions({ ...options, queryKey, queryFn })
}

/**
 * A list that goes on by `cursor`.
 * @param filter the other parameters of its query
 * @param schema of a page
 */
export function pagedQuery<T extends z.ZodType<{ next: string | null }>>(
  queryKey: QueryKey,
  path: string,
  filter: Parameters<typeof queryString>[0],
  schema: T,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      callApi(path + queryString({ ...filter, cursor: pageParam }), schema, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
}
