/** Reads from the database how far an installation is set up. */
import { and, countDistinct, eq, isNull, lte, max, ne } from 'drizzle-orm'
import { PUBLIC_COURSE } from '#contract/fields'
import { ROLES } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import { selectWaitingLinks } from '../auth/sign-up/due-link-queries.ts'
import { courses, noticeMails, runners, users, vitals } from '../../db/schema.ts'

/** Mails that wait: how many, and when the first may go out. */
interface Waiting {
  mails: number
  until: number
}

const waitingOf = (held: readonly Waiting[]): Waiting => ({
  mails: held.reduce((sum, { mails }) => sum + mails, 0),
  until: Math.min(...held.map(({ until }) => until)),
})

/**
 * The times and counts of `vitals` by name, the last heartbeat, whether there is a course and a teacher, and the mails that wait.
 * @param now epoch seconds
 */
export async function getSetupFacts(db: Db, now: number) {
  const [noted, [beat], course, teacher, [links], [notices]] = await db.batch([
    db.select().from(vitals),
    db.select({ at: max(runners.heartbeatAt) }).from(runners),
    db
      .select({ id: courses.id })
      .from(courses)
      .where(and(ne(courses.name, PUBLIC_COURSE), isNull(courses.deletedAt)))
      .limit(1),
    // The account's own role counts: whether a teacher's account has been made.
    db.select({ id: users.id }).from(users).where(eq(users.role, ROLES.teacher)).limit(1),
    selectWaitingLinks(db, null),
    db
      .select({ count: countDistinct(noticeMails.userId) })
      .from(noticeMails)
      .where(lte(noticeMails.dueAt, now)),
  ])
  const times = new Map(noted.map(({ name, value }) => [name, value]))
  const linksUntil = times.get('mails_resume_at') ?? 0
  const noticesUntil = Math.max(linksUntil, times.get('notices_resume_at') ?? 0)
  const held = [
    { mails: links?.count ?? 0, until: linksUntil },
    { mails: notices?.count ?? 0, until: noticesUntil },
  ].filter(({ mails, until }) => mails > 0 && until > now)
  // A host that has not reported yet has the heartbeat 0, which counts as none.
  return {
    times,
    heartbeatAt: beat?.at || null,
    course: course.length > 0,
    teacher: teacher.length > 0,
    waiting: held.length > 0 ? waitingOf(held) : null,
  }
}
export type SetupFacts = Awaited<ReturnType<typeof getSetupFacts>>
