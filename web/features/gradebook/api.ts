/** Queries for the gradebook. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import {
  GRADEBOOK_PAGE,
  gradebookColumns,
  gradebookMark,
  gradebookPage,
  type GradebookParams,
} from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'

/** Poll interval in ms while marks are being computed, for each page of the list, because all pages are read again. */
const REFRESH_MS = 3_000

/** GET /course/{name}/gradebook/columns. */
export function gradebookColumnsQuery(course: string) {
  return apiQuery(['gradebook', course, 'columns'], 'GET /course/:name/gradebook/columns', {
    params: { name: course },
    as: gradebookColumns,
  })
}

/** Which people are read, and in which order. */
export type PeopleFilter = Pick<GradebookParams, 'sort' | 'order'> & { label: string }

/** The key of all lists of a course's people. */
export const peopleKey = (course: string) => ['gradebook', course, 'people']

/** GET /course/{name}/gradebook: a small first page, which is there at once, then large ones. */
export function peopleQuery(course: string, filter: PeopleFilter) {
  return infiniteQueryOptions({
    queryKey: [...peopleKey(course), filter],
    queryFn: ({ signal, pageParam }) =>
      call('GET /course/:name/gradebook', {
        params: { name: course },
        query: {
          ...filter,
          cursor: pageParam,
          limit: pageParam === '' ? GRADEBOOK_PAGE : GRADEBOOK_LIMITS.pagePeople,
        },
        signal,
        as: gradebookPage,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) =>
      (state.data?.pages.at(-1)?.pending ?? 0) > 0
        ? REFRESH_MS * (state.data?.pages.length ?? 1)
        : false,
  })
}

/** GET /course/{name}/gradebook/{columnId}/{username}. */
export function gradebookMarkQuery(course: string, columnId: number, username: string) {
  return apiQuery(
    ['gradebook', course, 'mark', columnId, username],
    'GET /course/:name/gradebook/:columnId/:username',
    { params: { name: course, columnId, username }, as: gradebookMark },
  )
}

/** Reads the gradebook of a course again. */
export function refreshGradebook(course: string): Promise<void> {
  return refresh(['gradebook', course])
}
