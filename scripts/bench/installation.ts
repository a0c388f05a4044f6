/**
 * An installation of 50 courses, 2,000 students and 500 problems with a submission a minute, by SQL. More submissions
 * mean a longer past, as installations grow: the last week looks the same at every size.
 */
import { createHash, randomBytes } from 'node:crypto'
import { hashPassword } from '../../worker/lib/password.ts'
import type { BenchStack } from './stack.ts'

const COURSES = 50
const STUDENTS = 2_000
/** Rows per statement, so that no transaction grows too large. */
const CHUNK = 50_000
/** Ids of people: the students from here on. */
const FIRST_STUDENT = 1_000

export const PASSWORD = 'demo-password'

/** The students. */
export const STUDENT_IDS = Array.from({ length: STUDENTS }, (_, index) => FIRST_STUDENT + 1 + index)

/** Whose calls are measured, and about what. */
export interface Installation {
  /** Cookies. The classmate has made some fifty submissions to each of ten problems, as people do. */
  student: string
  classmate: string
  teacher: string
  admin: string
  course: string
  username: string
  problemId: number
  /** Problems of the course that nobody tries more often than others. */
  ordinaryProblemIds: number[]
  submissionId: string
}

/** A table of the numbers from `first` to `last`. */
function series(first: number, last: number): string {
  return `(with recursive c(n) as (values(${first}) union all select n + 1 from c where n < ${last}) select n from c)`
}

const USER_COLUMNS =
  'id, username, username_key, email, displayed_name, role, password_hash, active, created_at, email_confirmed_at'

/** An admin, teachers and students; the password's hash is the one parameter of each. */
function people(now: number): string[] {
  return [
    `insert into users (${USER_COLUMNS}) values (2, 'admin', 'admin', 'admin@x.test', 'Admin', 0, ?, 1, ${now}, ${now})`,
    `insert into users (${USER_COLUMNS}) select 100 + n, 'teacher' || n, 'teacher' || n, 'teacher' || n || '@x.test', 'Teacher ' || n, 1, ?, 1, ${now}, ${now} from ${series(1, COURSES)}`,
    `insert into users (${USER_COLUMNS}) select ${FIRST_STUDENT} + n, 'student' || n, 'student' || n, 'student' || n || '@x.test', 'Student ' || n, 2, ?, 1, ${now}, ${now} from ${series(1, STUDENTS)}`,
  ]
}

function coursesAndProblems(now: number): string[] {
  return [
    `insert into courses (id, name, name_key, teacher_id, time_zone, created_at) select 10 + n, 'Course ' || n, 'course ' || n, 100 + n, 'UTC', ${now} from ${series(1, COURSES)}`,
    `insert into memberships (course_id, user_id, role, joined_at) select 11 + n % ${COURSES}, ${FIRST_STUDENT + 1} + n, 'student', ${now} from ${series(0, STUDENTS - 1)}`,
    `insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
     select n + 1, 11 + n % ${COURSES}, 'Problem ' || n, 0, 0, 101 + n % ${COURSES}, '["tag"]', -1, 7,
       '{"description":"Add.","input":"","output":"","hint":"","sampleInput":[],"sampleOutput":[]}', '{"mode":"lines"}', ${now}, ${now}
     from ${series(0, COURSES * 10 - 1)}`,
    `insert into subtasks (problem_id, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb)
     select n, 0, 2, 100, 65536, 1000, 65536 from ${series(1, COURSES * 10)}`,
    `insert into test_data_versions (id, problem_id, object_key, size_bytes, sha256, case_counts, uploader_id, created_at)
     select printf('%024x', n), n, 'k', 1, 'x', '[2]', 101, ${now} from ${series(1, COURSES * 10)}`,
    `update problems set test_data_version = printf('%024x', id)`,
  ]
}

function whatCoursesHold(now: number): string[] {
  return [
    // Everybody has tried every problem of their course, as towards the end of a term.
    `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id)
     select p.id, m.user_id, 1, 1, 0, 0, 0, '[0,1,0,0,0,0,0,0]', null, null from problems p join memberships m on m.course_id = p.course_id`,
    `insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
     select printf('%024x', n), 11 + n % ${COURSES}, 'Homework ' || n, '', ${now - 86_400}, ${now + 86_400}, 0, ${now}, ${now}
     from ${series(0, COURSES * 3 - 1)}`,
    `insert into homework_problems (homework_id, problem_id, position)
     select printf('%024x', n), 1 + n % ${COURSES} + ${COURSES} * (1 + n / ${COURSES}), 0 from ${series(0, COURSES * 3 - 1)}`,
    `insert into announcements (id, course_id, title, markdown, pinned, creator_id, updater_id, created_at, updated_at)
     select printf('%024x', n), case when n % 51 = 0 then 1 else 10 + n % 51 end, 'News', 'Text', 0, 101, 101, ${now}, ${now} from ${series(1, 500)}`,
  ]
}

/** Signs somebody in; gives the cookie. */
export async function beginSession(
  { db }: BenchStack,
  userId: number,
  now: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  await db
    .prepare(
      `insert into sessions (token_hash, user_id, created_at, last_seen_at, confirmed_at, ip, agent) values (?, ${userId}, ${now}, ${now}, ${now}, '', '')`,
    )
    .bind(tokenHash)
    .run()
  return `__Host-session=${token}`
}

/** Everything but submissions. Student 1 of course 1 makes every eleventh submission of all, to problem 1. */
export async function fillPeople(stack: BenchStack): Promise<Omit<Installation, 'submissionId'>> {
  const now = Math.floor(Date.now() / 1_000)
  const hash = await hashPassword(PASSWORD)
  for (const statement of people(now)) await stack.db.prepare(statement).bind(hash).run()
  for (const statement of [...coursesAndProblems(now), ...whatCoursesHold(now)])
    await stack.db.prepare(statement).run()
  return {
    student: await beginSession(stack, FIRST_STUDENT + 1, now),
    classmate: await beginSession(stack, FIRST_STUDENT + 1 + COURSES, now),
    teacher: await beginSession(stack, 101, now),
    admin: await beginSession(stack, 2, now),
    course: 'Course 1',
    username: 'student1',
    problemId: 1,
    ordinaryProblemIds: Array.from({ length: 9 }, (_, index) => 1 + COURSES * (index + 1)),
  }
}

/** Submissions `first` to `last`, counted from now into the past, with their judgements, sources and audit entries. */
export async function fillSubmissions(
  { db }: BenchStack,
  first: number,
  last: number,
): Promise<string> {
  const nowMs = Date.now() - 60_000
  const isHot = 'n % 11 = 0'
  const person = `case when ${isHot} then 0 else n % ${STUDENTS} end`
  const course = `(${person}) % ${COURSES}`
  const problem = `1 + ${course} + case when ${isHot} then 0 else ${COURSES} * (n / ${STUDENTS} % 10) end`
  const id = (from: string) => `printf('%012x%012x', ${nowMs} - ${from} * 60000, ${from})`
  const { results: indexes } = await db
    .prepare(
      "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in ('submissions', 'judgements')",
    )
    .all<{ name: string; sql: string }>()
  const isLarge = last - first > CHUNK
  // Many rows go in faster without indexes, which are then built in order.
  if (isLarge) for (const { name } of indexes) await db.prepare(`drop index "${name}"`).run()
  for (let from = first; from <= last; from += CHUNK) {
    const rows = series(from, Math.min(last, from + CHUNK - 1))
    await db.batch([
      db.prepare(
        `insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, run_time_ms, memory_kb, judgement_id, quota_used, ip, created_at, accepted_at)
         select ${id('n')}, ${problem}, 11 + ${course}, ${FIRST_STUDENT + 1} + ${person}, n / 10 % 3, n / 30 % 8, 0, 3, 900,
           ${id('n')}, 0, '', (${nowMs} - n * 60000) / 1000, (${nowMs} - n * 60000) / 1000 from ${rows}`,
      ),
      db.prepare(
        `insert into judgements (id, submission_id, state, priority, rank, attempt, queued_at, ticket_at, phase, cases_done, cases_total, finished_at, status, subtasks)
         select ${id('n')}, ${id('n')}, 'done', 0, 0, 1, 1, 1, 'running', 2, 2, 1, n / 30 % 8, '[]' from ${rows}`,
      ),
      db.prepare(
        `insert into submission_sources (submission_id, code) select ${id('n')}, cast('int main(){}' as blob) from ${rows}`,
      ),
      db.prepare(
        `insert into audit_entries (created_at, actor_id, action, subject, detail, ip)
         select (${nowMs} - n * 60000) / 1000, ${FIRST_STUDENT + 1} + ${person}, 'thing.' || char(97 + n % 7), 'x', '{}', '' from ${rows}`,
      ),
    ])
  }
  if (isLarge) for (const { sql } of indexes) await db.prepare(sql).run()
  await db
    .prepare(
      `insert or replace into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id)
       select problem_id, user_id, count(*), count(*), 0, 0, 0, '[0,1,0,0,0,0,0,0]', null, null from submissions group by problem_id, user_id`,
    )
    .run()
  const newest = await db
    .prepare(`select max(id) as id from submissions where user_id = ${FIRST_STUDENT + 1 + COURSES}`)
    .first<{ id: string }>()
  return newest?.id ?? ''
}
