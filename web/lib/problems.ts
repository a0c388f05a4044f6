/** Reads of problems that several features need. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { problem, problemPage, type ProblemItem } from '#contract/problems'
import { apiPath, callApi, queryString } from './api.ts'

/** The most pages of 200 problems that are read. */
const MAX_PAGES = 10

async function allProblems(course: string, signal: AbortSignal): Promise<ProblemItem[]> {
  const items: ProblemItem[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const path: string = `/problem${queryString({ course, limit: 200, cursor })}`
    // Each page names the next one.
    const answer: { items: ProblemItem[]; next: string | null } = await callApi(path, problemPage, {
      signal,
    })
    items.push(...answer.items)
    if (answer.next === null) return items
    cursor = answer.next
  }
  return items
}

/** Every problem of a course, for names beside ids. */
export function courseProblemsQuery(course: string) {
  return queryOptions({
    queryKey: ['problems', course, 'all'],
    queryFn: ({ signal }) => allProblems(course, signal),
    staleTime: 30_000,
  })
}

/** What the problem list is filtered by. */
interface ProblemFilter {
  name: string
  tags: string
}

/** GET /problem, page by page. */
export function problemListQuery(course: string, filter: ProblemFilter) {
  return infiniteQueryOptions({
    queryKey: ['problems', course, 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      callApi(`/problem${queryString({ course, ...filter, cursor: pageParam })}`, problemPage, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
}

/** Path of GET /problem/{id}. */
function problemPath(problemId: number): string {
  return apiPath`/problem/${problemId}`
}

/** GET /problem/{id}. */
export function problemQuery(problemId: number) {
  return queryOptions({
    queryKey: ['problem', problemId],
    queryFn: ({ signal }) => callApi(problemPath(problemId), problem, { signal }),
  })
}
