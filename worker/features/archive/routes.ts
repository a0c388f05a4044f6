/** Downloads: a course as an archive, the final programs of a homework. */
import { courseInPath } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'

const missing = () => {
  throw new AppError('not_found')
}

export const archive = [
  route('GET /course/:name/archive', courseInPath, missing),
  route('GET /homework/:id/programs', homeworkInPath, missing),
]
