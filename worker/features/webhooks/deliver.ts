/** Sends what is new in courses to their webhooks; the sweeper does it each minute. */
import { and, asc, eq, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { NOTICE_KINDS, WEBHOOK_KINDS } from '#contract/notices'
import type { Db } from '../../db/client.ts'
import { insertNotice } from '../../db/notices.ts'
import { safeError } from '../../db/safe-error.ts'
import { courses, courseWebhooks, notices } from '../../db/schema.ts'
import type { Env } from '../../env.ts'
import { hintCourse } from '../../http/live.ts'
import { CHANNELS } from '../../lib/channel-limits.ts'
import { inTime } from '../../lib/clock.ts'
import { shownSubject } from '../notices/queries.ts'
import { sendEvent, type CourseEvent } from './send.ts'

/**
 * One sweep calls the webhooks of `atOnce` courses at a time, because the platform opens six connections. It begins no call of a course after
 * `courseMs`, and no course after `sweepMs`; a call takes at most 8 s. A course that a dead sweep left is taken after `leaseSeconds`.
 */
const BOUNDS = {
  atOnce: 5,
  courses: 50,
  events: 20,
  courseMs: 4_000,
  sweepMs: 8_000,
  leaseSeconds: 120,
}

/** After a failure a webhook is tried again: after a minute, then after pauses that double, up to the longest one; after `offSeconds` it is off. */
const RETRY = { firstSeconds: 60, longestSeconds: 3_600, offSeconds: 86_400 } as const

type Webhook = typeof courseWebhooks.$inferSelect
type Course = Pick<typeof courses.$inferSelect, 'id' | 'name' | 'timeZone'>

/** The condition for the notices of a course that a webhook gets after a certain one. */
function isNew(courseId: SQL, sentId: SQL): SQL {
  return sql`${notices.courseId} = ${courseId} and ${notices.userId} is null and ${notices.id} > ${sentId}
    and ${inArray(notices.kind, [...WEBHOOK_KINDS])}`
}

const isDue = (now: number) => and(isNull(courseWebhooks.offAt), lte(courseWebhooks.nextTryAt, now))

/** The condition that nobody has set the webhook anew. */
const isStill = ({ courseId, secret }: Webhook) =>
  and(eq(courseWebhooks.courseId, courseId), eq(courseWebhooks.secret, secret))

/** The courses whose webhooks are to be called; those that work come first. */
function listDue(db: Db, now: number): Promise<Course[]> {
  const { courseId, sentId, failingSince, nextTryAt } = courseWebhooks
  return db
    .select({ id: courses.id, name: courses.name, timeZone: courses.timeZone })
    .from(courseWebhooks)
    .innerJoin(courses, and(eq(courses.id, courseId), isNull(courses.deletedAt)))
    .where(
      sql`${isDue(now)} and exists (select 1 from ${notices} where ${isNew(sql`${courseId}`, sql`${sentId}`)})`,
    )
    .orderBy(sql`${failingSince} is not null`, asc(nextTryAt))
    .limit(BOUNDS.courses)
}

/** Takes the webhook of a course, so that no other sweep calls it meanwhile. @returns it with its next events; undefined: another took it */
async function takeWebhook(db: Db, { id, name }: Course, now: number) {
  const isOwn = eq(courseWebhooks.courseId, id)
  const sentId = sql`(select ${courseWebhooks.sentId} from ${courseWebhooks} where ${isOwn})`
  const [[webhook], rows] = await db.batch([
    db
      .update(courseWebhooks)
      .set({ nextTryAt: now + BOUNDS.leaseSeconds })
      .where(and(isOwn, isDue(now)))
      .returning(),
    db
      .select({
        noticeId: notices.id,
        // `isNew` selects no other kinds.
        type: sql<CourseEvent['type']>`${notices.kind}`.as('type'),
        subjectId: shownSubject(notices).as('subjectId'),
        at: notices.createdAt,
      })
      .from(notices)
      .where(isNew(sql`${id}`, sentId))
      .orderBy(asc(notices.id))
      .limit(BOUNDS.events),
  ])
  const events = rows.map(({ noticeId, ...row }) => {
    const event: CourseEvent = { id: `notice_${noticeId}`, course: name, ...row }
    return { noticeId, event }
  })
  return webhook && { webhook, events }
}

/** Stores a failure: when to try again, or that the webhook is off, which the managers of the course are told. */
async function noteFault(
  { env, db }: { env: Env; db: Db },
  course: Course,
  webhook: Webhook,
  fault: string,
  now: number,
): Promise<void> {
  const failingSince = webhook.failingSince ?? now
  const failedSeconds = now - failingSince
  const isOff = failedSeconds >= RETRY.offSeconds
  const pause = Math.min(failedSeconds + RETRY.firstSeconds, RETRY.longestSeconds)
  const noted = { fault, failingSince, nextTryAt: now + pause, offAt: isOff ? now : null }
  const about = { courseId: course.id, timeZone: course.timeZone, subjectId: null, actorId: null }
  const isLeft = sql`exists (select 1 from ${courseWebhooks} where ${isStill(webhook)})`
  await db.batch([
    db.update(courseWebhooks).set(noted).where(isStill(webhook)),
    ...(isOff ? insertNotice(db, { kind: 'webhook_off', ...about, now }, isLeft) : []),
  ])
  const whom = { capability: NOTICE_KINDS.webhook_off.right, but: null }
  if (isOff)
    await inTime(hintCourse(env, db, course.id, { kind: 'notice' }, whom), CHANNELS.answerMs)
}

/** Sends the new events of one course in their order, until one fails. An event counts as sent only once the webhook has taken it. */
async function deliverCourse(env: Env, db: Db, course: Course, now: number): Promise<void> {
  const taken = await takeWebhook(db, course, now)
  if (!taken) return
  const { webhook, events } = taken
  const endMs = Date.now() + BOUNDS.courseMs
  for (const { noticeId, event } of events) {
    if (Date.now() >= endMs) break
    const fault = await sendEvent(env, webhook, event)
    if (fault !== null) {
      await noteFault({ env, db }, course, webhook, fault, now)
      return
    }
    const noted = await db
      .update(courseWebhooks)
      .set({ sentId: noticeId, failingSince: null, fault: null })
      .where(isStill(webhook))
      .returning({ courseId: courseWebhooks.courseId })
    if (noted.length === 0) return
  }
  await db.update(courseWebhooks).set({ nextTryAt: now }).where(isStill(webhook))
}

/** Calls the webhooks of all courses that have news for them. @param now epoch seconds */
export async function deliverWebhooks(env: Env, db: Db, now: number): Promise<void> {
  const left = (await listDue(db, now)).values()
  const endMs = Date.now() + BOUNDS.sweepMs
  const callNext = async (): Promise<void> => {
    for (const course of left) {
      if (Date.now() >= endMs) return
      await deliverCourse(env, db, course, now).catch((error: unknown) =>
        console.error(JSON.stringify({ webhook: course.id, error: safeError(error) })),
      )
    }
  }
  await Promise.all(Array.from({ length: BOUNDS.atOnce }, callNext))
}
