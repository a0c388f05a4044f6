/** Hints: which stand under a submission, who sees them, and their changes. */
import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { COUNT_LIMITS } from '#contract/limits'
import type { Hint } from '#contract/mistakes'
import type { ShownHint } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { isOfEarlier } from '../../db/earlier-results.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import {
  hintAnswers,
  hints,
  judgements,
  problemResults,
  problems,
  submissions,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { Asker } from '../../db/standing.ts'
import { inlineNumber, insertSelect, onConflictUpdate, scalar } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'
import type { JudgementRow } from '../storage/pack-queries.ts'
import type { LookedAt } from './looked-queries.ts'
import { mistakesOfGroup, standsFor } from './mistake-queries.ts'

/** The first failing case of a judgement as the JSON `[task,case]`; null if none ran. Skipped cases have no status. */
export function firstFailing(results: SQLWrapper): SQL {
  return sql`(select json_array(t.key, c.key)
    from json_each(${results}) t, json_each(t.value, '$.cases') c
    where c.value ->> 'status' <> ${inlineNumber(STATUS.AC)} order by t.key, c.key limit 1)`
}

/** What a hint is about: a mistake or a case. */
export interface About {
  mistake: string | null
  task: number | null
  caseIndex: number | null
}

/** The condition that a hint is not set aside. */
const isShown = sql`${hints.judgingChangedAtMs} is ${problems.judgingChangedAtMs}`

/** The parts of a judgement that hints need, from the row of `submissions`. */
export const currentJudgement = sql`select ${judgements.mistake} as mistake, ${judgements.subtasks} as subtasks,
  ${judgements.claimedAt} as claimed_at from ${judgements} where ${judgements.id} = ${submissions.judgementId}`

/** The same parts, from a pack. */
const packedJudgement = ({ mistake = null, subtasks: results, claimedAt }: Tried) =>
  sql`select ${mistake} as mistake, ${JSON.stringify(results)} as subtasks, ${claimedAt} as claimed_at`

/** Judgements of an older release have no `mistake` in their pack. */
type Tried = Pick<JudgementRow, 'subtasks' | 'claimedAt'> & Partial<Pick<JudgementRow, 'mistake'>>

/** A stored hint as JSON gives it. */
type HintJson = Omit<ShownHint, 'helped'> & { helped: 0 | 1 | null }

/**
 * The hints under a submission, oldest first, as a field of a query on `submissions` and `problems`. There are none until it has failed, and
 * none under a result of earlier test data, because the case may be another one now.
 * @param askerId whose answers are shown, on their own submissions
 * @param judged selects the `mistake`, `subtasks` and `claimed_at` of the current judgement
 */
export function shownHints(askerId: Asker['id'], judged: SQL): SQL<ShownHint[]> {
  const isOfMistake = sql`${standsFor(hints.problemId, hints.mistake)} = ${standsFor(hints.problemId, sql`j.mistake`)}`
  const isOfCase = sql`json_array(${hints.task}, ${hints.caseIndex}) = ${firstFailing(sql`j.subtasks`)}`
  const hint = sql`json_object('hintId', ${hints.id}, 'markdown', ${hints.markdown}, 'helped', ${hintAnswers.helped})`
  return scalar<ShownHint[]>(
    sql`select json_group_array(${hint} order by ${hints.id}) from (${judged}) j
      cross join ${hints} on ${hints.problemId} = ${submissions.problemId} and ${isShown}
        and iif(${hints.mistake} is null, ${isOfCase}, ${isOfMistake})
      left join ${hintAnswers} on ${hintAnswers.hintId} = ${hints.id}
        and ${hintAnswers.userId} = ${submissions.userId} and ${hintAnswers.userId} = ${askerId}
      where ${submissions.status} > ${inlineNumber(STATUS.AC)} and ${submissions.status} <> ${inlineNumber(STATUS.JE)}
        and not ${isOfEarlier(submissions.judgementId, sql`j.claimed_at`)}`,
  ).mapWith((json: string): ShownHint[] =>
    (JSON.parse(json) as HintJson[]).map(({ helped, ...row }) => ({
      ...row,
      helped: helped === null ? null : helped === 1,
    })),
  )
}

/** The hints under an old submission, whose judgement is in a pack. */
export async function listPackedHints(
  db: Db,
  user: SessionUser,
  submissionId: string,
  judged: Tried,
): Promise<ShownHint[]> {
  const row = await db
    .select({ hints: shownHints(user.id, packedJudgement(judged)) })
    .from(submissions)
    .innerJoin(problems, eq(problems.id, submissions.problemId))
    .where(eq(submissions.id, submissionId))
    .get()
  return row?.hints ?? []
}

/**
 * Stores whether a hint helped the submitter.
 * @param packed the current judgement, where a pack has it
 * @throws AppError `hint_not_found` if the hint does not stand under the submission now
 */
export async function answerHint(
  db: Db,
  { submissionId, userId }: { submissionId: string; userId: number },
  { hintId, helped }: { hintId: number; helped: boolean },
  packed?: Tried,
): Promise<void> {
  const shown = shownHints(userId, packed ? packedJudgement(packed) : currentJudgement)
  const [stored] = await insertSelect<typeof hintAnswers, { id: number }>(
    db,
    hintAnswers,
    { hintId: sql`h.value ->> 'hintId'`, userId, helped },
    sql`from ${submissions} join ${problems} on ${problems.id} = ${submissions.problemId}, json_each(${shown}) h
      where ${submissions.id} = ${submissionId} and h.value ->> 'hintId' = ${hintId}
      ${onConflictUpdate(hintAnswers, [hintAnswers.hintId, hintAnswers.userId], { helped })}
      returning ${hintAnswers.hintId} as id`,
  )
  if (!stored) throw new AppError('hint_not_found')
}

/** All hints of a problem with their answers, for staff, oldest first. A hint about a mistake names the one that stands for its group now. */
export async function listHints(db: Db, problemId: number): Promise<Hint[]> {
  const countOf = (helped: SQL) => sql<number>`count(iif(${helped}, 1, null))`
  const rows = await db
    .select({
      author: aliasColumns(userInfoColumns(users)),
      mistake: sql<
        string | null
      >`iif(${hints.mistake} is null, null, ${standsFor(hints.problemId, hints.mistake)})`,
      isAside: sql<boolean>`not (${isShown})`.mapWith(Boolean),
      helped: countOf(sql`${hintAnswers.helped} = 1`),
      notHelped: countOf(sql`${hintAnswers.helped} = 0`),
      hintId: hints.id,
      markdown: hints.markdown,
      task: hints.task,
      caseIndex: hints.caseIndex,
      updateTime: hints.updatedAt,
    })
    .from(hints)
    .innerJoin(problems, eq(problems.id, hints.problemId))
    .innerJoin(users, eq(users.id, hints.authorId))
    .leftJoin(hintAnswers, eq(hintAnswers.hintId, hints.id))
    .where(eq(hints.problemId, problemId))
    .groupBy(hints.id)
    .orderBy(hints.id)
  return rows.map(({ task, caseIndex, author, ...row }) => ({
    ...row,
    author: toUserInfo(author),
    failed: task === null || caseIndex === null ? null : { task, case: caseIndex },
  }))
}

/** Writes a hint, unless the problem has the most that it may have. @returns its id */
export async function insertHint(
  db: Db,
  { problemId, course }: Pick<ProblemAccess, 'problemId' | 'course'>,
  { mistake, task, caseIndex, judgingChangedAtMs }: LookedAt,
  markdown: string,
  change: Change,
): Promise<number> {
  const hasRoom = sql`(select count(*) from ${hints} where ${hints.problemId} = ${problemId}) < ${COUNT_LIMITS.hints}`
  const [, [inserted]] = await db.batch([
    demand(db, 'too_many_hints', hasRoom),
    insertSelect<typeof hints, { id: number }>(
      db,
      hints,
      {
        problemId,
        mistake: mistake === null ? null : standsFor(problemId, mistake),
        task,
        caseIndex,
        markdown,
        authorId: change.actor.id,
        updatedAt: change.now,
        judgingChangedAtMs,
      },
      sql`returning ${hints.id}`,
    ),
    insertAudit(db, change, {
      action: 'hint.create',
      subject: String(problemId),
      detail: { course },
    }),
  ])
  if (!inserted) throw new Error('D1 did not return the id of a new hint')
  return inserted.id
}

const isHint = (problemId: number, hintId: number) =>
  and(eq(hints.id, hintId), eq(hints.problemId, problemId))

/** The statement that refuses its batch unless the problem has the hint. */
function demandHint(db: Db, problemId: number, hintId: number) {
  return demand(
    db,
    'hint_not_found',
    sql`exists (select 1 from ${hints} where ${isHint(problemId, hintId)})`,
  )
}

/** Writes a hint anew, as its author. It shows, unless what judging depends on has changed since it was looked at. */
export async function updateHint(
  db: Db,
  { problemId, course }: Pick<ProblemAccess, 'problemId' | 'course'>,
  hintId: number,
  { judgingChangedAtMs }: LookedAt,
  markdown: string,
  change: Change,
): Promise<void> {
  const { actor, now } = change
  await db.batch([
    demandHint(db, problemId, hintId),
    db
      .update(hints)
      .set({ markdown, authorId: actor.id, updatedAt: now, judgingChangedAtMs })
      .where(isHint(problemId, hintId)),
    insertAudit(db, change, {
      action: 'hint.edit',
      subject: String(problemId),
      detail: { course, hintId },
    }),
  ])
}

/** Deletes a hint with its answers. @returns what it was about */
export async function deleteHint(
  db: Db,
  { problemId, course }: Pick<ProblemAccess, 'problemId' | 'course'>,
  hintId: number,
  change: Change,
): Promise<About> {
  const [, [deleted]] = await db.batch([
    demandHint(db, problemId, hintId),
    db
      .delete(hints)
      .where(isHint(problemId, hintId))
      .returning({ mistake: hints.mistake, task: hints.task, caseIndex: hints.caseIndex }),
    insertAudit(db, change, {
      action: 'hint.delete',
      subject: String(problemId),
      detail: { course, hintId },
    }),
  ])
  if (!deleted) throw new Error('D1 did not return what a deleted hint was about')
  return deleted
}

const lastTries = sql`select ${problemResults.userId} as user_id, ${problemResults.failedId} as submission_id from ${problemResults}`

/** Selects the last failing tries (`user_id`, `submission_id`) with one of these mistakes. */
export function selectTriesWith(problemId: number, mistakes: SQL): SQL {
  return sql`${lastTries} where ${problemResults.problemId} = ${problemId} and ${problemResults.mistake} in (${mistakes})`
}

/** Selects the last failing tries (`user_id`, `submission_id`) that a hint about this concerns. */
export function selectTries(problemId: number, { mistake, task, caseIndex }: About): SQL {
  if (mistake !== null) return selectTriesWith(problemId, mistakesOfGroup(problemId, mistake))
  const { failedId } = problemResults
  return sql`${lastTries} cross join ${submissions} on ${submissions.id} = ${failedId}
    cross join ${judgements} on ${judgements.id} = ${submissions.judgementId}
    where ${problemResults.problemId} = ${problemId} and ${problemResults.mistake} is not null
      and ${firstFailing(judgements.subtasks)} = ${JSON.stringify([task, caseIndex])}`
}

/** The tries among these of the people with these ids. */
export async function listTriesOf(
  db: Db,
  tries: SQL,
  userIds: readonly number[],
): Promise<{ id: string; userId: number }[]> {
  return rawQuery(
    db,
    sql`select tries.user_id as userId, tries.submission_id as id from (${tries}) tries
      where tries.user_id in (select value from json_each(${JSON.stringify(userIds)}))`,
  )
}
