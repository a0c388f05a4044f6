/** Statistics of courses: the scoreboard of one, the summary of all. */
import { sql, type SQL } from 'drizzle-orm'
import { PUBLIC_COURSE, type UserInfo } from '#contract/fields'
import type { CourseSummary } from '#contract/problems/stats'
import { STATUS } from '#contract/verdicts'
import { rawQuery, type Db } from '../../db/client.ts'
import { isStudent } from '../../db/label-filter.ts'
import {
  courses,
  homeworks,
  memberships,
  problemResults,
  problems,
  users,
} from '../../db/schema.ts'
import { AppError } from '../../http/errors.ts'
import { attemptsWithin } from '../../db/problem-results.ts'
import type { Attempt } from '../../db/schema.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../submissions/target-queries.ts'
import type { ScoreboardEntry } from './scoreboard.ts'

/** The time window of a scoreboard, in epoch seconds, both ends included. */
interface TimeWindow {
  start?: number
  end?: number
}

/** The problems of a scoreboard: the course's problems with these ids, or all if no id is given. */
function chosenProblems(courseId: number, pids: number[]): SQL {
  const asked =
    pids.length === 0
      ? sql`1`
      : sql`${problems.id} in (select value from json_each(${JSON.stringify(pids)}))`
  return sql`select ${problems.id} from ${problems}
    where ${problems.courseId} = ${courseId} and ${problems.deletedAt} is null and ${asked}`
}

/** Each student's judged scores on each problem: count, best, worst and sum. */
function selectWhole(db: Db, isOnBoard: SQL | undefined, chosen: SQL) {
  return rawQuery<ScoreboardEntry>(
    db,
    sql`select ${memberships.userId} as userId, ${problemResults.problemId} as problemId,
      ${problemResults.scored} as count, ${problemResults.bestScore} as max,
      ${problemResults.worstScore} as min, ${problemResults.scoreSum} as sum
    from ${memberships} join (${chosen}) c
      join ${problemResults} on ${problemResults.problemId} = c.id and ${problemResults.userId} = ${memberships.userId}
    where ${isOnBoard} and ${problemResults.scored} > 0`,
  )
}

interface AttemptsRow {
  userId: number
  problemId: number
  /** JSON of `Attempts`. */
  attempts: string
}

/** The attempts of a time window. Ids are ordered by time; the id of a two-step submission is up to ten minutes older than its code. */
function selectWithin(
  db: Db,
  isOnBoard: SQL | undefined,
  chosen: SQL,
  { start = 0, end }: TimeWindow,
) {
  const from = hexIdAt((start - CLAIMED_SUBMISSION_SECONDS) * 1000)
  const until = end === undefined ? 'g' : hexIdAt((end + 1) * 1000)
  return rawQuery<AttemptsRow>(
    db,
    sql`select ${memberships.userId} as userId, ${problemResults.problemId} as problemId,
      ${attemptsWithin(sql`${from}`, sql`${until}`)} as attempts
    from ${memberships} join (${chosen}) c
      join ${problemResults} on ${problemResults.problemId} = c.id and ${problemResults.userId} = ${memberships.userId}
    where ${isOnBoard} and ${problemResults.scored} > 0`,
  )
}

/** The scoreboard's entry for a row, computed from its scored attempts in the window; empty if it has none. */
function entryWithin(
  { userId, problemId, attempts }: AttemptsRow,
  { start = 0, end = Infinity }: TimeWindow,
): ScoreboardEntry[] {
  const within = Object.entries<Attempt>(JSON.parse(attempts))
    .filter(([, [at, status]]) => at >= start && at <= end && status >= 0 && status !== STATUS.JE)
    .map(([id, [, , score]]) => ({ id, score }))
    // Ids are ordered by time.
    .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
  const [best, worst] = [within[0], within.at(-1)]
  if (!best || !worst) return []
  const sum = within.reduce((total, { score }) => total + score, 0)
  const [max, min] = [best.score, worst.score]
  return [{ userId, problemId, count: within.length, max, min, sum, bestId: best.id }]
}

/** The students of a course, or those with a label, the chosen problems, and the results; in one round trip. */
export async function readScoreboard(
  db: Db,
  courseId: number,
  pids: number[],
  { label, ...window }: TimeWindow & { label?: number | undefined },
): Promise<{
  students: (UserInfo & { id: number })[]
  problemIds: number[]
  entries: ScoreboardEntry[]
}> {
  const chosen = chosenProblems(courseId, pids)
  const isOnBoard = isStudent(courseId, label)
  const isWhole = window.start === undefined && window.end === undefined
  const [students, problems, rows] = await db.batch([
    rawQuery<UserInfo & { id: number }>(
      db,
      sql`select ${users.id}, ${users.username}, ${users.displayedName} as displayedName, ${users.role}
      from ${memberships} join ${users} on ${users.id} = ${memberships.userId}
      where ${isOnBoard}`,
    ),
    rawQuery<{ id: number }>(db, chosen),
    isWhole ? selectWhole(db, isOnBoard, chosen) : selectWithin(db, isOnBoard, chosen, window),
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

/** Every live course with its numbers, by name. It takes one statement, and each part of the statement reads an index. */
export async function readSummary(db: Db): Promise<CourseSummary> {
  const breakdown = await rawQuery<CourseSummary['breakdown'][number]>(
    db,
    sql`with member as (select ${memberships.courseId}, count(*) as n from ${memberships} group by ${memberships.courseId}),
      homework as (select ${homeworks.courseId}, count(*) as n from ${homeworks} group by ${homeworks.courseId}),
      problem as (select ${problems.courseId}, count(*) as n
        from ${problems} where ${problems.deletedAt} is null group by ${problems.courseId}),
      tried as (select ${problemResults.problemId}, sum(${problemResults.tries}) as n
        from ${problemResults} group by ${problemResults.problemId}),
      submission as (select ${problems.courseId}, sum(t.n) as n
        from ${problems} join tried t on t.problem_id = ${problems.id} group by ${problems.courseId})
    select ${courses.name} as course, coalesce(m.n, 0) + (${courses.teacherId} is not null) as userCount,
      coalesce(h.n, 0) as homeworkCount, coalesce(p.n, 0) as problemCount, coalesce(s.n, 0) as submissionCount
    from ${courses} left join member m on m.course_id = ${courses.id} left join homework h on h.course_id = ${courses.id}
      left join problem p on p.course_id = ${courses.id} left join submission s on s.course_id = ${courses.id}
    where ${courses.deletedAt} is null and ${courses.name} <> ${PUBLIC_COURSE} order by ${courses.name}`,
  )
  return { courseCount: breakdown.length, breakdown }
}
