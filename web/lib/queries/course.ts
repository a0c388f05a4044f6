/** The current course, and the user's rights in it. */
import { useOutletContext } from 'react-router'
import { courseDetail, type CourseDetail } from '#contract/courses'
import { can, type Capability, type Standing } from '#contract/roles'
import { apiQuery } from '../api/api-query.ts'

/** GET /course/{name}. */
export function courseQuery(name: string) {
  return apiQuery(
    ['course', name],
    'GET /course/:name',
    { params: { name }, as: courseDetail },
    { staleTime: 30_000 },
  )
}

/** The user's standing in a course: students only read a closed one. */
export function standingIn({ role, closedAt }: Pick<CourseDetail, 'role' | 'closedAt'>): Standing {
  return role === 'student' && closedAt !== null ? 'reader' : role
}

/** The course of this page, and `may`, the check of the user's rights in it. */
export function useCourse(): CourseDetail & { may: (capability: Capability) => boolean } {
  const course = useOutletContext<CourseDetail>()
  return { ...course, may: (capability) => can(standingIn(course), capability) }
}
