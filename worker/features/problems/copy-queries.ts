/** A problem into another course. */
import { sql } from 'drizzle-orm'
import { PROBLEM_STATUS } from '#contract/problems'
import { insertAudit } from '../../db/audit.ts'
import { execute, type Db } from '../../db/client.ts'
import { problems, subtasks, testDataVersions } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { newHexId } from '../../lib/ids.ts'
import { newestProblemId } from './edit-queries.ts'
import type { ProblemAccess } from './access-queries.ts'

/**
 * Copies a problem with its subtasks and the test data in force. The copy is hidden and belongs to who
 * made it; its test data name the same object in R2, whose bytes never change.
 * @returns the copy's id
 */
export async function insertCopy(
  db: Db,
  source: ProblemAccess,
  target: CourseStanding,
  { actor, ip, now }: Change,
): Promise<number> {
  const from = source.problemId
  const version = newHexId(Date.now())
  const [inserted] = await db.batch([
    execute<{ id: number }>(
      db,
      sql`insert into ${problems} (course_id, name, status, type, owner_id, tags, quota, allowed_language,
        description, compare, created_at, updated_at)
      select ${target.id}, name, ${PROBLEM_STATUS.HIDDEN}, type, ${actor.id}, tags, quota, allowed_language,
        description, compare, ${now}, ${now}
      from problems where id = ${from} returning id`,
    ),
    execute(
      db,
      sql`insert into ${subtasks}
        (problem_id, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb)
      select ${newestProblemId}, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb
      from subtasks where problem_id = ${from}`,
    ),
    execute(
      db,
      sql`insert into ${testDataVersions}
        (id, problem_id, object_key, size_bytes, sha256, case_counts, uploader_id, created_at)
      select ${version}, ${newestProblemId}, v.object_key, v.size_bytes, v.sha256, v.case_counts, ${actor.id}, ${now}
      from problems p join test_data_versions v on v.id = p.test_data_version where p.id = ${from}`,
    ),
    execute(
      db,
      sql`update ${problems} set test_data_version = (select id from test_data_versions where id = ${version})
      where id = ${newestProblemId}`,
    ),
    insertAudit(db, {
      actorId: actor.id,
      action: 'problem.copy',
      subject: String(from),
      detail: { from: source.course, to: target.name },
      ip,
      now,
    }),
  ])
  const id = inserted[0]?.id
  if (id === undefined) throw new AppError('problem_not_found')
  return id
}
