/** Copies of courses and homeworks. */
import { changeOf } from '../../http/change.ts'
import { courseInPath, notPublic } from '../../http/course-guard.ts'
import { route } from '../../http/route.ts'
import { copyCourse } from './course-queries.ts'
import { homeworkAndTarget } from './guard.ts'
import { copyHomework } from './homework-queries.ts'

export const copies = [
  route('POST /course/:name/copy', notPublic(courseInPath), (c, { course, body }) =>
    copyCourse(c.var.db, course, body, changeOf(c)),
  ),
  route('POST /homework/:id/copy', homeworkAndTarget, async (c, { homework, body }) => {
    const { courseName: _, ...form } = body
    return { id: await copyHomework(c.var.db, homework, homework.target, form, changeOf(c)) }
  }),
]
