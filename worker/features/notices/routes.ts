/** What is new for a person, and how they hear of it. */
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'

const later = () => {
  throw new AppError('not_found')
}

export const notices = [
  route('GET /notices', later),
  route('GET /notices/count', later),
  route('PUT /notices/seen', later),
  route('GET /notices/settings', later),
  route('PUT /notices/settings', later),
  route('POST /notices/unsubscribe', later),
]
