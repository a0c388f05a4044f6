/**
 * The summary of what each person has reached on each problem: the sum of what their submissions to it contribute.
 * A change takes out what the submissions named contributed before it and adds what they contribute after it, in
 * one transaction: it costs the same however many came before, and the same change again changes nothing.
 */
import { sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { ATTEMPTS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { execute, type Db } from './client.ts'
import { problemResults } from './schema.ts'

const STATUSES = Array.from({ length: 8 }, (_, status) => status)

/** Submissions that have a score: judged, and not ended by a Judge Error. In the words of the index for scores. */
const isScored = sql.raw(`status >= 0 and status <> ${STATUS.JE}`)

/** What a submission tells homeworks and scoreboards of a time, as a key and its value. */
const attempt = sql.raw('id, json_array(accepted_at, status, score)')

/** What the submissions named contribute, by person and problem. One whose code has not come contributes nothing. */
function selectContributions(submissionIds: SQL): SQL {
  return sql`(select s.problem_id, s.user_id, count(*) as tries, count(iif(s.${isScored}, 1, null)) as scored,
      coalesce(sum(iif(s.${isScored}, s.score, 0)), 0) as score_sum,
      json_array(${sql.raw(STATUSES.map((status) => `sum(s.status = ${status})`).join(', '))}) as status_counts,
      sum(s.quota_used = 1 and s.accepted_at >= coalesce(r.quota_since, 0)) as quota_uses,
      json_group_object(${attempt}) as attempts
    from submissions s left join problem_results r on r.problem_id = s.problem_id and r.user_id = s.user_id
    where s.id in (${submissionIds}) and s.status <> ${sql.raw(String(STATUS.CLAIMED))}
    group by s.problem_id, s.user_id)`
}

/** The counts by status of a summary, changed by others. */
function changedCounts(sign: '+' | '-', others: string): SQL {
  const sums = STATUSES.map(
    (status) =>
      `(problem_results.status_counts ->> ${status}) ${sign} (${others}.status_counts ->> ${status})`,
  )
  return sql.raw(`json_array(${sums.join(', ')})`)
}

/** The end of an index of the submissions of the person and problem `c`; the condition is the index's own. */
function pickFromIndex(index: string, column: string, condition: SQL, order: string): SQL {
  return sql`(select ${sql.raw(column)} from submissions indexed by ${sql.raw(index)}
    where user_id = c.user_id and problem_id = c.problem_id and ${condition} order by ${sql.raw(order)} limit 1)`
}

/** The accepted submission with the smallest value in a column. */
function bestBy(index: string, column: 'run_time_ms' | 'memory_kb'): SQL {
  const condition = sql.raw(`status = ${STATUS.AC} and ${column} is not null`)
  return pickFromIndex(index, 'id', condition, `${column}, id`)
}

function subtractContributions(db: Db, submissionIds: SQL) {
  return execute(
    db,
    sql`update ${problemResults} set tries = problem_results.tries - c.tries, scored = problem_results.scored - c.scored,
      score_sum = problem_results.score_sum - c.score_sum, quota_uses = problem_results.quota_uses - c.quota_uses,
      status_counts = ${changedCounts('-', 'c')}
    from ${selectContributions(submissionIds)} c
    where problem_results.problem_id = c.problem_id and problem_results.user_id = c.user_id`,
  )
}

/** The day whose uses of a quota count from now on: its start in epoch seconds, and a select that counts them all. */
interface QuotaDay {
  start: number
  uses: SQL
}

const NO_DAY: QuotaDay = { start: 0, uses: sql`0` }

function addContributions(db: Db, submissionIds: SQL, { start, uses }: QuotaDay) {
  // Counted anew with a day's first submission, which finds one use, and where the course's time zone has changed.
  const isCounted = sql`${start} in (0, problem_results.quota_since)`
  const kept = sql.raw(String(ATTEMPTS.kept))
  return execute(
    db,
    sql`insert into ${problemResults} (problem_id, user_id, tries, scored, score_sum, best_score, worst_score,
      status_counts, quota_since, quota_uses, fastest_id, leanest_id, attempts)
    select c.problem_id, c.user_id, c.tries, c.scored, c.score_sum,
      ${pickFromIndex('submissions_score', 'score', isScored, 'score desc')},
      ${pickFromIndex('submissions_score', 'score', isScored, 'score')}, c.status_counts, ${start}, c.quota_uses,
      ${bestBy('submissions_fastest', 'run_time_ms')}, ${bestBy('submissions_leanest', 'memory_kb')},
      iif(c.tries > ${kept}, '{}', c.attempts)
    from ${selectContributions(submissionIds)} c where true
    on conflict (problem_id, user_id) do update set tries = problem_results.tries + excluded.tries,
      scored = problem_results.scored + excluded.scored, score_sum = problem_results.score_sum + excluded.score_sum,
      best_score = excluded.best_score, worst_score = excluded.worst_score,
      status_counts = ${changedCounts('+', 'excluded')},
      quota_since = iif(${isCounted}, problem_results.quota_since, ${start}),
      quota_uses = iif(${isCounted}, problem_results.quota_uses + excluded.quota_uses, ${uses}),
      fastest_id = excluded.fastest_id, leanest_id = excluded.leanest_id,
      attempts = iif(problem_results.tries + excluded.tries > ${kept}, '{}',
        json_patch(problem_results.attempts, excluded.attempts))`,
  )
}

/**
 * A change of submissions between the two statements that keep the summary equal to them, for a batch. Every change
 * of a submission's existence, status, score, run time, memory or use of the quota goes through it.
 * @param submissionIds one id, or a select that gives the same ids before and after the change
 * @param quotaDay for a submission that a quota counts
 */
export function keepingResults<Changes extends readonly BatchItem<'sqlite'>[]>(
  db: Db,
  submissionIds: SQL,
  changes: Changes,
  quotaDay = NO_DAY,
) {
  return [
    subtractContributions(db, submissionIds),
    ...changes,
    addContributions(db, submissionIds, quotaDay),
  ] as const
}

/**
 * The attempts of the summary `problem_results` of the row, as JSON of `Attempts`: all of them as long as they are few;
 * else the newest of a time, from the submissions.
 * @param from ids of the time are not below this
 * @param until ids of the time are below this
 */
export function attemptsWithin(from: SQL, until: SQL): SQL<string> {
  return sql<string>`iif(problem_results.tries <= ${sql.raw(String(ATTEMPTS.kept))}, problem_results.attempts,
    (select json_group_object(${attempt}) from (select id, accepted_at, status, score from submissions
      where user_id = problem_results.user_id and problem_id = problem_results.problem_id
        and id >= ${from} and id < ${until} and status <> ${sql.raw(String(STATUS.CLAIMED))}
      order by id desc limit ${sql.raw(String(ATTEMPTS.read))})))`
}
