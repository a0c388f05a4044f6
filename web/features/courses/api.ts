/** Calls about a course's members (contract §3). */
import { unknownUsers, type MemberChanges } from '#contract/courses'
import { anything, callApi } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { coursePath } from '../../lib/course.ts'

/** PATCH /course/{name}/members. */
export function changeMembers(course: string, body: MemberChanges) {
  return callApi(`${coursePath(course)}/members`, anything, { method: 'PATCH', body })
}

/** The names nobody has, where that was the refusal; else none. */
export function unknownNames(error: unknown): string[] {
  if (!(error instanceof ApiError)) return []
  const parsed = unknownUsers.safeParse(error.data)
  return parsed.success ? parsed.data.unknown : []
}
