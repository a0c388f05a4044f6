/** Calls about courses and their members. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { batchSignupProgress, batchSignupResult, type BatchSignupBody } from '#contract/people/auth'
import { courseItem, type CourseEdit, type MemberChanges } from '#contract/courses'
import { courseName, userInfo } from '#contract/fields'
import { rolesThatCan } from '#contract/roles'
import { userList } from '#contract/people/users'
import { apiQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi, queryString } from '../../lib/api/api.ts'
import { coursePath } from '../../lib/queries/course.ts'

/** GET /course/{name}/people: whom one may want to add. */
export function peopleQuery(course: string, search: string) {
  return apiQuery(
    ['people', course, search],
    `${coursePath(course)}/people${queryString({ search })}`,
    z.array(userInfo),
  )
}

/** PATCH /course/{name}/members. */
export function changeMembers(course: string, body: MemberChanges) {
  return callApi(`${coursePath(course)}/members`, anything, { method: 'PATCH', body })
}

const signupAnswer = z.union([batchSignupResult, batchSignupProgress])

/** POST /auth/batch-signup. With `dryRun` nothing is stored; many new passwords become an operation. */
export function signUpMany(body: BatchSignupBody) {
  return callApi('/auth/batch-signup', signupAnswer, { method: 'POST', body })
}

/** Poll interval of a large sign-up. */
const SIGNUP_POLL_MS = 1_000

/** GET /auth/batch-signup/{jobId}: the progress of a large sign-up, in the end its result. */
export function signupOperationQuery(operationId: string) {
  return queryOptions({
    queryKey: ['signup-operation', operationId],
    queryFn: ({ signal }) =>
      callApi(apiPath`/auth/batch-signup/${operationId}`, signupAnswer, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && 'jobId' in state.data ? SIGNUP_POLL_MS : false,
  })
}

/** PUT /course. @param etag of the read that was edited */
export function saveCourse(body: CourseEdit, etag: string | null) {
  return callApi('/course', z.object({ course: courseName }), {
    method: 'PUT',
    body,
    ifMatch: etag,
  })
}

/** Suggestions of each role. */
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
            callApi(`/user${queryString({ search, role, limit: SUGGESTED })}`, userList, {
              signal,
            }),
          ),
      )
      return lists.flatMap(({ items }) => items)
    },
  })
}

/** DELETE /course. */
export function deleteCourse(course: string) {
  return callApi('/course', anything, { method: 'DELETE', body: { course } })
}

/** GET /course?deleted=true. */
export const deletedCoursesQuery = apiQuery(
  ['courses', 'deleted'],
  '/course?deleted=true',
  z.array(courseItem),
)

/** POST /course/{name}/restore. */
export function restoreCourse(course: string) {
  return callApi(apiPath`/course/${course}/restore`, anything, { method: 'POST' })
}
