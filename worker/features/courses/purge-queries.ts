/** Taking courses away for good that nobody can restore any more. */
import { sql } from 'drizzle-orm'
import { COURSE_PURGE_SECONDS, SWEEP } from '#contract/limits'
import { auditEntries, courses, problems, submissions, testDataVersions } from '../../db/schema.ts'
import { execute, type Db } from '../../db/client.ts'

/**
 * Marks what is over, and takes away a week later what was marked; of that a bounded part: some submissions, with their code and judgements; one version of test data of a problem
 * without submissions (each costs a look through all judgements, so a problem may not take all of its own at once); one
 * problem without either; a course that holds neither. What the rows named in R2 goes with the sweeper's walk through it.
 * @param now epoch seconds
 */
export async function purgeCourses(db: Db, now: number): Promise<void> {
  const isOver = sql`c.deleted_at < ${now - COURSE_PURGE_SECONDS} and c.purge_marked_at <= ${now - SWEEP.markedSeconds}`
  const isUntried = sql`not exists (select 1 from submissions s where s.problem_id = p.id)`
  const isEmpty = sql`not exists (select 1 from submissions s where s.course_id = c.id)
    and not exists (select 1 from problems p where p.course_id = c.id)`
  await db.batch([
    execute(
      db,
      sql`update ${courses} set purge_marked_at = ${now}
        where deleted_at < ${now - COURSE_PURGE_SECONDS} and purge_marked_at is null`,
    ),
    execute(
      db,
      sql`delete from ${submissions} where id in (select s.id from courses c join submissions s on s.course_id = c.id
        where ${isOver} limit ${SWEEP.purgedSubmissions})`,
    ),
    execute(
      db,
      // Cross joins keep this order, which begins with the few courses that are over.
      sql`delete from ${testDataVersions} where id = (select v.id from courses c
        cross join problems p on p.course_id = c.id cross join test_data_versions v on v.problem_id = p.id
        where ${isOver} and ${isUntried} limit 1)`,
    ),
    execute(
      db,
      sql`delete from ${problems} where id = (select p.id from courses c join problems p on p.course_id = c.id
        where ${isOver} and ${isUntried}
          and not exists (select 1 from test_data_versions v where v.problem_id = p.id) limit 1)`,
    ),
    execute(
      db,
      sql`insert into ${auditEntries} (created_at, action, subject, detail, ip)
        select ${now}, 'course.purge', c.name, '{}', '' from courses c where ${isOver} and ${isEmpty}`,
    ),
    execute(
      db,
      sql`delete from ${courses} where id in (select c.id from courses c where ${isOver} and ${isEmpty})`,
    ),
  ])
}
