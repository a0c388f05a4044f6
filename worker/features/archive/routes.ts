/** Downloads: a course as an archive, the final programs of a homework. */
import type { Context } from 'hono'
import { courseInPath } from '../../http/course-guard.ts'
import { downloadOf } from '../../http/download.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { writeZip, type NewFile } from '../../lib/zip-writer.ts'
import { getCourse } from '../courses/queries.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { getHomework, listHomeworks } from '../homeworks/queries.ts'
import { filesOfCourse } from './course-archive.ts'
import type { Source } from './parts.ts'
import { filesOfHomework } from './programs.ts'
import { listStudents } from './queries.ts'

const sourceOf = (c: Context<UserEnv>): Source => ({
  bucket: c.env.BUCKET,
  db: c.var.db,
  lost: [],
})

const zipOf = (name: string, files: AsyncIterable<NewFile>) =>
  downloadOf(writeZip(files), `${name}.zip`, 'application/zip')

export const archive = [
  route('GET /course/:name/archive', courseInPath, async (c, { course }) => {
    const { db, user } = c.var
    const detail = await getCourse(db, user, course)
    const homeworks = await listHomeworks(db, course, user, nowSeconds(), 'all')
    const content = { course, user, detail, homeworks: homeworks.toReversed() }
    return zipOf(course.name, filesOfCourse(sourceOf(c), content))
  }),
  route('GET /homework/:id/programs', homeworkInPath, async (c, { homework: access, query }) => {
    const { db, user } = c.var
    const found = await getHomework(db, access, user, nowSeconds())
    if (!found) throw new AppError('homework_not_found')
    const { homework } = found
    const students = await listStudents(db, access.courseId, query.label)
    const files = filesOfHomework(sourceOf(c), homework, students)
    return zipOf(`${homework.course} ${homework.name}`, files)
  }),
]
