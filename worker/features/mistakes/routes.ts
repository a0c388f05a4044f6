/** /problem/{id}/mistakes and /problem/{id}/hints: groups of people with the same mistake, and hints for them. */
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { problemInPath } from '../problems/guard.ts'

export const mistakes = [
  route('GET /problem/:id/mistakes', problemInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /problem/:id/mistakes/:mistake', problemInPath, () => {
    throw new AppError('not_found')
  }),
  route('PUT /problem/:id/mistakes/merged', problemInPath, () => {
    throw new AppError('not_found')
  }),
]
