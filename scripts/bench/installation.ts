/** Makes an installation by SQL: 50 courses, 2,000 students, 500 problems, and a submission a minute for five weeks. */
import { createHash, randomBytes } from 'node:crypto'
import { hashPassword } from '../../worker/lib/password.ts'
import type { BenchStack } from './stack.ts'

const COURSES = 50
const STUDENTS = 2_000
const SUBMISSIONS = 50_000
/** Students have ids above this one. */
const FIRST_STUDENT = 1_000

export const PASSWORD = 'demo-password'

/** The students. */
export const STUDENT_IDS = Array.from({ length: STUDENTS }, (_, index) => FIRST_STUDENT + 1 + index)

/** The people whose calls are measured, and the subjects of these calls. */
interface Installation {
  /** Signs a person in; returns the cookie. */
  beginSession(userId: number): Promise<string>
  /** Cookies of a teacher and two students of one course. */
  teacher: string
  student: string
  classmate: string
  course: string
  problemIds: number[]
}

/** A table of the numbers from `first` to `last`. */
function series(first: number, last: number): string {
  return `(with recursive c(n) as (values(${first}) union all select n + 1 from c where n < ${last}) select n from c)`
}

const USER_COLUMNS =
  'id, username, username_key, email, displayed_name, role, password_hash, active, created_at, email_confirmed_at'

/** Statements for an admin, teachers and students. The only parameter of each statement is the password's hash. */
function people(now: number): string[] {
  return [
    `insert into users (${USER_COLUMNS}) values (2, 'admin', 'admin', 'admin@x.test', 'Admin', 0, ?, 1, ${now}, ${now})`,
    `insert into users (${USER_COLUMNS}) select 100 + n, 'teacher' || n, 'teacher' || n, 'teacher' || n || '@x.test', 'Teacher ' || n, 1, ?, 1, ${now}, ${now} from ${series(1, COURSES)}`,
    `insert into users (${USER_COLUMNS}) select ${FIRST_STUDENT} + n, 'student' || n, 'student' || n, 'student' || n || '@x.test', 'Student ' || n, 2, ?, 1, ${now}, ${now} from ${series(1, STUDENTS)}`,
  ]
}

function whatCoursesHold(now: number): string[] {
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
    // Everybody has tried every problem of the course, as at the end of a term.
    `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id)
     select p.id, m.user_id, 1, 1, 0, 0, 0, '[0,1,0,0,0,0,0,0]', null, null from problems p join memberships m on m.course_id = p.course_id`,
    `insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
     select printf('%024x', n), 11 + n % ${COURSES}, 'Homework ' || n, '', ${now - 86_400}, ${now + 86_400}, 0, ${now}, ${now}
     from ${series(0, COURSES * 3 - 1)}`,
    `insert into homework_problems (homework_id, problem_id, position)
     select printf('%024x', n), 1 + n % ${COURSES} + ${COURSES} * (1 + n / ${COURSES}), 0 from ${series(0, COURSES * 3 - 1)}`,
  ]
}

/** Everything but submissions. */
export async function fillPeople({ db }: BenchStack): Promise<Installation> {
  const now = Math.floor(Date.now() / 1_000)
  const hash = await hashPassword(PASSWORD)
  for (const statement of people(now)) await db.prepare(statement).bind(hash).run()
  await db.batch(whatCoursesHold(now).map((statement) => db.prepare(statement)))
  async function beginSession(userId: number): Promise<string> {
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
  return {
    beginSession,
    teacher: await beginSession(101),
    student: await beginSession(FIRST_STUDENT + 1),
    classmate: await beginSession(FIRST_STUDENT + 1 + COURSES),
    course: 'Course 1',
    problemIds: Array.from({ length: 10 }, (_, index) => 1 + COURSES * index),
  }
}

/** Adds submissions, one a minute until now, with judgements and sources; returns the classmate's newest. */
export async function fillSubmissions({ db }: BenchStack): Promise<string> {
  const nowMs = Date.now() - 60_000
  const person = `n % ${STUDENTS}`
  const course = `${person} % ${COURSES}`
  const id = `printf('%012x%012x', ${nowMs} - n * 60000, n)`
  const rows = series(0, SUBMISSIONS - 1)
  await db.batch(
    [
      `insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, run_time_ms, memory_kb, judgement_id, quota_used, ip, created_at, accepted_at)
       select ${id}, 1 + ${course} + ${COURSES} * (n / ${STUDENTS} % 10), 11 + ${course}, ${FIRST_STUDENT + 1} + ${person}, n / 10 % 3, n / 30 % 8, 0, 3, 900,
         ${id}, 0, '', (${nowMs} - n * 60000) / 1000, (${nowMs} - n * 60000) / 1000 from ${rows}`,
      `insert into judgements (id, submission_id, state, priority, rank, attempt, queued_at, ticket_at, phase, cases_done, cases_total, finished_at, status, subtasks)
       select ${id}, ${id}, 'done', 0, 0, 1, 1, 1, 'running', 2, 2, 1, n / 30 % 8, '[]' from ${rows}`,
      `insert into submission_sources (submission_id, code) select ${id}, cast('int main(){}' as blob) from ${rows}`,
      `insert or replace into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id)
       select problem_id, user_id, count(*), count(*), 0, 0, 0, '[0,1,0,0,0,0,0,0]', null, null from submissions group by problem_id, user_id`,
    ].map((statement) => db.prepare(statement)),
  )
  const newest = `select max(id) as id from submissions where user_id = ${FIRST_STUDENT + 1 + COURSES}`
  return (await db.prepare(newest).first<{ id: string }>())?.id ?? ''
}
