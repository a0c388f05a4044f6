/** The gradebook: columns, people with marks, its file, and statistics. */
import { AppError } from '../../http/errors.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { route } from '../../http/route.ts'

export const gradebook = [
  route('GET /course/:name/gradebook', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /course/:name/gradebook/columns', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('PUT /course/:name/gradebook/columns', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /course/:name/gradebook/file', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /homework/:id/statistics', homeworkInPath, () => {
    throw new AppError('not_found')
  }),
]
