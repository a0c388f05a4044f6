/** Judging again: a new judgement supersedes the old one, whose result stays in the history. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import { execute, type Db } from '../../db/client.ts'
import { keepingResults } from '../../db/problem-results.ts'
import { judgements, submissions } from '../../db/schema.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'

/**
 * Queues a submission anew and sets it to pending.
 * @returns the new judgement's id, for its ticket
 */
export async function rejudge(
  db: Db,
  { submissionId }: { submissionId: string },
  { actor, ip, now }: Change,
): Promise<string> {
  const judgementId = newHexId(Date.now())
  await db.batch([
    db
      .update(judgements)
      .set({ state: 'superseded', finishedAt: now, leaseUntil: null })
      .where(and(eq(judgements.submissionId, submissionId), isNull(judgements.finishedAt))),
    execute(
      db,
      sql`insert into ${judgements}
        (id, submission_id, course_id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
      select ${judgementId}, s.id, s.course_id, s.user_id, 'queued', 0, 0, ${now}, ${now}, 'queued',
        (select coalesce(sum(case_count), 0) from subtasks where problem_id = s.problem_id)
      from ${submissions} s where s.id = ${submissionId}`,
    ),
    ...keepingResults(db, sql`${submissionId}`, [
      db
        .update(submissions)
        .set({ status: -1, score: 0, runTimeMs: null, memoryKb: null, judgementId })
        .where(eq(submissions.id, submissionId)),
    ]),
    insertAudit(db, {
      actorId: actor.id,
      action: 'submission.rejudge',
      subject: submissionId,
      ip,
      now,
    }),
  ])
  return judgementId
}
