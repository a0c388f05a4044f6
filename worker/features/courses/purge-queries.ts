/** Taking courses away for good that nobody can restore any more. */
import { sql } from 'drizzle-orm'
import { COURSE_PURGE_SECONDS, SWEEP } from '#contract/limits'
import { auditEntries, courses, problems, submissions } from '../../db/schema.ts'
import { execute, type Db } from '../../db/client.ts'

/**
 * A bounded part of the work: some submissions, with their code and judgements; one problem without submissions, with
 * its test data (each version that goes costs a look through the judgements); a course that holds neither. What the
 * rows named in R2 goes with the sweeper's walk through it.
 * @param now epoch seconds
 */
export async function purgeCourses(db: Db, now: number): Promise<void> {
  const isOver = sql`c.deleted_at < ${now - COURSE_PURGE_SECONDS}`
  const isEmpty = sql`not exists (select 1 from submissions s where s.course_id = c.id)
    and not exists (select 1 from problems p where p.course_id = c.id)`
  await db.batch([
    execute(
      db,
      sql`delete from ${submissions} where id in (select s.id from courses c join submissions s on s.course_id = c.id
        where ${isOver} limit ${SWEEP.purgedSubmissions})`,
    ),
    execute(
      db,
      sql`delete from ${problems} where id = (select p.id from courses c join problems p on p.course_id = c.id
        where ${isOver} and not exists (select 1 from submissions s where s.problem_id = p.id) limit 1)`,
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
