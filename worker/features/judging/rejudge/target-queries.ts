/** SQL that finds the submissions of a bulk rejudge and queues them. */
import { and, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Verdict } from '#contract/verdicts'
import { rawQuery, type Db } from '../../../db/client.ts'
import { idSince, idSinceChange, isOfEarlier } from '../../../db/earlier-results.ts'
import { judgements, operations, PRIORITY, problems, submissions } from '../../../db/schema.ts'
import { hexIdAt } from '../../../lib/ids.ts'
import { demandLease, type LeasedOperation } from '../../operations/queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../../submissions/target-queries.ts'
import type { NewJudgement } from './queue-again.ts'
import { insertJudgements } from './rejudge-queries.ts'

/**
 * Submissions to these problems. `statuses`: only with these verdicts; null: with any. `since`: only with code that came then or
 * later.
 */
export interface Targets {
  problemIds: number[]
  statuses: Verdict[] | null
  /** Epoch seconds. */
  since: number
  /** Only submissions whose result is from earlier test data, limits, scores or comparison. */
  earlierOnly: boolean
}

/** The position in the list of targets: the problem and the judgement of the last submission. */
interface TargetPosition {
  problemId: number
  judgementId: string
}

const START: TargetPosition = { problemId: 0, judgementId: '' }

/** The condition that a problem exists and has not changed since a rejudge began. */
export function isUnchanged(rejudgeId: string): SQL {
  return sql`(${problems.deletedAt} is null
    and ${idSince(sql`coalesce(${problems.judgingChangedAtMs}, 0)`)} <= ${rejudgeId})`
}

/** The condition that an open rejudge has a problem that exists and has not changed since it began. */
export function isAnyUnchanged(rejudgeId: string): SQL {
  return sql`exists (select 1 from ${operations} cross join json_each(${operations.payload}, '$.problemIds') p
    cross join ${problems} on ${problems.id} = p.value
    where ${operations.id} = ${rejudgeId} and ${isUnchanged(rejudgeId)})`
}

/** Without fitting test data the verdict would become a Judge Error. */
const isJudgeable = sql`${problems.testDataVersion} is not null`

/**
 * The submissions of a rejudge, in the order of problems and judgements: one range of an index for each problem. Ids are ordered
 * by time, so a limit on the id excludes submissions judged since the rejudge began. A packed submission has no judgement in the database:
 * its result is old.
 * @param rejudgeId null: no rejudge has begun
 * @param rest further conditions, order and limit
 */
function ofTargets(
  rejudgeId: string | null,
  { problemIds, statuses, since, earlierOnly }: Targets,
  { problemId, judgementId }: TargetPosition,
  rest: SQL,
): SQL {
  const begun = rejudgeId === null ? 'f' : rejudgeId.slice(0, 12)
  const end = earlierOnly ? sql`min(${begun}, ${idSinceChange})` : sql`${begun}`
  // All submissions handed in since then have higher ids; the id of a two-step submission is up to ten minutes older than its
  // code.
  const oldestId = hexIdAt((since - CLAIMED_SUBMISSION_SECONDS) * 1000)
  return sql`from ${problems} cross join ${submissions} indexed by submissions_judged
      on ${submissions.problemId} = ${problems.id} and ${submissions.judgementId} < ${end}
        and ${submissions.judgementId} > iif(${problems.id} = ${problemId}, ${judgementId}, '')
    left join ${judgements} on ${judgements.id} = ${submissions.judgementId}
    where ${problems.id} in (select value from json_each(${JSON.stringify(problemIds)})) and ${problems.id} >= ${problemId}
      and ${submissions.status} >= 0 and ${submissions.id} > ${oldestId} and ${submissions.acceptedAt} >= ${since}
      ${statuses === null ? sql`` : sql`and ${submissions.status} in (select value from json_each(${JSON.stringify(statuses)}))`}
      ${earlierOnly ? sql`and ${isOfEarlier(submissions.judgementId, judgements.claimedAt)}` : sql``} ${rest}`
}

/** The number of submissions to judge again. */
export function countTargets(rejudgeId: string, targets: Targets): SQL {
  return sql`select count(*) ${ofTargets(rejudgeId, targets, START, sql`and ${isJudgeable}`)}`
}

/** The next submissions to judge again. */
export async function listTargets(
  db: Db,
  rejudgeId: string,
  targets: Targets,
  after: TargetPosition | null,
  limit: number,
): Promise<(TargetPosition & { submissionId: string })[]> {
  const rest = sql`and ${isJudgeable} and ${isUnchanged(rejudgeId)}
    order by ${problems.id}, ${submissions.judgementId} limit ${limit}`
  return rawQuery(
    db,
    sql`select ${problems.id} as problemId, ${submissions.judgementId} as judgementId, ${submissions.id} as submissionId
      ${ofTargets(rejudgeId, targets, after ?? START, rest)}`,
  )
}

/** The number of a problem's submissions with a result from earlier test data, up to a bound, because each page of the problem asks. */
export function countEarlier(problemId: number, most: number): SQL {
  const targets = { problemIds: [problemId], statuses: null, since: 0, earlierOnly: true }
  return sql`select count(*) from (select 1 ${ofTargets(null, targets, START, sql`limit ${most}`)})`
}

/** The problems of these courses that have a submission with a Judge Error. */
export async function listProblemsWithJudgeErrors(db: Db, courseIds: number[]): Promise<number[]> {
  const rows = await rawQuery<{ problemId: number }>(
    db,
    sql`select distinct ${submissions.problemId} as problemId
      from json_each(${JSON.stringify(courseIds)}) c cross join ${submissions} indexed by submissions_by_course_status
        on ${submissions.courseId} = c.value and ${submissions.status} = 6 and ${submissions.status} >= 0
      cross join ${problems} on ${problems.id} = ${submissions.problemId} and ${problems.deletedAt} is null and ${isJudgeable}`,
  )
  return rows.map((row) => row.problemId)
}

/**
 * Queues submissions for a rejudge; their present results stay. Submissions that it has queued before are left out.
 * @returns the submissions that were not queued because they are in packs
 */
export async function queueTargets(
  db: Db,
  pairs: NewJudgement[],
  rejudge: Pick<LeasedOperation, 'id' | 'lease'>,
  now: number,
): Promise<string[]> {
  const ids = JSON.stringify(pairs.map(({ submissionId }) => submissionId))
  const [, packed] = await db.batch([
    demandLease(db, rejudge),
    db
      .select({ id: submissions.id })
      .from(submissions)
      .where(
        and(
          sql`${submissions.id} in (select value from json_each(${ids}))`,
          isNotNull(submissions.packId),
        ),
      ),
    insertJudgements(
      db,
      { id: sql`p.value ->> 'judgementId'`, priority: PRIORITY.bulk, rejudgeId: rejudge.id, now },
      sql`from json_each(${JSON.stringify(pairs)}) p
        cross join ${submissions} on ${submissions.id} = p.value ->> 'submissionId' and ${submissions.status} >= 0
          and ${submissions.judgementId} < ${rejudge.id.slice(0, 12)} and ${submissions.packId} is null
        cross join ${problems} on ${problems.id} = ${submissions.problemId} and ${isJudgeable} and ${isUnchanged(rejudge.id)}
        where not exists (select 1 from ${judgements} q indexed by judgements_submission
          where q.submission_id = ${submissions.id} and q.rejudge_id = ${rejudge.id})`,
    ),
  ])
  return packed.map(({ id }) => id)
}
