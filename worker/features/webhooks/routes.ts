/** The webhook of a course. */
import { changeOf } from '../../http/change.ts'
import { courseInPath, notPublic } from '../../http/course-guard.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newHexId } from '../../lib/ids.ts'
import { deleteWebhook, findWebhook, getWebhook, setWebhook } from './queries.ts'
import { sendEvent } from './send.ts'

const ofPath = notPublic(courseInPath)

export const webhooks = [
  route('GET /course/:name/webhook', ofPath, (c, { course }) => getWebhook(c.var.db, course)),
  route('PUT /course/:name/webhook', ofPath, (c, { course, body }) =>
    setWebhook(c.var.db, course, body.url, changeOf(c)),
  ),
  route('DELETE /course/:name/webhook', ofPath, (c, { course }) =>
    deleteWebhook(c.var.db, course, changeOf(c)),
  ),
  route('POST /course/:name/webhook/trial', ofPath, async (c, { course }) => {
    const fault = await sendEvent(c.env, await findWebhook(c.var.db, course), {
      id: `test_${newHexId(Date.now())}`,
      type: 'test',
      course: course.name,
      subjectId: null,
      at: nowSeconds(),
    })
    return { fault }
  }),
]
