/** Calls about courses and their members. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { batchSignupResult, type BatchSignupBody } from '#contract/people/auth'
import { courseItem } from '#contract/courses'
import { userInfo } from '#contract/fields'
import { rolesThatCan } from '#contract/roles'
import { userList } from '#contract/people/users'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'

/** GET /course/{name}/people: people whom the user may want to add. */
export function peopleQuery(course: string, search: string) {
  return apiQuery(['people', course, search], 'GET /course/:name/people', {
    params: { name: course },
    query: { search },
    as: z.array(userInfo),
  })
}

/** POST /auth/batch-signup. With `dryRun` nothing is stored. */
export function signUpMany(body: BatchSignupBody) {
  return call('POST /auth/batch-signup', { body, as: batchSignupResult })
}

/** At most this many people are suggested for each role. */
const SUGGESTED = 10

/** GET /user: teachers and admins whose username, e-mail or name holds the text; for admins. */
export function teachersQuery(search: string) {
  return queryOptions({
    queryKey: ['users', 'teachers', search],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        // Teachers first.
        rolesThatCan('course.create')
          .toReversed()
          .map((role) =>
            call('GET /user', {
              query: { search, role: `${role}`, limit: SUGGESTED },
              signal,
              as: userList,
            }),
          ),
      )
      return lists.flatMap(({ items }) => items)
    },
  })
}

/** GET /course?closed=true. */
export const closedCoursesQuery = apiQuery(['courses', 'closed'], 'GET /course', {
  query: { closed: 'true' },
  as: z.array(courseItem),
})

/** GET /course?deleted=true. */
export const deletedCoursesQuery = apiQuery(['courses', 'deleted'], 'GET /course', {
  query: { deleted: 'true' },
  as: z.array(courseItem),
})
