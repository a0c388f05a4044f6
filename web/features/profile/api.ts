/** Queries for the user's own account. */
import * as z from 'zod'
import { calendarLink } from '#contract/calendar'
import { sessionItem } from '#contract/people/auth'
import { tokenItem } from '#contract/people/tokens'
import { profile } from '#contract/people/users'
import { apiQuery } from '../../lib/api/api-query.ts'

/** GET /profile/{username}. */
export function profileQuery(username: string) {
  return apiQuery(['profile', username], 'GET /profile/:username', {
    params: { username },
    as: profile,
  })
}

/** GET /auth/sessions. */
export const sessionsQuery = apiQuery(['sessions'], 'GET /auth/sessions', {
  as: z.array(sessionItem),
})

/** GET /auth/tokens. */
export const tokensQuery = apiQuery(['tokens'], 'GET /auth/tokens', { as: z.array(tokenItem) })

/** GET /calendar-link. */
export const calendarLinkQuery = apiQuery(['calendar-link'], 'GET /calendar-link', {
  as: calendarLink,
})
