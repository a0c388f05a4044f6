/** What staff set: marks, whether students see them, and questions about them. */
import { AppError } from '../../http/errors.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { questionInPath } from '../questions/guard.ts'
import { route } from '../../http/route.ts'

export const markSettings = [
  route('PATCH /course/:name/gradebook', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('PUT /course/:name/gradebook/:columnId/shown', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('PUT /course/:name/gradebook/:columnId/held', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('POST /course/:name/gradebook/:columnId/questions', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('POST /question/:id/regrade', questionInPath, () => {
    throw new AppError('not_found')
  }),
]
