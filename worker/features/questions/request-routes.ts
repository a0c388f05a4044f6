/** Requests for other dates. */
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { questionInPath } from './guard.ts'

const missing = () => {
  throw new AppError('not_found')
}

export const requests = [
  route('POST /homework/:id/requests', homeworkInPath, missing),
  route('POST /question/:id/decision', questionInPath, missing),
  route('POST /question/:id/file', questionInPath, missing),
  route('GET /question/:id/file', questionInPath, missing),
]
