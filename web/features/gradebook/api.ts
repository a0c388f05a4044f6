/** The people of the gradebook with their marks. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  GRADEBOOK_PAGE,
  gradebookPage,
  type GradebookPage,
  type GradebookParams,
} from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { call } from '../../lib/api/call.ts'

/** Poll interval in ms while marks are being computed, for each page of the list, because all pages are read again. */
const REFRESH_MS = 3_000

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

/** GET /course/{name}/gradebook, all pages in the order of names. */
export function wholeGradebookQuery(course: string) {
  return queryOptions({
    queryKey: ['gradebook', course, 'everybody'],
    queryFn: async ({ signal }) => {
      const pages: GradebookPage[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: GradebookPage = await call('GET /course/:name/gradebook', {
          params: { name: course },
          query: { cursor, limit: GRADEBOOK_LIMITS.pagePeople },
          signal,
          as: gradebookPage,
        })
        pages.push(page)
        cursor = page.next
      }
      return pages
    },
  })
}
