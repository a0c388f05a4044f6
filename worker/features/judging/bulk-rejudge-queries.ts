/** SQL of rejudging many. */
import { sql, type SQL } from 'drizzle-orm'
import { execute, type Db } from '../../db/client.ts'
import { keepingResults } from '../../db/problem-results.ts'
import { judgements, submissions } from '../../db/schema.ts'
import type { RejudgeTarget } from './bulk-rejudge.ts'

/** The beginning of all ids made in the millisecond an operation was: judgements it queues are never below. */
function startOf(operationId: string): string {
  return operationId.slice(0, 12)
}

/** The condition that the problem of a submission has test data: without them its verdict would become a Judge Error. */
function canBeJudged(problemId: SQL): SQL {
  return sql`exists (select 1 from problems p where p.id = ${problemId} and p.test_data_version is not null)`
}

/** The submissions of a target that this operation has not queued yet: judgement ids are ordered by time, as operation ids are. */
function isTargeted(
  { problemId, courseId, status, languageType, since }: RejudgeTarget,
  operationId: string,
): SQL {
  const scope =
    problemId === undefined ? sql`course_id = ${courseId}` : sql`problem_id = ${problemId}`
  return sql`${scope} and status = ${status}
    and language_type = ${languageType} and id > ${since} and judgement_id < ${startOf(operationId)}
    and ${canBeJudged(sql`submissions.problem_id`)}`
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
    })),
  )
}

/** The submissions of the target `t.value` that the operation has not queued yet, by its problem or its course: each is one range of an index. */
function ofTarget(scope: 'problem' | 'course', operationId: string): SQL {
  const is =
    scope === 'problem'
      ? sql`s.problem_id = t.value ->> 'problemId'`
      : sql`s.course_id = t.value ->> 'courseId'`
  return sql`from ${submissions} s where ${is} and s.status = t.value ->> 'status'
    and s.language_type = t.value ->> 'languageType' and s.id > t.value ->> 'since'
    and s.judgement_id < ${startOf(operationId)} and ${canBeJudged(sql`s.problem_id`)}`
}

/** How many submissions an operation will rejudge; every part is one range of an index. */
export function countTargets(targets: RejudgeTarget[], operationId: string): SQL {
  return sql`select coalesce(sum(case when t.value ->> 'problemId' is null
      then (select count(*) ${ofTarget('course', operationId)})
      else (select count(*) ${ofTarget('problem', operationId)})
      end), 0) from json_each(${toJson(targets)}) t`
}

/** How many targets at the beginning have nothing left to rejudge. */
export async function countEmptyTargets(
  db: Db,
  targets: RejudgeTarget[],
  operationId: string,
): Promise<number> {
  const [first] = await execute<{ position: number }>(
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
  const rows = await execute<{ id: string }>(
    db,
    sql`select id from ${submissions}
      where ${isTargeted(target, operationId)} and id > ${after ?? ''} order by id limit ${limit}`,
  )
  return rows.map((row) => row.id)
}

/** Queues submissions anew and sets them to pending, in one transaction; those queued since the operation began are left alone. */
export async function rejudgeAll(
  db: Db,
  pairs: { submissionId: string; judgementId: string }[],
  operationId: string,
  now: number,
): Promise<void> {
  const json = JSON.stringify(pairs)
  await db.batch([
    execute(
      db,
      sql`insert into ${judgements}
        (id, submission_id, course_id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
      select p.value ->> 'judgementId', s.id, s.course_id, s.user_id, 'queued', 1, 0, ${now}, ${now}, 'queued',
        (select coalesce(sum(case_count), 0) from subtasks where problem_id = s.problem_id)
      from json_each(${json}) p join ${submissions} s on s.id = p.value ->> 'submissionId'
      where s.judgement_id < ${startOf(operationId)} and s.status >= 0 and ${canBeJudged(sql`s.problem_id`)}`,
    ),
    ...keepingResults(db, sql`select value ->> 'submissionId' from json_each(${json})`, [
      execute(
        db,
        sql`update ${submissions} set status = -1, score = 0, run_time_ms = null, memory_kb = null,
        judgement_id = p.value ->> 'judgementId'
      from json_each(${json}) p
      where ${submissions.id} = p.value ->> 'submissionId' and ${submissions.judgementId} < ${startOf(operationId)}
        and ${submissions.status} >= 0 and ${canBeJudged(sql`submissions.problem_id`)}`,
      ),
    ]),
  ])
}
