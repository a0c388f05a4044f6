/** Purges courses that can no longer be restored. */
import { and, isNull, lt, sql } from 'drizzle-orm'
import {
  auditEntries,
  courses,
  orphans,
  packs,
  problems,
  questions,
  submissions,
  testDataVersions,
} from '../../db/schema.ts'
import type { Db } from '../../db/client.ts'
import { SWEEP } from '../../db/retention.ts'
import { insertSelect } from '../../db/statements.ts'
import { COURSE_RESTORE_SECONDS } from './queries.ts'

/** How long after its deletion a course is purged: a day more, so that no restore is cut short. Seconds. */
export const COURSE_PURGE_SECONDS = COURSE_RESTORE_SECONDS + 86_400

/**
 * Marks courses that can no longer be restored and purges them a week later. Each sweep deletes some questions with their messages.
 * If a course has no questions, it deletes some submissions with code and judgements; then a version of test data of a problem without
 * submissions (this reads all judgements), a problem without either, and empty courses. Their objects in R2 are deleted as orphans.
 * @param now epoch seconds
 */
export async function purgeCourses(db: Db, now: number): Promise<void> {
  const isOver = sql`${courses.deletedAt} < ${now - COURSE_PURGE_SECONDS}
    and ${courses.purgeMarkedAt} <= ${now - SWEEP.markedSeconds}`
  const isUnasked = sql`not exists (select 1 from ${questions} where ${questions.courseId} = ${courses.id})`
  const isUntried = sql`not exists (select 1 from ${submissions} where ${submissions.problemId} = ${problems.id})
    and not exists (select 1 from ${questions} where ${questions.problemId} = ${problems.id})`
  const isEmpty = sql`not exists (select 1 from ${submissions} where ${submissions.courseId} = ${courses.id})
    and not exists (select 1 from ${problems} where ${problems.courseId} = ${courses.id})`
  await db.batch([
    db
      .update(courses)
      .set({ purgeMarkedAt: now })
      .where(and(lt(courses.deletedAt, now - COURSE_PURGE_SECONDS), isNull(courses.purgeMarkedAt))),
    db.delete(questions).where(
      sql`${questions.id} in (select ${questions.id} from ${courses}
        join ${questions} on ${questions.courseId} = ${courses.id}
        where ${isOver} limit ${SWEEP.purgedQuestions})`,
    ),
    db.delete(submissions).where(
      sql`${submissions.id} in (select ${submissions.id} from ${courses}
        join ${submissions} on ${submissions.courseId} = ${courses.id}
        where ${isOver} and ${isUnasked} limit ${SWEEP.purgedSubmissions})`,
    ),
    // SQLite keeps the order of cross joins, which begins with the few courses to purge.
    db.delete(testDataVersions).where(
      sql`${testDataVersions.id} = (select ${testDataVersions.id} from ${courses}
        cross join ${problems} on ${problems.courseId} = ${courses.id}
        cross join ${testDataVersions} on ${testDataVersions.problemId} = ${problems.id}
        where ${isOver} and ${isUntried} limit 1)`,
    ),
    db.delete(problems).where(
      sql`${problems.id} = (select ${problems.id} from ${courses}
        join ${problems} on ${problems.courseId} = ${courses.id}
        where ${isOver} and ${isUntried} and not exists
          (select 1 from ${testDataVersions} where ${testDataVersions.problemId} = ${problems.id}) limit 1)`,
    ),
    // Many objects side by side in the bucket lose their rows. This is expected and no sign of a wrong database.
    insertSelect(
      db,
      orphans,
      { key: packs.objectKey, since: now, isExpected: true },
      sql`from ${courses} join ${packs} on ${packs.courseId} = ${courses.id} where ${isOver} and ${isEmpty} on conflict do nothing`,
    ),
    insertSelect(
      db,
      auditEntries,
      {
        createdAt: now,
        action: 'course.purge',
        subject: courses.name,
        detail: {},
        ip: '',
      },
      sql`from ${courses} where ${isOver} and ${isEmpty}`,
    ),
    db
      .delete(courses)
      .where(
        sql`${courses.id} in (select ${courses.id} from ${courses} where ${isOver} and ${isEmpty})`,
      ),
  ])
}
