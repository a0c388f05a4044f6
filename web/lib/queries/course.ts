/** The current course, and the user's rights in it. */
import { useOutletContext } from 'react-router'
import { courseDetail, type CourseDetail } from '#contract/courses'
import { can, type Capability } from '#contract/roles'
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

/** The course of this page, and `may`, the check of the user's rights in it. */
export function useCourse(): CourseDetail & { may: (capability: Capability) => boolean } {
  const course = useOutletContext<CourseDetail>()
  return { ...course, may: (capability) => can(course.role, capability) }
}
