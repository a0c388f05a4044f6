/** Calls about a course's members (contract §2, §3). */
import { batchSignupResult, type BatchSignupBody, type BatchSignupResult } from '#contract/auth'
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

/** POST /auth/batch-signup. With `dryRun` nothing is stored. */
export function signUpMany(body: BatchSignupBody) {
  return callApi('/auth/batch-signup', batchSignupResult, { method: 'POST', body })
}

/** The judged rows of a refused sign-up; null for any other failure. */
export function refusedRows(error: unknown): BatchSignupResult | null {
  if (!(error instanceof ApiError)) return null
  const parsed = batchSignupResult.safeParse(error.data)
  return parsed.success ? parsed.data : null
}
