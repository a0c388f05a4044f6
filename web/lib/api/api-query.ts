/** Options of queries that are one GET, or a GET page by page. */
import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import type * as z from 'zod'
import type { Route } from '#contract/calls'
import { makeCall, type AnyInput, type CallInput, type ReaderOf } from './call.ts'

/** One GET. @param input as for `call` */
export function apiQuery<R extends Route, Reader extends ReaderOf<R>>(
  queryKey: QueryKey,
  route: R,
  input: CallInput<R> & { as: Reader },
  options: { staleTime?: number; gcTime?: number; refetchInterval?: number } = {},
) {
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    makeCall(route, { ...(input as AnyInput), signal }) as Promise<z.output<Reader>>
  return queryOptions({ ...options, queryKey, queryFn })
}

/** A list that is read page by page, by `cursor`. @param input as for `call`, without the cursor */
export function pagedQuery<
  R extends Route,
  Reader extends ReaderOf<R> & z.ZodType<{ next: string | null }>,
>(queryKey: QueryKey, route: R, input: CallInput<R> & { as: Reader }) {
  const { query, ...rest } = input as AnyInput
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      makeCall(route, { ...rest, query: { ...query, cursor: pageParam }, signal }) as Promise<
        z.output<Reader>
      >,
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
}
