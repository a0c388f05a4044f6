/** Copies of courses and homeworks. */
import { changeOf } from '../../http/change.ts'
import { courseInPath, demandCapability, notPublic } from '../../http/course-guard.ts'
import { findStanding } from '../../db/standing.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { copyCourse } from './course-queries.ts'
import { copyHomework } from './homework-queries.ts'

export const copies = [
  route('POST /course/:name/copy', notPublic(courseInPath), (c, { course, body }) =>
    copyCourse(c.var.db, course, body, changeOf(c)),
  ),
  route('POST /homework/:id/copy', homeworkInPath, async (c, { homework, body }) => {
    const target = await findStanding(c.var.db, c.var.user, body.courseName)
    if (!target) throw new AppError('course_not_found')
    demandCapability(target.standing, 'homework.write', target.name)
    demandCapability(target.standing, 'problem.write', target.name)
    return { id: await copyHomework(c.var.db, homework, target, body, changeOf(c)) }
  }),
]
