/** Reads of problems that several features need. */
import { queryOptions } from '@tanstack/react-query'
import { problem, problemPage, type ProblemItem } from '#contract/problems'
import { apiQuery, pagedQuery } from '../api/api-query.ts'
import { apiPath, callApi, queryString } from '../api/api.ts'

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

/** GET /problem, page by page. */
export function problemListQuery(course: string, filter: { name: string; tags: string }) {
  const key = ['problems', course, 'list', filter]
  return pagedQuery(key, '/problem', { course, ...filter }, problemPage)
}

/** GET /problem/{id}. */
export function problemQuery(problemId: number) {
  return apiQuery(['problem', problemId], apiPath`/problem/${problemId}`, problem)
}
