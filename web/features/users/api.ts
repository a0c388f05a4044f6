/** Calls about other people's accounts, for admins. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import type * as z from 'zod'
import { userItem, userList, type newUser, type UserChange } from '#contract/users'
import { anything, apiPath, callApi, queryString } from '../../lib/api.ts'

/** The list's filters; an empty one matches all. */
interface UserFilter {
  search: string
  role: string
}

/** GET /user, page by page. */
export function usersQuery(filter: UserFilter) {
  return infiniteQueryOptions({
    queryKey: ['users', 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      callApi(`/user${queryString({ ...filter, cursor: pageParam })}`, userList, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
}

/** POST /user. */
export function createUser(body: z.input<typeof newUser>) {
  return callApi('/user', userItem, { method: 'POST', body })
}

/** PATCH /user/{username}. @param etag of the account that was edited; null overwrites */
export function changeUser(username: string, body: UserChange, etag: string | null) {
  return callApi(apiPath`/user/${username}`, userItem, { method: 'PATCH', body, ifMatch: etag })
}

/** DELETE /user/{username}. */
export function eraseUser(username: string) {
  return callApi(apiPath`/user/${username}`, anything, { method: 'DELETE' })
}
