/** Numbers about courses: the scoreboard of one, the summary of all. */
import { sql, type SQL } from 'drizzle-orm'
import { CLAIMED_SUBMISSION_SECONDS } from '#contract/limits'
import { PUBLIC_COURSE, type UserInfo } from '#contract/fields'
import type { CourseSummary } from '#contract/stats'
import { STATUS } from '#contract/verdicts'
import { execute, type Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { attemptsWithin } from '../../db/problem-results.ts'
import type { Attempt } from '../../db/schema.ts'
import { hexIdAt } from '../../lib/ids.ts'
import type { ScoreboardEntry } from './scoreboard.ts'

/** The time a scoreboard looks at, in epoch seconds, both ends included. */
interface TimeWindow {
  start?: number
  end?: number
}

/** The problems a scoreboard is about: those asked for, as far as the course has them; all when none is named. */
function chosenProblems(courseId: number, pids: number[]): SQL {
  const asked =
    pids.length === 0 ? sql`1` : sql`p.id in (select value from json_each(${JSON.stringify(pids)}))`
  return sql`select p.id from problems p where p.course_id = ${courseId} and p.deleted_at is null and ${asked}`
}

/** What one student has reached on one problem: judged scores, how many, best, worst and sum. */
function selectWhole(db: Db, courseId: number, chosen: SQL) {
  return execute<ScoreboardEntry>(
    db,
    sql`select m.user_id as userId, r.problem_id as problemId,
      r.scored as count, r.best_score as max, r.worst_score as min, r.score_sum as sum
    from memberships m join (${chosen}) c
      join problem_results r on r.problem_id = c.id and r.user_id = m.user_id
    where m.course_id = ${courseId} and m.role = 'student' and r.scored > 0`,
  )
}

interface AttemptsRow {
  userId: number
  problemId: number
  /** JSON of `Attempts`. */
  attempts: string
}

/**
 * The attempts that what was reached within a time is counted from. Ids are ordered by time; a two-step submission is
 * up to ten minutes older than its code.
 */
function selectWithin(db: Db, courseId: number, chosen: SQL, { start = 0, end }: TimeWindow) {
  const from = hexIdAt((start - CLAIMED_SUBMISSION_SECONDS) * 1000)
  const until = end === undefined ? 'g' : hexIdAt((end + 1) * 1000)
  return execute<AttemptsRow>(
    db,
    sql`select m.user_id as userId, problem_results.problem_id as problemId,
      ${attemptsWithin(sql`${from}`, sql`${until}`)} as attempts
    from memberships m join (${chosen}) c
      join problem_results on problem_results.problem_id = c.id and problem_results.user_id = m.user_id
    where m.course_id = ${courseId} and m.role = 'student' and problem_results.scored > 0`,
  )
}

/** Row → entry, from the attempts that came within a time and have a score; nothing where there are none. */
function entryWithin(
  { userId, problemId, attempts }: AttemptsRow,
  { start = 0, end = Infinity }: TimeWindow,
): ScoreboardEntry[] {
  const scores = Object.values<Attempt>(JSON.parse(attempts))
    .filter(([at, status]) => at >= start && at <= end && status >= 0 && status !== STATUS.JE)
    .map(([, , score]) => score)
  if (scores.length === 0) return []
  const sum = scores.reduce((total, score) => total + score, 0)
  const [max, min] = [Math.max(...scores), Math.min(...scores)]
  return [{ userId, problemId, count: scores.length, max, min, sum }]
}

/** The students of a course, the problems asked for, and what each reached on each; in one round trip. */
export async function readScoreboard(
  db: Db,
  courseId: number,
  pids: number[],
  window: TimeWindow,
): Promise<{
  students: (UserInfo & { id: number })[]
  problemIds: number[]
  entries: ScoreboardEntry[]
}> {
  const chosen = chosenProblems(courseId, pids)
  const isWhole = window.start === undefined && window.end === undefined
  const [students, problems, rows] = await db.batch([
    execute<UserInfo & { id: number }>(
      db,
      sql`select u.id, u.username, u.displayed_name as displayedName, u.role
      from memberships m join users u on u.id = m.user_id where m.course_id = ${courseId} and m.role = 'student'`,
    ),
    execute<{ id: number }>(db, chosen),
    isWhole ? selectWhole(db, courseId, chosen) : selectWithin(db, courseId, chosen, window),
  ])
  const known = new Set(problems.map(({ id }) => id))
  const unknown = pids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new AppError('problem_not_found', { unknown })
  return {
    students,
    problemIds: pids.length > 0 ? pids : [...known],
    entries: rows.flatMap((row) => ('attempts' in row ? entryWithin(row, window) : [row])),
  }
}

/** Every live course with its numbers, by name: one statement, each part of it read along an index. */
export async function readSummary(db: Db): Promise<CourseSummary> {
  const breakdown = await execute<CourseSummary['breakdown'][number]>(
    db,
    sql`with member as (select course_id, count(*) as n from memberships group by course_id),
      homework as (select course_id, count(*) as n from homeworks group by course_id),
      problem as (select course_id, count(*) as n from problems where deleted_at is null group by course_id),
      tried as (select problem_id, sum(tries) as n from problem_results group by problem_id),
      submission as (select p.course_id, sum(t.n) as n from problems p join tried t on t.problem_id = p.id group by p.course_id)
    select c.name as course, coalesce(m.n, 0) + (c.teacher_id is not null) as userCount,
      coalesce(h.n, 0) as homeworkCount, coalesce(p.n, 0) as problemCount, coalesce(s.n, 0) as submissionCount
    from courses c left join member m on m.course_id = c.id left join homework h on h.course_id = c.id
      left join problem p on p.course_id = c.id left join submission s on s.course_id = c.id
    where c.deleted_at is null and c.name <> ${PUBLIC_COURSE} order by c.name`,
  )
  return { courseCount: breakdown.length, breakdown }
}
