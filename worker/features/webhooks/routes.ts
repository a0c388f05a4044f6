/** The webhook of a course. */
import { courseInPath, notPublic } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'

const later = () => {
  throw new AppError('not_found')
}

export const webhooks = [
  route('GET /course/:name/webhook', notPublic(courseInPath), later),
  route('PUT /course/:name/webhook', notPublic(courseInPath), later),
  route('DELETE /course/:name/webhook', notPublic(courseInPath), later),
  route('POST /course/:name/webhook/trial', notPublic(courseInPath), later),
]
