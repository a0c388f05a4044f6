/** Computing all marks of a course anew. */
import { AppError } from '../../http/errors.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { route } from '../../http/route.ts'

export const rebuild = [
  route('POST /course/:name/gradebook/rebuild', courseInPath, () => {
    throw new AppError('not_found')
  }),
]
