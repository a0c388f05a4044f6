/** SQL of bulk rejudges. */
import { sql, type SQL } from 'drizzle-orm'
import { rawQuery, type Db } from '../../../db/client.ts'
import { keepingResults } from '../../../db/problem-results.ts'
import { problems, submissions } from '../../../db/schema.ts'
import { hexIdAt } from '../../../lib/ids.ts'
import { isOperationLeased, type LeasedOperation } from '../../operations/queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../../submissions/target-queries.ts'
import type { RejudgeTarget } from './bulk-rejudge.ts'
import type { NewJudgement } from './queue-again.ts'
import { insertJudgements, PENDING, selectPacked } from './rejudge-queries.ts'

/** The prefix of all ids made in the operation's millisecond: the judgements it queues are never below. */
function startOf(operationId: string): string {
  return operationId.slice(0, 12)
}

/** No id of what was handed in since then is below it: a two-step submission is up to ten minutes older than its code. */
const oldestId = (since: number) => hexIdAt((since - CLAIMED_SUBMISSION_SECONDS) * 1000)

/** The condition that the submission's problem has test data: without them the verdict would become a Judge Error. */
const canBeJudged = sql`exists (select 1 from ${problems}
  where ${problems.id} = ${submissions.problemId} and ${problems.testDataVersion} is not null)`

/** In the words of the indexes by status: they have no others. */
const isJudged = sql`${submissions.status} >= 0`

/** Named, so that a statement that cannot use it fails instead of walking through all submissions. */
const indexOf = (scope: 'problem' | 'course') => sql.raw(`submissions_by_${scope}_status`)

/**
 * The condition for a target's submissions that this operation has not queued yet: judgement and operation
 * ids are ordered by time.
 */
function isTargeted(
  { problemId, courseId, status, languageType, since }: RejudgeTarget,
  operationId: string,
): SQL {
  const scope =
    problemId === undefined
      ? sql`${submissions.courseId} = ${courseId}`
      : sql`${submissions.problemId} = ${problemId}`
  return sql`${scope} and ${isJudged} and ${submissions.status} = ${status} and ${submissions.languageType} = ${languageType}
    and ${submissions.id} > ${oldestId(since)} and ${submissions.acceptedAt} >= ${since}
    and ${submissions.judgementId} < ${startOf(operationId)} and ${canBeJudged}`
}

/** Targets as a parameter for `json_each`. */
function toJson(targets: RejudgeTarget[]): string {
  return JSON.stringify(
    targets.map(({ problemId = null, courseId = null, status, languageType, since }) => ({
      problemId,
      courseId,
      status,
      languageType,
      since,
      oldestId: oldestId(since),
    })),
  )
}

/**
 * The submissions of the target `t.value` that the operation has not queued yet: one index range, by
 * problem or by course.
 */
function ofTarget(scope: 'problem' | 'course', operationId: string): SQL {
  const is =
    scope === 'problem'
      ? sql`${submissions.problemId} = t.value ->> 'problemId'`
      : sql`${submissions.courseId} = t.value ->> 'courseId'`
  return sql`from ${submissions} indexed by ${indexOf(scope)} where ${is} and ${isJudged} and ${submissions.status} = t.value ->> 'status'
    and ${submissions.languageType} = t.value ->> 'languageType' and ${submissions.id} > t.value ->> 'oldestId'
    and ${submissions.acceptedAt} >= t.value ->> 'since' and ${submissions.judgementId} < ${startOf(operationId)} and ${canBeJudged}`
}

/** The number of submissions to rejudge; every part is one range of an index. */
export function countTargets(targets: RejudgeTarget[], operationId: string): SQL {
  return sql`select coalesce(sum(case when t.value ->> 'problemId' is null
      then (select count(*) ${ofTarget('course', operationId)})
      else (select count(*) ${ofTarget('problem', operationId)})
      end), 0) from json_each(${toJson(targets)}) t`
}

/** The number of first targets with nothing left to rejudge. */
export async function countEmptyTargets(
  db: Db,
  targets: RejudgeTarget[],
  operationId: string,
): Promise<number> {
  const [first] = await rawQuery<{ position: number }>(
    db,
    sql`select t.key as position from json_each(${toJson(targets)}) t
      where case when t.value ->> 'problemId' is null then exists (select 1 ${ofTarget('course', operationId)})
        else exists (select 1 ${ofTarget('problem', operationId)}) end limit 1`,
  )
  return first?.position ?? targets.length
}

/** The next submissions of a target, oldest first. */
export async function listTargets(
  db: Db,
  target: RejudgeTarget,
  operationId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await rawQuery<{ id: string }>(
    db,
    sql`select ${submissions.id} from ${submissions} indexed by ${indexOf(target.problemId === undefined ? 'course' : 'problem')}
      where ${isTargeted(target, operationId)} and ${submissions.id} > ${after ?? ''}
      order by ${submissions.id} limit ${limit}`,
  )
  return rows.map((row) => row.id)
}

/**
 * Queues submissions again and sets them to pending, in one transaction. Those queued since the operation
 * began are left alone, and all once it was cancelled.
 * @returns those that lie in packs, and so were not queued
 */
export async function rejudgeAll(
  db: Db,
  pairs: NewJudgement[],
  operation: Pick<LeasedOperation, 'id' | 'lease'>,
  now: number,
): Promise<string[]> {
  const json = JSON.stringify(pairs)
  const isNext = sql`${submissions.id} = p.value ->> 'submissionId'
    and ${submissions.judgementId} < ${startOf(operation.id)} and ${submissions.status} >= 0 and ${canBeJudged}
    and ${submissions.packId} is null and ${isOperationLeased(operation)}`
  const [packed] = await db.batch([
    selectPacked(db, pairs),
    insertJudgements(
      db,
      { id: sql`p.value ->> 'judgementId'`, priority: 1, operationId: operation.id, now },
      sql`from json_each(${json}) p join ${submissions} on ${isNext}`,
    ),
    ...keepingResults(db, sql`select value ->> 'submissionId' from json_each(${json})`, [
      db
        .update(submissions)
        .set({ ...PENDING, judgementId: sql`p.value ->> 'judgementId'` })
        .from(sql`json_each(${json}) p`)
        .where(isNext),
    ]),
  ])
  return packed.map(({ id }) => id)
}
