/**
 * SQL of previews. A preview's judgements carry its id (`judgements.previewId`) and are nobody's current
 * ones, so their results change nothing that students see. Applying makes them current.
 */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { PREVIEW } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { rawQuery, aliasColumns, type Db } from '../../../db/client.ts'
import { userInfoColumns } from '../../../db/people.ts'
import { SWEEP } from '../../../db/retention.ts'
import { judgements, operations, problems, submissions, users } from '../../../db/schema.ts'
import { scalar } from '../../../db/statements.ts'
import { hexIdAt } from '../../../lib/ids.ts'
import type { NewJudgement } from './queue-again.ts'
import { insertJudgements, selectPacked } from './rejudge-queries.ts'

/** How long a preview can be applied. Its outputs must outlive it: `SWEEP.markedSeconds`. */
export const PREVIEW_SECONDS = 2 * 86_400
/** Submissions judged again, or applied, in one step. */
export const PREVIEW_CHUNK = 100

/** A lower bound of ids made since a time of a row. */
function idSince(ms: SQL): SQL {
  return sql`printf('%012x', ${ms})`
}

/** The condition that a problem has not changed since its preview began. */
const isUpToDate = sql`${idSince(sql`coalesce(${problems.judgingChangedAtMs}, 0)`)} <= ${problems.previewId}`

/** The condition that a preview is its problem's, and can be applied or go on. */
export function isLive(previewId: string): SQL {
  return sql`exists (select 1 from ${problems} where ${problems.previewId} = ${previewId} and ${isUpToDate})`
}

/**
 * A problem's submissions whose result is of earlier test data, limits, scores or comparison. One queued
 * before the change and claimed after it is not: the claim takes what is there. A packed one has no judgement here; it is old.
 * @param rest further conditions, order and limit
 */
function ofEarlier(problemId: number, rest: SQL = sql``): SQL {
  return sql`from ${problems} cross join ${submissions} indexed by submissions_judged
      on ${submissions.problemId} = ${problems.id}
        and ${submissions.judgementId} < ${idSince(sql`${problems.judgingChangedAtMs}`)}
    left join ${judgements} on ${judgements.id} = ${submissions.judgementId}
    where ${problems.id} = ${problemId} and ${submissions.status} >= 0
      and coalesce(${judgements.claimedAt}, 0) * 1000 <= ${problems.judgingChangedAtMs} ${rest}`
}

/** The number of those submissions. */
export function countEarlier(problemId: number): SQL {
  return sql`select count(*) ${ofEarlier(problemId)}`
}

/** The same up to a bound, and 0 with a preview: each page of the problem asks. */
function countEarlierBriefly(problemId: number): SQL {
  const rest = sql`and ${problems.previewId} is null limit ${PREVIEW.mostCounted}`
  return sql`select count(*) as count from (select 1 ${ofEarlier(problemId, rest)})`
}

/** The next of them, by their judgement; none once the preview is not its problem's any more. */
export async function listEarlier(
  db: Db,
  problemId: number,
  previewId: string,
  after: string,
): Promise<{ submissionId: string; judgementId: string }[]> {
  return rawQuery(
    db,
    sql`select ${submissions.id} as submissionId, ${submissions.judgementId} as judgementId
      ${ofEarlier(
        problemId,
        sql`and ${submissions.judgementId} > ${after} and ${problems.previewId} = ${previewId}
          order by ${submissions.judgementId} limit ${PREVIEW_CHUNK}`,
      )}`,
  )
}

/**
 * Queues submissions for a preview. Those it has already are left out, so repeating it changes nothing.
 * @returns those that lie in packs, and so were not queued
 */
export async function queuePreviewed(
  db: Db,
  pairs: NewJudgement[],
  previewId: string,
  now: number,
): Promise<string[]> {
  const [packed] = await db.batch([
    selectPacked(db, pairs),
    insertJudgements(
      db,
      { id: sql`p.value ->> 'judgementId'`, priority: 1, previewId, now },
      sql`from json_each(${JSON.stringify(pairs)}) p
        join ${submissions} on ${submissions.id} = p.value ->> 'submissionId' and ${submissions.packId} is null
        where ${isLive(previewId)} and not exists (select 1 from ${judgements} q indexed by judgements_submission
          where q.submission_id = ${submissions.id} and q.preview_id = ${previewId})`,
    ),
  ])
  return packed.map(({ id }) => id)
}

/** The condition that a judgement of a preview has a result that can be applied. */
export const isApplicable = sql`${judgements.state} = 'done' and ${judgements.status} <> ${STATUS.JE}`

/** The condition that a judgement's submission was not judged again since the preview began. */
export const isNewest = sql`${submissions.judgementId} < ${judgements.id} and ${submissions.status} >= 0`

const isChange = sql`(${judgements.status} <> ${submissions.status} or ${judgements.score} <> ${submissions.score})`

/** The condition that a judgement of a preview is a Judge Error, which is never applied. */
const isKept = sql`${judgements.status} = ${STATUS.JE}`

/** The open judgements of the preview of the present row of `problems`. */
const openOnes = sql`from ${judgements} indexed by judgements_preview
  where ${judgements.previewId} = ${problems.previewId} and ${judgements.previewId} is not null
    and ${judgements.finishedAt} is null`

/** The operation under way that applies the preview of the present row of `problems`. */
const applyingOne = sql`from ${operations} a indexed by operations_open
  where a.finished_at is null and a.kind = 'apply_preview' and a.payload ->> 'previewId' = ${problems.previewId}`

/** The condition that no operation applies a problem's preview. */
export function isNotApplying(problemId: number): SQL {
  return sql`exists (select 1 from ${problems}
    where ${problems.id} = ${problemId} and not exists (select 1 ${applyingOne}))`
}

/** The condition that a problem's preview is judged, not being applied, and the problem has not changed since it began. */
export function isReady(problemId: number): SQL {
  return sql`exists (select 1 from ${problems} join ${operations} on ${operations.id} = ${problems.previewId}
    where ${problems.id} = ${problemId} and ${operations.state} = 'done' and ${isUpToDate}
      and not exists (select 1 ${openOnes}) and not exists (select 1 ${applyingOne}))`
}

/** The preview that a problem has, as a value; null without one. */
export function previewIdOf(problemId: number): SQL {
  return sql`(select ${problems.previewId} from ${problems} where ${problems.id} = ${problemId})`
}

/** The condition that a problem has a preview. */
export function hasPreview(problemId: number): SQL {
  return sql`${previewIdOf(problemId)} is not null`
}

/** How many submissions a problem's preview judges again; a select for a batch. */
export function previewTotal(problemId: number): SQL {
  return sql`select ${operations.total} from ${operations} where ${operations.id} = ${previewIdOf(problemId)}`
}

/** The statement that reads whether a problem's preview is being applied; no row without one. */
export function readApplying(db: Db, problemId: number) {
  return db
    .select({ isApplying: sql<boolean>`exists (select 1 ${applyingOne})`.mapWith(Boolean) })
    .from(problems)
    .where(and(eq(problems.id, problemId), sql`${problems.previewId} is not null`))
}

/** A problem's preview; no row without one. */
function selectPreview(db: Db, problemId: number) {
  return db
    .select({
      ...aliasColumns({
        id: operations.id,
        state: operations.state,
        queued: operations.done,
        total: operations.total,
      }),
      lostCount:
        sql<number>`coalesce(${operations.payload} ->> 'lostCount', ${operations.result} ->> 'lostCount', 0)`.as(
          'lostCount',
        ),
      isUpToDate: sql<boolean>`${isUpToDate}`.mapWith(Boolean).as('isUpToDate'),
      open: scalar<number>(sql`select count(*) ${openOnes}`).as('open'),
      applied: scalar<number | null>(sql`select a.done ${applyingOne}`).as('applied'),
    })
    .from(problems)
    .innerJoin(operations, eq(operations.id, problems.previewId))
    .where(eq(problems.id, problemId))
}

/** The number of results of earlier test data; else a problem's preview, and what it changes once it is judged. */
export async function getPreview(db: Db, problemId: number) {
  const judged = sql`(select ${problems.previewId} from ${problems}
    where ${problems.id} = ${problemId} and not exists (select 1 ${openOnes})
      and not exists (select 1 ${applyingOne}))`
  const [[preview], [earlier], [counts]] = await db.batch([
    selectPreview(db, problemId),
    rawQuery<{ count: number }>(db, countEarlierBriefly(problemId)),
    rawQuery<{ changed: number; kept: number }>(
      db,
      sql`select coalesce(sum(${isApplicable} and ${isNewest} and ${isChange}), 0) as changed,
          coalesce(sum(${isKept} and ${isNewest}), 0) as kept
        from ${judgements} indexed by judgements_preview
        join ${submissions} on ${submissions.id} = ${judgements.submissionId}
        where ${judgements.previewId} = ${judged}`,
    ),
  ])
  return { earlierCount: earlier?.count ?? 0, preview, counts }
}

/** A position in the list of changes. */
type ChangePosition = [finishedAt: number, judgementId: string]

/** What a preview would change, one more than `limit`, by the time it was judged; Judge Errors as well. */
export async function listChanges(
  db: Db,
  problemId: number,
  { after: [finishedAt, id], limit }: { after: ChangePosition; limit: number },
) {
  return db
    .select({
      user: aliasColumns(userInfoColumns(users)),
      ...aliasColumns({
        judgementId: judgements.id,
        finishedAt: judgements.finishedAt,
        submissionId: submissions.id,
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
        sql`${judgements.previewId} is not null and ${judgements.previewId} = ${previewIdOf(problemId)}
          and (${judgements.finishedAt}, ${judgements.id}) > (${finishedAt}, ${id})
          and ${judgements.state} in ('done', 'failed') and ${isNewest} and (${isChange} or ${isKept})`,
      ),
    )
    .orderBy(judgements.finishedAt, judgements.id)
    .limit(limit + 1)
}

/** The statement that deletes the judgements of a problem's preview; the sweeper deletes what is more. */
export function deletePreviewed(db: Db, problemId: number) {
  return db.delete(judgements).where(
    sql`${judgements.id} in (select ${judgements.id} from ${judgements} indexed by judgements_preview
      where ${judgements.previewId} = ${previewIdOf(problemId)}
        and ${isNotApplying(problemId)}
      limit ${SWEEP.rows})`,
  )
}

/** The statement that gives a problem another preview, or none; not while one is applied. */
export function setPreview(db: Db, problemId: number, previewId: string | null) {
  return db
    .update(problems)
    .set({ previewId })
    .where(and(eq(problems.id, problemId), isNotApplying(problemId)))
}

/** The lowest preview id above another one that a judgement carries; null without any. */
function nextCarried(id: SQL): SQL {
  return sql`(select min(${judgements.previewId}) from ${judgements} indexed by judgements_preview
    where ${judgements.previewId} > ${id})`
}

/**
 * All preview ids that judgements carry, as the table `carried`. Each is one step in the index: the sweeper
 * asks every minute, and must not read all judgements of a preview.
 */
const carriedIds = sql`with recursive carried(id) as (select ${nextCarried(sql`''`)}
  union all select ${nextCarried(sql`carried.id`)} from carried where carried.id is not null)`

/** Ends previews that are too old and not being applied, and deletes judgements of ended ones. */
export async function dropOldPreviews(db: Db, now: number): Promise<void> {
  await db.batch([
    db
      .update(problems)
      .set({ previewId: null })
      .where(
        sql`${problems.previewId} is not null and ${problems.previewId} < ${hexIdAt((now - PREVIEW_SECONDS) * 1000)}
          and not exists (select 1 ${applyingOne})`,
      ),
    db.delete(judgements).where(
      sql`${judgements.id} in (${carriedIds} select ${judgements.id} from carried
        cross join ${judgements} indexed by judgements_preview on ${judgements.previewId} = carried.id
        where not exists (select 1 from ${problems} where ${problems.previewId} = carried.id)
        limit ${SWEEP.rows})`,
    ),
  ])
}
