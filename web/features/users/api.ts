/** Queries for other people's accounts, used by admins. */
import { userList } from '#contract/people/users'
import { pagedQuery } from '../../lib/api/api-query.ts'

/** GET /user, page by page. @param filter an empty one matches all */
export function usersQuery(filter: { search: string; role: string }) {
  return pagedQuery(['users', 'list', filter], 'GET /user', { query: filter, as: userList })
}
