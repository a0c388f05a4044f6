/** Numbers about courses: the scoreboard of one, the summary of all. */
import { sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { CLAIMED_SUBMISSION_SECONDS } from '#contract/limits'
import { PUBLIC_COURSE, type UserInfo } from '#contract/fields'
import type { CourseSummary } from '#contract/stats'
import { STATUS } from '#contract/verdicts'
import { execute, type Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
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

/** Judged scores of one student on one problem: how many, best, worst, sum; the last three null for none. */
const scores = z.tuple([z.int(), z.int().nullable(), z.int().nullable(), z.int().nullable()])

interface ScoresRow {
  userId: number
  problemId: number
  /** The four numbers in JSON: one column, so that a subquery gives them all at once. */
  scores: string
}

/** Row → entry; nothing where nothing was judged. */
function toEntry({ userId, problemId, ...row }: ScoresRow): ScoreboardEntry[] {
  const [count, max, min, sum] = scores.parse(JSON.parse(row.scores))
  return max === null || min === null || sum === null
    ? []
    : [{ userId, problemId, count, max, min, sum }]
}

/** Judged scores of each student on each problem, from the summary. */
function fromSummary(courseId: number, chosen: SQL): SQL {
  return sql`select m.user_id as userId, r.problem_id as problemId,
      json_array(r.scored, r.best_score, r.worst_score, r.score_sum) as scores
    from memberships m join (${chosen}) c
      join problem_results r on r.problem_id = c.id and r.user_id = m.user_id
    where m.course_id = ${courseId} and m.role = 'student' and r.scored > 0`
}

/**
 * The same for submissions within a time, from the submissions themselves: for each student and problem one
 * range of an index, because ids are ordered by time (a two-step submission is up to ten minutes older than its code).
 */
function fromSubmissions(courseId: number, chosen: SQL, { start = 0, end }: TimeWindow): SQL {
  const from = hexIdAt((start - CLAIMED_SUBMISSION_SECONDS) * 1000)
  const until = end === undefined ? 'g' : hexIdAt((end + 1) * 1000)
  return sql`select m.user_id as userId, c.id as problemId,
      (select json_array(count(*), max(s.score), min(s.score), sum(s.score)) from submissions s
        where s.user_id = m.user_id and s.problem_id = c.id and s.id >= ${from} and s.id < ${until}
          and s.status >= 0 and s.status <> ${STATUS.JE} and s.accepted_at >= ${start}
          and s.accepted_at <= ${end ?? Number.MAX_SAFE_INTEGER}) as scores
    from memberships m join (${chosen}) c where m.course_id = ${courseId} and m.role = 'student'`
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
    execute<ScoresRow>(
      db,
      isWhole ? fromSummary(courseId, chosen) : fromSubmissions(courseId, chosen, window),
    ),
  ])
  const known = new Set(problems.map(({ id }) => id))
  const unknown = pids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new AppError('problem_not_found', { unknown })
  return {
    students,
    problemIds: pids.length > 0 ? pids : [...known],
    entries: rows.flatMap(toEntry),
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
