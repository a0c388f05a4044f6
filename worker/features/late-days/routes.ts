/** Late days: budgets, and what students ask for. */
import { courseInPath } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'

const missing = () => {
  throw new AppError('not_found')
}

export const lateDays = [
  route('GET /course/:name/late-days', courseInPath, missing),
  route('PUT /course/:name/late-days', courseInPath, missing),
  route('PUT /homework/:id/late-days', homeworkInPath, missing),
]
