/** Hints: which stand under a submission, who sees them, and their changes. */
import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { COUNT_LIMITS } from '#contract/limits'
import type { FailedCase, Hint, NewHint } from '#contract/mistakes'
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
  subtasks,
  testDataVersions,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { Asker } from '../../db/standing.ts'
import { inlineNumber, insertSelect, onConflictUpdate, scalar } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'
import type { JudgementRow } from '../storage/pack-queries.ts'
import { mistakesOfGroup, standsFor } from './mistake-queries.ts'

/** The first failing case of a judgement as the JSON `[task,case]`; null if none ran. Skipped cases have no status. */
function firstFailing(results: SQLWrapper): SQL {
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

/** What a hint is about, and the case that its text must not name. */
export interface LookedAt extends About {
  /** The case; null where no case is known. */
  failed: FailedCase | null
  /** The cases of the subtask; null if the problem has no such subtask. */
  caseCount: number | null
  isSample: boolean | null
  /** The test data that the case is of, and those in use. */
  judgedWith: string | null
  active: string | null
  zipKey: string | null
  zipBytes: number | null
  /** When what judging depends on last changed. */
  judgingChangedAtMs: number | null
}

type LookedRow = Omit<LookedAt, 'failed' | 'isSample'> & {
  failed: string | null
  isSample: 0 | 1 | null
}

/** The newest judgement of a group, by the mistake `about.mistake`. Judgements in packs are left out. */
function newestOfGroup(problemId: number): SQL {
  return sql`(select ${judgements.id} from ${problemResults}
    cross join ${submissions} on ${submissions.id} = ${problemResults.failedId}
    cross join ${judgements} on ${judgements.id} = ${submissions.judgementId}
    where ${problemResults.problemId} = ${problemId} and ${problemResults.mistake} is not null
      and ${standsFor(problemId, problemResults.mistake)} = ${standsFor(problemId, sql`about.mistake`)}
    order by ${problemResults.failedId} desc limit 1)`
}

/**
 * Finds what a hint is about: for a mistake, the first failing case of the newest try of its group.
 * @param about selects `mistake`, `task` and `case_index`
 */
async function lookAt(db: Db, problemId: number, about: SQL): Promise<LookedAt | undefined> {
  const looked = sql`select about.mistake, about.task, about.case_index,
      iif(about.mistake is null, json_array(about.task, about.case_index), ${firstFailing(judgements.subtasks)}) as failed,
      iif(about.mistake is null, ${problems.testDataVersion}, ${judgements.testDataVersion}) as judged_with,
      ${problems.testDataVersion} as active, ${problems.judgingChangedAtMs} as changed_at
    from (${about}) about join ${problems} on ${problems.id} = ${problemId}
      left join ${judgements} on ${judgements.id} = ${newestOfGroup(problemId)}`
  const [row] = await rawQuery<LookedRow>(
    db,
    sql`select looked.mistake, looked.task, looked.case_index as caseIndex, looked.failed,
        looked.judged_with as judgedWith, looked.active, looked.changed_at as judgingChangedAtMs,
        ${subtasks.caseCount} as caseCount, ${subtasks.isSample} as isSample,
        ${testDataVersions.objectKey} as zipKey, ${testDataVersions.sizeBytes} as zipBytes
      from (${looked}) looked
        left join ${subtasks} on ${subtasks.problemId} = ${problemId} and ${subtasks.position} = looked.failed ->> 0
        left join ${testDataVersions} on ${testDataVersions.id} = looked.judged_with`,
  )
  if (!row) return undefined
  const { failed, isSample, ...same } = row
  const [task, index] = failed === null ? [] : (JSON.parse(failed) as number[])
  return {
    ...same,
    failed: task === undefined || index === undefined ? null : { task, case: index },
    isSample: isSample === null ? null : isSample === 1,
  }
}

/** Finds what a new hint is about. */
export async function lookAtNew(
  db: Db,
  problemId: number,
  { mistake, failed }: Pick<NewHint, 'mistake' | 'failed'>,
): Promise<LookedAt> {
  // D1 binds a number as a float, which the JSON would show.
  const about = sql`select ${mistake} as mistake, cast(${failed?.task ?? null} as integer) as task,
    cast(${failed?.case ?? null} as integer) as case_index`
  const found = await lookAt(db, problemId, about)
  if (!found) throw new AppError('problem_not_found')
  return found
}

/** Finds what a stored hint is about. @throws AppError `hint_not_found` if the problem has no such hint */
export async function lookAtStored(db: Db, problemId: number, hintId: number): Promise<LookedAt> {
  const about = sql`select ${hints.mistake} as mistake, ${hints.task} as task, ${hints.caseIndex} as case_index
    from ${hints} where ${hints.id} = ${hintId} and ${hints.problemId} = ${problemId}`
  const found = await lookAt(db, problemId, about)
  if (!found) throw new AppError('hint_not_found')
  return found
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
