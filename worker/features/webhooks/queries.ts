/** The webhook of a course: reads, sets and removes it. */
import { eq, sql } from 'drizzle-orm'
import type { CourseWebhook } from '#contract/course-webhooks'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { courseWebhooks, notices } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { newWebhookSecret } from './send.ts'

const isOf = ({ id }: CourseStanding) => eq(courseWebhooks.courseId, id)

/** The webhook with its secret. @throws AppError `webhook_not_found` */
export async function findWebhook(db: Db, course: CourseStanding) {
  const row = await db.select().from(courseWebhooks).where(isOf(course)).get()
  if (!row) throw new AppError('webhook_not_found')
  return row
}

/** The webhook as its course's staff see it, without the secret. */
export async function getWebhook(db: Db, course: CourseStanding): Promise<CourseWebhook> {
  const { url, createdAt: createTime, failingSince, fault, offAt } = courseWebhooks
  const columns = { url, createTime, failingSince, fault, offAt }
  const row = await db.select(columns).from(courseWebhooks).where(isOf(course)).get()
  return row ?? null
}

/** Sets the address, which gets what is new from now on. @returns the secret, which nobody can read again */
export async function setWebhook(
  db: Db,
  course: CourseStanding,
  url: string,
  change: Change,
): Promise<{ secret: string }> {
  const secret = newWebhookSecret()
  const sentId = sql`(select coalesce(max(${notices.id}), 0) from ${notices})`
  await db.batch([
    db.delete(courseWebhooks).where(isOf(course)),
    db
      .insert(courseWebhooks)
      .values({ courseId: course.id, url, secret, sentId, createdAt: change.now }),
    insertAudit(db, change, {
      action: 'webhook.set',
      subject: course.name,
      // The rest of the address may be a secret.
      detail: { host: new URL(url).host },
    }),
  ])
  return { secret }
}

/** Removes the webhook, if there is one. */
export async function deleteWebhook(db: Db, course: CourseStanding, change: Change): Promise<void> {
  await db.batch([
    insertAudit(db, change, {
      action: 'webhook.delete',
      subject: course.name,
      when: sql`exists (select 1 from ${courseWebhooks} where ${isOf(course)})`,
    }),
    db.delete(courseWebhooks).where(isOf(course)),
  ])
}
