/** The search of the command palette. */
import { found } from '#contract/search'
import { apiQuery } from '../api/api-query.ts'
import { queryString } from '../api/api.ts'

/** GET /search. */
export function searchQuery(text: string) {
  return apiQuery(['search', text], `/search${queryString({ text })}`, found, { staleTime: 30_000 })
}
