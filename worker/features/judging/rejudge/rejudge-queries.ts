/** Rejudging one submission: a new judgement supersedes the old one, whose result stays in the history. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { STATUS } from '#contract/verdicts'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import { keepingResults } from '../../../db/problem-results.ts'
import { judgements, PRIORITY, submissions, subtasks, type Priority } from '../../../db/schema.ts'
import { insertSelect } from '../../../db/statements.ts'
import type { Change } from '../../../http/change.ts'
import { newHexId } from '../../../lib/ids.ts'

/** A submission's values while it waits for a verdict. */
export const PENDING = { status: STATUS.PENDING, score: 0, runTimeMs: null, memoryKb: null }

/** The values of new judgements. `rejudgeId`: the bulk rejudge they belong to. `now` in epoch seconds. */
interface NewJudgements {
  id: string | SQL
  priority: Priority
  rejudgeId?: string | null
  now: number
}

/** The statement that queues submissions again. @param which the submissions, as SQL from its `from` on */
export function insertJudgements(
  db: Db,
  { id, priority, rejudgeId = null, now }: NewJudgements,
  which: SQL,
) {
  return insertSelect(
    db,
    judgements,
    {
      id,
      submissionId: submissions.id,
      rejudgeId,
      courseId: submissions.courseId,
      userId: submissions.userId,
      state: 'queued',
      priority,
      rank: 0,
      queuedAt: now,
      ticketAt: now,
      phase: 'queued',
      casesTotal: sql`(select coalesce(sum(${subtasks.caseCount}), 0) from ${subtasks}
          where ${subtasks.problemId} = ${submissions.problemId})`,
    },
    which,
  )
}

/**
 * Queues a submission again and sets it to pending.
 * @returns the new judgement's id, for its ticket; null if the submission has to be taken out of its pack first
 */
export async function rejudge(
  db: Db,
  { submissionId }: { submissionId: string },
  change: Change,
): Promise<string | null> {
  const { now } = change
  const judgementId = newHexId(Date.now())
  const isUnpacked = sql`exists (select 1 from ${submissions}
    where ${submissions.id} = ${submissionId} and ${submissions.packId} is null)`
  const [, , , [queued]] = await db.batch([
    db
      .update(judgements)
      .set({ state: 'superseded', finishedAt: now, leaseUntil: null })
      .where(and(eq(judgements.submissionId, submissionId), isNull(judgements.finishedAt))),
    insertJudgements(
      db,
      { id: judgementId, priority: PRIORITY.live, now },
      sql`from ${submissions} where ${submissions.id} = ${submissionId} and ${submissions.packId} is null`,
    ),
    ...keepingResults(db, sql`${submissionId}`, [
      db
        .update(submissions)
        .set({ ...PENDING, judgementId })
        .where(and(eq(submissions.id, submissionId), isNull(submissions.packId)))
        .returning({ id: submissions.id }),
    ]),
    insertAudit(db, change, {
      action: 'submission.rejudge',
      subject: submissionId,
      when: isUnpacked,
    }),
  ])
  return queued ? judgementId : null
}
