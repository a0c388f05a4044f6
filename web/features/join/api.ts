/** What the page for joining reads. */
import { joinOffer } from '#contract/joining'
import { apiQuery } from '../../lib/api/api-query.ts'

/** POST /join/look: the course of a code. It is a POST so that no server's log has the code. */
export function offerQuery(code: string) {
  return apiQuery(['join', code], 'POST /join/look', { body: { code }, as: joinOffer })
}
