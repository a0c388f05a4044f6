/** Copies of courses and homeworks. */
import { courseInPath } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'

const missing = () => {
  throw new AppError('not_found')
}

export const copies = [
  route('POST /course/:name/copy', courseInPath, missing),
  route('POST /homework/:id/copy', homeworkInPath, missing),
]
