/** The search of the command palette. */
import { found } from '#contract/search'
import { apiQuery } from '../api/api-query.ts'

/** GET /search. */
export function searchQuery(text: string) {
  return apiQuery(
    ['search', text],
    'GET /search',
    { query: { text }, as: found },
    { staleTime: 30_000 },
  )
}
