/** Labels of a course’s members.*/
import { courseInPath } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'

const missing = () => {
  throw new AppError('not_found')
}

export const labels = [
  route('PUT /course/:name/labels', courseInPath, missing),
  route('PATCH /course/:name/labels/members', courseInPath, missing),
]
