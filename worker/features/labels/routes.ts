/** Labels of a course’s members: write the list, and give students their labels. `GET /course/:name` shows them. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { editedVersion } from '../../http/edit-tag.ts'
import { tellCourse } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { changeMemberLabels, replaceLabels } from './edit-queries.ts'

/** Tells students that their dates in homeworks have changed. */
function tellOf<E extends UserEnv>(
  c: Context<E>,
  courseId: number,
  { homeworkIds, userIds }: { homeworkIds: string[]; userIds: number[] },
): void {
  if (userIds.length === 0) return
  const among = sql`select value from json_each(${JSON.stringify(userIds)})`
  for (const homeworkId of homeworkIds)
    tellCourse(c, courseId, { kind: 'homework', homeworkId }, 'course.read', among)
}

export const labels = [
  route('PUT /course/:name/labels', courseInPath, async (c, { course, body }) => {
    const {
      labels: list,
      kept,
      ...told
    } = await replaceLabels(c.var.db, course, body, editedVersion(c), changeOf(c))
    tellOf(c, course.id, told)
    return { labels: list, kept }
  }),
  route('PATCH /course/:name/labels/members', courseInPath, async (c, { course, body }) => {
    const { kept, ...told } = await changeMemberLabels(
      c.var.db,
      course,
      body,
      editedVersion(c),
      changeOf(c),
    )
    tellOf(c, course.id, told)
    return { kept }
  }),
]
