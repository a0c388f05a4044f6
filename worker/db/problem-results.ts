/**
 * The summary of what each person has reached on each problem. It is never counted up: its row is computed
 * anew from the submissions of that one person to that one problem, so that repeating it changes nothing.
 */
import { sql, type SQL } from 'drizzle-orm'
import { RESULT_HISTORY } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { execute, type Db } from './client.ts'
import { problemResults } from './schema.ts'

/** The score of a submission that has one: judged, and not ended by a Judge Error. */
const score = sql.raw(`case when s.status >= 0 and s.status <> ${STATUS.JE} then s.score end`)

/** How often each status occurs, as a JSON array by code. */
const statusCounts = sql.raw(
  `json_array(${Array.from({ length: 8 }, (_, status) => `sum(s.status = ${status})`).join(', ')})`,
)

/** The accepted submission of the person and problem `k` with the smallest value in a column. */
function bestBy(column: 'run_time_ms' | 'memory_kb'): SQL {
  return sql.raw(`(select b.id from submissions b where b.user_id = k.user_id and b.problem_id = k.problem_id
    and b.status = ${STATUS.AC} and b.${column} is not null order by b.${column}, b.id limit 1)`)
}

/** The first of the submissions of a person to a problem that their history keeps; empty while it keeps all. */
const firstKept = sql.raw(`coalesce((select h.id from submissions h where h.user_id = w.user_id
  and h.problem_id = w.problem_id order by h.id desc limit 1 offset ${RESULT_HISTORY - 1}), '')`)

/** The history of a person on a problem, for homeworks, which ask what of it lies in their time. */
const history = sql.raw(`json_group_array(json_array(s.id, s.accepted_at, s.status, s.score))
  filter (where s.id >= k.first_kept)`)

/**
 * The statement that brings the summary up to date for everyone whose submissions are named. Put it last
 * into every batch that changes a submission's existence, status, score, run time or memory:
 * accepting code (one step and two steps), storing a result, failing an exhausted job, rejudging.
 * @param submissionIds one id, or a select that gives ids
 */
export function refreshProblemResults(db: Db, submissionIds: SQL) {
  return execute(
    db,
    sql`insert into ${problemResults} (problem_id, user_id, tries, scored, score_sum, best_score, worst_score,
      status_counts, fastest_id, leanest_id, history)
    select k.problem_id, k.user_id, count(*), count(${score}), coalesce(sum(${score}), 0), max(${score}), min(${score}),
      ${statusCounts}, ${bestBy('run_time_ms')}, ${bestBy('memory_kb')},
      ${history}
    from (select w.problem_id, w.user_id, ${firstKept} as first_kept
        from (select distinct problem_id, user_id from submissions where id in (${submissionIds})) w) k
      join submissions s on s.user_id = k.user_id and s.problem_id = k.problem_id
    where s.status <> ${STATUS.CLAIMED}
    group by k.problem_id, k.user_id
    on conflict (problem_id, user_id) do update set tries = excluded.tries, scored = excluded.scored,
      score_sum = excluded.score_sum, best_score = excluded.best_score, worst_score = excluded.worst_score,
      status_counts = excluded.status_counts, fastest_id = excluded.fastest_id, leanest_id = excluded.leanest_id,
      history = excluded.history`,
  )
}
