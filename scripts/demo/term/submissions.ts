/** The term's submissions with their results, and the summaries that follow from them. */
import { problemForm, type ProblemForm } from '#contract/problems'
import { STATUS, type Outcome } from '#contract/verdicts'
import { seededNumbers, type DemoProblem } from '../problem.ts'
import type { TermAttempt } from './attempts.ts'
import { resultOf } from './results.ts'
import {
  COURSE_ID,
  FIRST_STUDENT_ID,
  insert,
  type NewId,
  type Row,
  type Statement,
} from './rows.ts'

/** What a judge host says of the checker of `Two squares` without the colon in its twelfth line. */
const CHECKER_FAULT = `The checker does not compile:   File "main.py", line 12
    if words == [b'impossible']
                               ^
SyntaxError: expected ':'
`

/** The rows of one submission, and of its judgement. */
function rowsOf(
  { student, problem, program, atMs }: TermAttempt,
  form: ProblemForm,
  ordinal: number,
  ids: { id: string; judgementId: string },
  outcome: Outcome,
): { submission: Row; judgement: Row } {
  const seconds = Math.floor(atMs / 1_000)
  const casesTotal = form.testCase.reduce((sum, { caseCount }) => sum + caseCount, 0)
  const isJudgeError = outcome.status === STATUS.JE
  const shared = {
    course_id: COURSE_ID,
    user_id: FIRST_STUDENT_ID + student,
    status: outcome.status,
    score: outcome.score,
    run_time_ms: outcome.runTime,
    memory_kb: outcome.memoryUsage,
  }
  const submission = {
    ...shared,
    id: ids.id,
    problem_id: problem + 1,
    language_type: program.languageType,
    judgement_id: ids.judgementId,
    quota_used: isJudgeError ? 0 : 1,
    ip: '',
    created_at: seconds,
    accepted_at: seconds,
    ordinal,
  }
  const judgement = {
    ...shared,
    id: ids.judgementId,
    submission_id: ids.id,
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
    reason: isJudgeError ? CHECKER_FAULT : null,
  }
  return { submission, judgement }
}

/** Submissions with their sources and judgements. */
export function submissionRows(
  attempts: readonly TermAttempt[],
  problems: readonly DemoProblem[],
  newId: NewId,
): Statement[] {
  const number = seededNumbers(500)
  const ordinals = new Map<number, number>()
  const sources: Row[] = []
  const rows = attempts.map((attempt) => {
    const { student, problem, program, atMs } = attempt
    const ids = { id: newId(atMs), judgementId: newId(atMs + 1) }
    const ordinal = (ordinals.get(student) ?? 0) + 1
    ordinals.set(student, ordinal)
    sources.push({ submission_id: ids.id, code: program.code })
    const form = problemForm.parse(problems[problem]?.form)
    return rowsOf(attempt, form, ordinal, ids, resultOf(program, form.testCase, number))
  })
  return [
    insert(
      'submissions',
      rows.map(({ submission }) => submission),
    ),
    insert('submission_sources', sources),
    insert(
      'judgements',
      rows.map(({ judgement }) => judgement),
    ),
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

/** What each person has reached on each problem. The Worker keeps it with every change (`problem_results`). */
export const summaries: Statement = {
  sql: `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score,
      status_counts, fastest_id, leanest_id, quota_uses, attempts)
    select problem_id, user_id, count(*), sum(${IS_SCORED}), sum(iif(${IS_SCORED}, score, 0)),
      max(iif(${IS_SCORED}, score, null)), min(iif(${IS_SCORED}, score, null)), json_array(${STATUS_COUNTS}),
      ${bestBy('run_time_ms')}, ${bestBy('memory_kb')}, sum(quota_used),
      json_group_object(id, json_array(accepted_at, status, score))
    from submissions s group by problem_id, user_id`,
  parameters: [],
}
