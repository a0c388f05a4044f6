/** Calls about other people's accounts, for admins. */
import type * as z from 'zod'
import { savedUser, userList, type newUser, type UserChange } from '#contract/people/users'
import { pagedQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api/api.ts'

/** GET /user, page by page. @param filter an empty one matches all */
export function usersQuery(filter: { search: string; role: string }) {
  return pagedQuery(['users', 'list', filter], '/user', filter, userList)
}

/** POST /user. */
export function createUser(body: z.input<typeof newUser>) {
  return callApi('/user', savedUser, { method: 'POST', body })
}

/** PATCH /user/{username}. @param etag of the account that was edited; null overwrites */
export function changeUser(username: string, body: UserChange, etag: string | null) {
  return callApi(apiPath`/user/${username}`, savedUser, { method: 'PATCH', body, ifMatch: etag })
}

/** DELETE /user/{username}/sessions. */
export function endUserSessions(username: string) {
  return callApi(apiPath`/user/${username}/sessions`, anything, { method: 'DELETE' })
}

/** DELETE /user/{username}. */
export function eraseUser(username: string) {
  return callApi(apiPath`/user/${username}`, anything, { method: 'DELETE' })
}
