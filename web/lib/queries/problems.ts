/** Queries for problems that several features need. */
import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod'
import { problem, problemPage, type ProblemItem } from '#contract/problems'
import { apiQuery, pagedQuery } from '../api/api-query.ts'
import { call } from '../api/call.ts'

/** At most this many pages of 200 problems are read. */
const MAX_PAGES = 10

async function allProblems(course: string, signal: AbortSignal): Promise<ProblemItem[]> {
  const items: ProblemItem[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // Read one after the other, because each page names the next one.
    const answer: z.output<typeof problemPage> = await call('GET /problem', {
      query: { course, limit: 200, cursor },
      signal,
      as: problemPage,
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
  return pagedQuery(key, 'GET /problem', { query: { course, ...filter }, as: problemPage })
}

/** GET /problem/{id}. */
export function problemQuery(problemId: number) {
  return apiQuery(['problem', problemId], 'GET /problem/:id', {
    params: { id: problemId },
    as: problem,
  })
}
