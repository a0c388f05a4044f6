/**
 * The part of the term that the API cannot store, as SQL: people who share one password hash, submissions with their results,
 * and the dates of the teacher's work. The SQL finds the ids of people and problems by their names.
 */
import { problemForm } from '#contract/problems'
import { STATUS } from '#contract/verdicts'
import { seededNumbers } from '../problem.ts'
import { termAttempts, type TermAttempt } from './attempts.ts'
import {
  FIRST_DAY,
  TERM_ANNOUNCEMENTS,
  TERM_HINT,
  TERM_USERNAMES,
  termCourse,
  termProblems,
  termTimes,
} from './plan.ts'
import { folderOf, type Programs } from './programs.ts'
import { resultOf } from './results.ts'

/** One statement with all of its values. */
export interface Statement {
  sql: string
  parameters: string[]
}

type Row = Record<string, unknown>

const FORMS = termProblems().map(({ form }) => problemForm.parse(form))

/** The hour at which the teacher writes announcements. */
const TEACHER_HOUR = 11

/** A judge host's message about the checker of `Two squares` without the colon in its twelfth line. */
const CHECKER_FAULT = `The checker does not compile:   File "main.py", line 12
    if words == [b'impossible']
                               ^
SyntaxError: expected ':'
`

/** The SQL expressions of columns whose value is not simply copied from the row. */
const EXPRESSIONS: Record<string, string> = {
  code: `cast(value ->> 'code' as blob)`,
  course_id: `(select id from courses where name_key = 'demo')`,
  // Everybody in the demo has the admin's password, so no password must be hashed.
  password_hash: '(select password_hash from users where id = 1)',
  problem_id: `(select id from problems where name = value ->> 'problem_id')`,
  user_id: `(select id from users where username = value ->> 'user_id')`,
}

/** Inserts any number of rows from one JSON parameter. */
function insert(table: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((column) => EXPRESSIONS[column] ?? `value ->> '${column}'`)
  return {
    sql: `insert or ignore into ${table} (${columns.join(', ')}) select ${values.join(', ')} from json_each(?)`,
    parameters: [JSON.stringify(rows)],
  }
}

/** The accounts, older than the course. */
export function peopleStatement(nowMs: number): Statement {
  const at = termTimes(nowMs)
  const rows = termCourse(nowMs).people.map(({ username, displayedName, role }) => ({
    username,
    username_key: username,
    email: `${username}@example.org`,
    displayed_name: displayedName,
    role,
    password_hash: null,
    active: 1,
    created_at: at(FIRST_DAY - 7, TEACHER_HOUR),
    email_confirmed_at: at(FIRST_DAY - 6, TEACHER_HOUR),
  }))
  return insert('users', rows)
}

/** The rows of one submission. */
function rowsOf(
  { student, problem, program, atMs }: TermAttempt,
  ordinal: number,
  newId: (atMs: number) => string,
  number: ReturnType<typeof seededNumbers>,
): Record<'submission' | 'source' | 'judgement', Row> {
  const { problemName, testCase } = FORMS[problem] ?? problemForm.parse(null)
  const outcome = resultOf(program, testCase, number)
  const [id, judgementId] = [newId(atMs), newId(atMs + 1)]
  const seconds = Math.floor(atMs / 1_000)
  const casesTotal = testCase.reduce((sum, { caseCount }) => sum + caseCount, 0)
  const isJudgeError = outcome.status === STATUS.JE
  const shared = {
    course_id: null,
    user_id: TERM_USERNAMES[student],
    status: outcome.status,
    score: outcome.score,
    run_time_ms: outcome.runTime,
    memory_kb: outcome.memoryUsage,
  }
  const submission = {
    ...shared,
    id,
    problem_id: problemName,
    language_type: program.languageType,
    judgement_id: judgementId,
    quota_used: isJudgeError ? 0 : 1,
    ip: '',
    created_at: seconds,
    accepted_at: seconds,
    ordinal,
  }
  const judgement = {
    ...shared,
    id: judgementId,
    submission_id: id,
    state: 'done',
    priority: 0,
    rank: 0,
    attempt: 1,
    queued_at: seconds,
    ticket_at: seconds,
    claimed_at: seconds,
    phase: 'running',
    cases_done: casesTotal,
    cases_total: casesTotal,
    finished_at: seconds + 2,
    subtasks: outcome.tasks,
    compile_message: program.compileMessage,
    mistake: program.planted?.mistake ?? null,
    reason: isJudgeError ? CHECKER_FAULT : null,
  }
  return { submission, source: { submission_id: id, code: program.code }, judgement }
}

/** Submissions with their sources and judgements. */
function submissionStatements(programs: Programs, nowMs: number): Statement[] {
  const [number, random] = [seededNumbers(500), seededNumbers(24)]
  /** Makes an id of the product's form: the time, then a random part. Here the random part is the same in every run. */
  const newId = (atMs: number) =>
    [atMs, random(0, 0xff_ffff), random(0, 0xff_ffff)]
      .map((part, index) => part.toString(16).padStart(index === 0 ? 12 : 6, '0'))
      .join('')
  const ordinals = new Map<number, number>()
  const rows = termAttempts(programs, nowMs).map((attempt) => {
    const ordinal = (ordinals.get(attempt.student) ?? 0) + 1
    ordinals.set(attempt.student, ordinal)
    return rowsOf(attempt, ordinal, newId, number)
  })
  const all = (key: keyof ReturnType<typeof rowsOf>) => rows.map((row) => row[key])
  return [
    insert('submissions', all('submission')),
    insert('submission_sources', all('source')),
    insert('judgements', all('judgement')),
  ]
}

/** Submissions with a score: all but Judge Errors. */
const IS_SCORED = `status <> ${STATUS.JE}`
const STATUS_COUNTS = [0, 1, 2, 3, 4, 5, 6, 7].map((status) => `sum(status = ${status})`).join(', ')

/** An accepted submission with the smallest value in a column. */
function bestBy(column: string): string {
  return `(select id from submissions best where best.problem_id = s.problem_id and best.user_id = s.user_id
    and status = ${STATUS.AC} order by ${column}, id limit 1)`
}

/** The person's newest submission that failed with a known mistake. */
function newestFailed(column: string): string {
  return `(select ${column} from submissions failed join judgements on judgements.id = failed.judgement_id
    where failed.problem_id = s.problem_id and failed.user_id = s.user_id and failed.status <> ${STATUS.AC}
      and mistake is not null order by failed.id desc limit 1)`
}

/** Writes each person's result on each problem, which the Worker would update with every submission. */
const SUMMARIES = `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score,
      status_counts, fastest_id, leanest_id, quota_uses,
      failed_id, mistake, attempts)
    select problem_id, user_id, count(*), sum(${IS_SCORED}), sum(iif(${IS_SCORED}, score, 0)),
      max(iif(${IS_SCORED}, score, null)), min(iif(${IS_SCORED}, score, null)), json_array(${STATUS_COUNTS}),
      ${bestBy('run_time_ms')}, ${bestBy('memory_kb')}, sum(quota_used),
      ${newestFailed('failed.id')}, ${newestFailed('mistake')},
      json_group_object(id, json_array(accepted_at, status, score))
    from submissions s group by problem_id, user_id`

/** Sets the days on which the teacher wrote the announcements. */
const ANNOUNCED = `update announcements set created_at = value ->> 'at', updated_at = value ->> 'at'
  from json_each(?) where title = value ->> 'title'`

/** Makes all submissions count as judged with the present test data. */
const JUDGED_WITH_THEM = 'update problems set judging_changed_at_ms = null'

/** Writes a hint. */
const HINTED = `insert into hints (problem_id, mistake, markdown, author_id, updated_at)
  select (select id from problems where name = value ->> 'problem'), value ->> 'mistake', value ->> 'markdown',
    (select id from users where username = 'teacher'), value ->> 'at' from json_each(?)`

/** Two of three of the people with the hint say whether it helped: it did if they have solved the problem since. */
const HINT_ANSWERED = `insert into hint_answers (hint_id, user_id, helped)
  select hints.id, user_id, (status_counts ->> ${STATUS.AC}) > 0 from hints
    join problem_results using (problem_id, mistake) where user_id % 3 > 0`

/** The teacher's hint, and what students answered. */
function hintStatements(programs: Programs, nowMs: number): Statement[] {
  const { day, problem, word, markdown } = TERM_HINT
  const program = programs.get(folderOf(problem))?.find((one) => one.word === word)
  const mistake = program?.planted?.mistake
  if (mistake === undefined) return []
  const hint = { problem, mistake, markdown, at: termTimes(nowMs)(day, TEACHER_HOUR) }
  return [
    { sql: HINTED, parameters: [JSON.stringify([hint])] },
    { sql: HINT_ANSWERED, parameters: [] },
  ]
}

/**
 * Statements, in order, for everything that happened after the course was made.
 * @param nowMs the present moment, in the course's seventh week, epoch milliseconds
 */
export function historyStatements(programs: Programs, nowMs: number): Statement[] {
  const at = termTimes(nowMs)
  const announced = TERM_ANNOUNCEMENTS.map(({ title, day }) => ({
    title,
    at: at(day, TEACHER_HOUR),
  }))
  return [
    ...submissionStatements(programs, nowMs),
    { sql: SUMMARIES, parameters: [] },
    { sql: ANNOUNCED, parameters: [JSON.stringify(announced)] },
    { sql: JUDGED_WITH_THEM, parameters: [] },
    ...hintStatements(programs, nowMs),
  ]
}
