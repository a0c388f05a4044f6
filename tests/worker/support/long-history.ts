/** One person's submissions over a long time, as SQL that inserts them judged. */
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'

/** Rows of one statement; more could make it too large. */
const CHUNK = 10_000

interface History {
  userId: number
  problemId: number
  count: number
  /** Seconds between two submissions; the newest is this old. */
  spacing: number
  /** Epoch seconds. */
  now: number
}

/**
 * The statements that insert submissions of one person to one problem, with their judgements and their summary. Every
 * third is accepted. The course must be in the time zone UTC, and the person must not have submitted before.
 */
export function historyStatements(history: History): string[] {
  const { userId, problemId, count, spacing, now } = history
  const statements: string[] = []
  for (let first = 0; first < count; first += CHUNK) {
    const numbers = `(with recursive c(n) as (values(${first}) union all select n + 1 from c
      where n + 1 < ${Math.min(count, first + CHUNK)}) select n from c)`
    const at = `(${now} - (${count} - n) * ${spacing})`
    const id = `printf('%012x%06x%06x', ${at} * 1000, ${userId}, ${problemId})`
    statements.push(
      `insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, run_time_ms,
        memory_kb, judgement_id, quota_used, ip, created_at, accepted_at, ordinal)
      select ${id}, ${problemId}, (select course_id from problems where id = ${problemId}), ${userId}, 0,
        n % 3, iif(n % 3 = 0, 100, 0), n % 97, n % 89, ${id}, 1, '', ${at}, ${at}, n + 1 from ${numbers}`,
      `insert into judgements (id, submission_id, state, priority, rank, attempt, queued_at, ticket_at, phase,
        cases_total, finished_at, status)
      select ${id}, ${id}, 'done', 0, 0, 1, ${at}, ${at}, 'running', 1, ${at}, n % 3 from ${numbers}`,
    )
  }
  const today = now - (now % 86_400)
  const best = (column: string) =>
    `(select id from submissions where user_id = s.user_id and problem_id = s.problem_id and status = 0
      order by ${column}, id limit 1)`
  statements.push(
    `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts,
      quota_since, quota_uses, fastest_id, leanest_id, attempts)
    select problem_id, user_id, count(*), count(*), sum(score), max(score), min(score),
      json_array(sum(status = 0), sum(status = 1), sum(status = 2), 0, 0, 0, 0, 0),
      ${today}, sum(accepted_at >= ${today}), ${best('run_time_ms')}, ${best('memory_kb')},
      iif(count(*) > ${ATTEMPTS.kept}, '{}', json_group_object(id, json_array(accepted_at, status, score)))
    from submissions s where user_id = ${userId} and problem_id = ${problemId} group by problem_id, user_id`,
  )
  return statements
}
