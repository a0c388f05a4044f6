/** Codes, invitations, and joining and leaving a course. */
import { courseInPath, notPublic } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'

const later = () => {
  throw new AppError('not_found')
}

export const joining = [
  route('GET /course/:name/joining', notPublic(courseInPath), later),
  route('POST /course/:name/join-codes', notPublic(courseInPath), later),
  route('PATCH /course/:name/join-codes/:codeId', notPublic(courseInPath), later),
  route('POST /course/:name/invitations', notPublic(courseInPath), later),
  route('PATCH /course/:name/join-requests', notPublic(courseInPath), later),
  route('POST /course/:name/leave', notPublic(courseInPath), later),
  route('POST /join/look', later),
  route('POST /join', later),
  route('POST /join/account', later),
]
