/** Reads from the database how far an installation is set up. */
import { and, eq, isNull, max, ne } from 'drizzle-orm'
import { PUBLIC_COURSE } from '#contract/fields'
import { ROLES } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import { selectWaitingLinks } from '../auth/sign-up/due-link-queries.ts'
import { courses, runners, users, vitals } from '../../db/schema.ts'

/**
 * The times and counts of `vitals` by name, the last heartbeat, whether there is a course and a teacher, and the mails that wait.
 * @param now epoch seconds
 */
export async function getSetupFacts(db: Db, now: number) {
  const [noted, [beat], course, teacher, [links]] = await db.batch([
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
  ])
  const times = new Map(noted.map(({ name, value }) => [name, value]))
  const [mails, until] = [links?.count ?? 0, times.get('mails_resume_at') ?? 0]
  // A host that has not reported yet has the heartbeat 0, which counts as none.
  return {
    times,
    heartbeatAt: beat?.at || null,
    course: course.length > 0,
    teacher: teacher.length > 0,
    waiting: mails > 0 && until > now ? { mails, until } : null,
  }
}
export type SetupFacts = Awaited<ReturnType<typeof getSetupFacts>>
