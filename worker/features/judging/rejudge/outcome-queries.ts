/**
 * SQL for the outcome of a bulk rejudge. Its judgements carry its id (`judgements.rejudgeId`) and are current for no submission,
 * so their results change nothing that students see. Applying makes them current.
 */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { STATUS } from '#contract/verdicts'
import { rawQuery, aliasColumns, type Db } from '../../../db/client.ts'
import { userInfoColumns } from '../../../db/people.ts'
import { keepingResults } from '../../../db/problem-results.ts'
import { judgements, operations, problems, submissions, users } from '../../../db/schema.ts'
import { demandLease, type LeasedOperation } from '../../operations/queries.ts'
import { isAnyUnchanged, isUnchanged } from './target-queries.ts'

/** Judgements applied in one transaction. */
const CHUNK = 100

/** The most judgements of ended rejudges that one statement deletes. */
const DELETED = 5_000

/** The condition that a judgement's submission was not judged again since the judgement was queued. */
const isNewest = sql`(${submissions.judgementId} < ${judgements.id} and ${submissions.status} >= 0)`

/** The condition that a judgement has a result that can be applied: a Judge Error replaces only a Judge Error. */
const isApplicable = sql`(${judgements.status} >= 0
  and (${judgements.status} <> ${STATUS.JE} or ${submissions.status} = ${STATUS.JE}))`

const isChange = sql`(${isNewest} and ${isApplicable}
  and (${judgements.status} <> ${submissions.status} or ${judgements.score} <> ${submissions.score}))`

const isKept = sql`(${isNewest} and ${judgements.status} = ${STATUS.JE})`

/** The open judgements of a rejudge. */
function openOnes(rejudgeId: string): SQL {
  return sql`from ${judgements} indexed by judgements_rejudge
    where ${judgements.rejudgeId} = ${rejudgeId} and ${judgements.rejudgeId} is not null and ${judgements.finishedAt} is null`
}

/** Whether a rejudge has nothing left to judge. */
export async function isAllJudged(db: Db, rejudgeId: string): Promise<boolean> {
  const [row] = await rawQuery<{ isOpen: number }>(
    db,
    sql`select exists (select 1 ${openOnes(rejudgeId)}) as isOpen`,
  )
  return row?.isOpen === 0
}

/** The statement that tells how many judgements of a rejudge are open, and whether at least one of its problems is unchanged. */
function selectJudging(db: Db, rejudgeId: string) {
  return rawQuery<{ openCount: number; isLive: number }>(
    db,
    sql`select (select count(*) ${openOnes(rejudgeId)}) as openCount, ${isAnyUnchanged(rejudgeId)} as isLive`,
  )
}

/** How many judgements of a rejudge are open, and whether one of its problems is unchanged. */
export async function getJudging(db: Db, rejudgeId: string) {
  const [row] = await selectJudging(db, rejudgeId)
  return { openCount: row?.openCount ?? 0, isLive: row?.isLive === 1 }
}

/** The same facts for a fully judged rejudge, and how many submissions it would change and how many ended in a Judge Error. */
export async function getOutcome(db: Db, rejudgeId: string) {
  const [[judging], [counts]] = await db.batch([
    selectJudging(db, rejudgeId),
    rawQuery<{ changedCount: number; keptCount: number }>(
      db,
      sql`select coalesce(sum(${isChange}), 0) as changedCount, coalesce(sum(${isKept}), 0) as keptCount
        from ${judgements} indexed by judgements_rejudge
        cross join ${submissions} on ${submissions.id} = ${judgements.submissionId}
        where ${judgements.rejudgeId} = ${rejudgeId}`,
    ),
  ])
  return { openCount: 0, isLive: judging?.isLive === 1, counts }
}

/** A position in the list of changes. */
type ChangePosition = [finishedAt: number, judgementId: string]

/** The results that a rejudge would change, and its Judge Errors, in the order of judging; one more than `limit`. */
export async function listChanges(
  db: Db,
  rejudgeId: string,
  { after: [finishedAt, id], limit }: { after: ChangePosition; limit: number },
) {
  return db
    .select({
      user: aliasColumns(userInfoColumns(users)),
      ...aliasColumns({
        judgementId: judgements.id,
        finishedAt: judgements.finishedAt,
        submissionId: submissions.id,
        problemId: submissions.problemId,
        fromStatus: submissions.status,
        fromScore: submissions.score,
        toStatus: judgements.status,
        toScore: judgements.score,
      }),
    })
    .from(judgements)
    .innerJoin(submissions, eq(submissions.id, judgements.submissionId))
    .innerJoin(users, eq(users.id, submissions.userId))
    .where(
      and(
        sql`${judgements.rejudgeId} = ${rejudgeId} and ${judgements.rejudgeId} is not null
          and (${judgements.finishedAt}, ${judgements.id}) > (${finishedAt}, ${id}) and (${isChange} or ${isKept})`,
      ),
    )
    .orderBy(judgements.finishedAt, judgements.id)
    .limit(limit + 1)
}

/** A judgement to apply, and what applying does to its submission. */
interface Applied {
  id: string
  submissionId: string
  userId: number
  isChange: 0 | 1
  isKept: 0 | 1
  /** The problem has changed since the rejudge began, so the judgement is not applied. */
  isOutdated: 0 | 1
}

/** The next judgements of a rejudge to apply or to drop. */
export async function listJudged(db: Db, rejudgeId: string): Promise<Applied[]> {
  return rawQuery(
    db,
    sql`select ${judgements.id} as id, ${submissions.id} as submissionId, ${submissions.userId} as userId, ${isChange} as isChange,
        ${isKept} as isKept, not ${isUnchanged(rejudgeId)} as isOutdated
      from ${judgements} indexed by judgements_rejudge
      cross join ${submissions} on ${submissions.id} = ${judgements.submissionId}
      cross join ${problems} on ${problems.id} = ${submissions.problemId}
      where ${judgements.rejudgeId} = ${rejudgeId} limit ${CHUNK}`,
  )
}

/**
 * Makes judgements of a rejudge current, in one transaction. It deletes judgements that cannot be applied, and judgements of
 * submissions that were judged again meanwhile. Repeating it changes nothing.
 */
export async function applyJudged(
  db: Db,
  ids: string[],
  rejudge: Pick<LeasedOperation, 'id' | 'lease'>,
): Promise<void> {
  const json = JSON.stringify(ids)
  // The plus keeps SQLite from reading the whole rejudge for a hundred of its judgements.
  const isNext = sql`${judgements.id} in (select value from json_each(${json}))
    and +${judgements.rejudgeId} = ${rejudge.id}`
  const submissionIds = sql`select ${judgements.submissionId} from json_each(${json}) p
    cross join ${judgements} on ${judgements.id} = p.value`
  await db.batch([
    demandLease(db, rejudge),
    ...keepingResults(db, submissionIds, [
      db
        .update(submissions)
        .set({
          status: judgements.status,
          score: judgements.score,
          runTimeMs: judgements.runTimeMs,
          memoryKb: judgements.memoryKb,
          judgementId: judgements.id,
        })
        .from(judgements)
        .where(
          sql`${isNext} and ${submissions.id} = ${judgements.submissionId} and ${isNewest} and ${isApplicable}
            and exists (select 1 from ${problems} where ${problems.id} = ${submissions.problemId} and ${isUnchanged(rejudge.id)})`,
        ),
      db
        .update(judgements)
        .set({ rejudgeId: null })
        .where(
          sql`${isNext} and exists (select 1 from ${submissions}
            where ${submissions.id} = ${judgements.submissionId} and ${submissions.judgementId} = ${judgements.id})`,
        ),
    ]),
    db.delete(judgements).where(isNext),
  ])
}

/** The lowest rejudge id of a judgement that is above this id; null if there is none. */
function nextCarried(id: SQL): SQL {
  return sql`(select min(${judgements.rejudgeId}) from ${judgements} indexed by judgements_rejudge
    where ${judgements.rejudgeId} > ${id})`
}

/**
 * The statement that deletes judgements of finished rejudges, however they ended; the sweeper deletes the rest. It finds
 * each rejudge's id by one step in the index, because the sweeper runs it every minute and must not read all judgements of a rejudge.
 */
export function deleteLeft(db: Db) {
  return db.delete(judgements).where(
    sql`${judgements.id} in (with recursive carried(id) as (select ${nextCarried(sql`''`)}
        union all select ${nextCarried(sql`carried.id`)} from carried where carried.id is not null)
      select ${judgements.id} from carried cross join ${judgements} indexed by judgements_rejudge on ${judgements.rejudgeId} = carried.id
      where not exists (select 1 from ${operations} where ${operations.id} = carried.id and ${operations.finishedAt} is null)
      limit ${DELETED})`,
  )
}
