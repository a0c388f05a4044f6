/** Comments on the programs of everybody with the same mistake, a question each. */
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { problemInPath } from '../problems/guard.ts'

export const mistakeComments = [
  route('POST /problem/:id/mistakes/:mistake/questions', problemInPath, () => {
    throw new AppError('not_found')
  }),
]
