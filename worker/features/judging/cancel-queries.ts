/** Cancels submissions that wait for a verdict: their jobs end without one, and quota is given back. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { STATUS } from '#contract/verdicts'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { keepingResults } from '../../db/problem-results.ts'
import { judgements, submissions } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { inlineNumber } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { selectProblemAccess, type ProblemAccess } from '../problems/access-queries.ts'
import { forgetHandBacks } from './lease/hand-back-queries.ts'

/** Submissions cancelled in one transaction. */
const CHUNK = 100

const isPending = sql`${submissions.status} = ${inlineNumber(STATUS.PENDING)}`

/** Reads in one round trip the access to a problem and its oldest submissions that wait for a verdict, at most a hundred. */
export async function findPending(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<{ access: ProblemAccess | undefined; ids: string[]; more: boolean }> {
  const [[access], rows] = await db.batch([
    selectProblemAccess(db, user, problemId, now),
    db
      .select({ id: submissions.id })
      .from(submissions)
      .where(and(eq(submissions.problemId, problemId), isPending))
      .orderBy(submissions.id)
      .limit(CHUNK + 1),
  ])
  return { access, ids: rows.slice(0, CHUNK).map(({ id }) => id), more: rows.length > CHUNK }
}

/** Who cancels. A judgement outlives erased accounts, so it stores no name; the audit log names the person. */
type Canceller = 'author' | 'staff'
const REASONS: Record<Canceller, string> = {
  author: 'Cancelled by its author.',
  staff: 'Cancelled by staff.',
}

/** The condition that a submission has had no result before its present judgement. */
const isFirstJudged = sql`not exists (select 1 from ${judgements} where ${judgements.submissionId} = ${submissions.id}
  and ${judgements.id} < ${submissions.judgementId} and ${judgements.finishedAt} is not null
  and ${judgements.status} >= 0 and ${judgements.rejudgeId} is null)`

/** The statement that restores the result that submissions had before their present judgement, if they had one. */
function restoreEarlier(db: Db, which: SQL) {
  return db
    .update(submissions)
    .set({
      status: sql`earlier.status`,
      score: sql`earlier.score`,
      runTimeMs: sql`earlier.run_time_ms`,
      memoryKb: sql`earlier.memory_kb`,
      judgementId: sql`earlier.id`,
    })
    .from(
      sql`${judgements} join ${judgements} earlier on earlier.id = (
        select max(e.id) from ${judgements} e where e.submission_id = ${judgements.submissionId}
          and e.id < ${judgements.id} and e.finished_at is not null and e.status >= 0 and e.rejudge_id is null)`,
    )
    .where(sql`${which} and ${submissions.judgementId} = ${judgements.id}`)
}

/**
 * Ends the judging of submissions that wait for a verdict. A submission that was judged before gets that result back. Any other
 * submission becomes a Judge Error and costs no quota. Authors can cancel only the first judging: otherwise they could keep a
 * result that staff doubt. A host that judges the submission learns of the end when it reports progress.
 * @param subject of the audit entry
 * @returns the cancelled submissions and their authors
 */
export async function cancelJudging(
  db: Db,
  submissionIds: readonly string[],
  by: Canceller,
  subject: string,
  change: Change,
): Promise<{ id: string; userId: number }[]> {
  const named = sql`select value from json_each(${JSON.stringify(submissionIds)})`
  const ids =
    by === 'staff'
      ? named
      : sql`select ${submissions.id} from ${submissions} where ${submissions.id} in (${named}) and ${isFirstJudged}`
  const isMeant = sql`${submissions.id} in (${ids}) and ${isPending}`
  const isCurrent = sql`exists (select 1 from ${submissions}
    where ${submissions.id} = ${judgements.submissionId} and ${submissions.judgementId} = ${judgements.id})`
  const justCancelled = sql`${judgements.submissionId} in (${ids}) and ${judgements.state} = 'cancelled'
    and ${judgements.finishedAt} = ${change.now}`
  const owners = { id: submissions.id, userId: submissions.userId }
  const changes = [
    restoreEarlier(db, sql`${isMeant} and ${judgements.finishedAt} is null`).returning(owners),
    db
      .update(judgements)
      .set({
        state: 'cancelled',
        status: sql`iif(${isCurrent}, ${inlineNumber(STATUS.JE)}, ${judgements.status})`,
        reason: REASONS[by],
        finishedAt: change.now,
        leaseUntil: null,
        lease: null,
      })
      .where(
        and(
          sql`${judgements.submissionId} in (${ids})`,
          isNull(judgements.finishedAt),
          isNull(judgements.rejudgeId),
        ),
      ),
    db
      .update(submissions)
      .set({ status: STATUS.JE, score: 0, runTimeMs: null, memoryKb: null, quotaUsed: 0 })
      .where(
        sql`${isMeant} and ${submissions.judgementId} in (select ${judgements.id} from ${judgements} where ${justCancelled})`,
      )
      .returning(owners),
  ] as const
  const [, , restored, , ended] = await db.batch([
    insertAudit(db, change, {
      action: 'submission.cancel',
      subject,
      detail: { count: submissionIds.length },
      when: sql`exists (select 1 from ${submissions} where ${isMeant})`,
    }),
    ...keepingResults(db, ids, changes),
    forgetHandBacks(db, sql`select ${judgements.id} from ${judgements} where ${justCancelled}`),
  ])
  return [...restored, ...ended]
}
