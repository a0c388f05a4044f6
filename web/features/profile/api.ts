/** Calls about the user's own account. */
import * as z from 'zod'
import { sessionItem, type AskEmailBody, type ChangePasswordBody } from '#contract/people/auth'
import { createdToken, tokenItem, type NewToken } from '#contract/people/tokens'
import { profile, type ProfileChange } from '#contract/people/users'
import { apiQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api/api.ts'

/** Path of GET /profile/{username}. */
export function profilePath(username: string): string {
  return apiPath`/profile/${username}`
}

/** GET /profile/{username}. */
export function profileQuery(username: string) {
  return apiQuery(['profile', username], profilePath(username), profile)
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
export const sessionsQuery = apiQuery(['sessions'], '/auth/sessions', z.array(sessionItem))

/** DELETE /auth/sessions/{id}. */
export function endSession(id: string) {
  return callApi(apiPath`/auth/sessions/${id}`, anything, { method: 'DELETE' })
}

/** GET /auth/tokens. */
export const tokensQuery = apiQuery(['tokens'], '/auth/tokens', z.array(tokenItem))

/** POST /auth/tokens. */
export function createToken(body: NewToken) {
  return callApi('/auth/tokens', createdToken, { method: 'POST', body })
}

/** DELETE /auth/tokens/{id}. */
export function revokeToken(id: string) {
  return callApi(apiPath`/auth/tokens/${id}`, anything, { method: 'DELETE' })
}
