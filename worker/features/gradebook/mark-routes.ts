/** Marks with their derivations: a cell for staff, a student's own. */
import { AppError } from '../../http/errors.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { route } from '../../http/route.ts'

export const marks = [
  route('GET /course/:name/gradebook/:columnId/:username', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /course/:name/marks', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /course/:name/marks/:username', courseInPath, () => {
    throw new AppError('not_found')
  }),
]
