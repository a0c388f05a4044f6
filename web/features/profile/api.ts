/** Calls about the user's own account. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { sessionItem, type AskEmailBody, type ChangePasswordBody } from '#contract/auth'
import { createdToken, tokenItem, type NewToken } from '#contract/tokens'
import { profile, type ProfileChange } from '#contract/users'
import { anything, apiPath, callApi } from '../../lib/api.ts'

/** Path of GET /profile/{username}. */
export function profilePath(username: string): string {
  return apiPath`/profile/${username}`
}

/** GET /profile/{username}. */
export function profileQuery(username: string) {
  return queryOptions({
    queryKey: ['profile', username],
    queryFn: ({ signal }) => callApi(profilePath(username), profile, { signal }),
  })
}

/** POST /profile. @param etag of the read that was edited; null overwrites */
export function saveProfile(body: ProfileChange, etag: string | null) {
  return callApi('/profile', anything, { method: 'POST', body, ifMatch: etag })
}

/** POST /auth/change-password. */
export function changePassword(body: ChangePasswordBody) {
  return callApi('/auth/change-password', anything, { method: 'POST', body })
}

/** POST /auth/email: mails a link that confirms the current address, or a new one. */
export function askEmail(body: AskEmailBody) {
  return callApi('/auth/email', anything, { method: 'POST', body })
}

/** GET /auth/sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callApi('/auth/sessions', z.array(sessionItem), { signal }),
})

/** DELETE /auth/sessions/{id}. */
export function endSession(id: string) {
  return callApi(apiPath`/auth/sessions/${id}`, anything, { method: 'DELETE' })
}

/** GET /auth/tokens. */
export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => callApi('/auth/tokens', z.array(tokenItem), { signal }),
})

/** POST /auth/tokens. */
export function createToken(body: NewToken) {
  return callApi('/auth/tokens', createdToken, { method: 'POST', body })
}

/** DELETE /auth/tokens/{id}. */
export function revokeToken(id: string) {
  return callApi(apiPath`/auth/tokens/${id}`, anything, { method: 'DELETE' })
}
