/**
 * The whole term as SQL for an empty local database: people, course, problems, homeworks, submissions with
 * their results. Only test data is missing, and the report of copies; both come over HTTP.
 */
import { problemForm } from '#contract/problems'
import { DEMO_PEOPLE } from '../accounts.ts'
import type { DemoProblem } from '../problem.ts'
import { termAttempts } from './attempts.ts'
import { TERM_STUDENTS } from './people.ts'
import {
  END_HOUR,
  FIRST_DAY,
  START_HOUR,
  TERM_ANNOUNCEMENTS,
  TERM_HOMEWORKS,
  termProblems,
  termTimes,
  type At,
} from './plan.ts'
import type { Programs } from './programs.ts'
import {
  COURSE_ID,
  FIRST_STUDENT_ID,
  insert,
  seededIds,
  TEACHER_ID,
  type NewId,
  type Row,
  type Statement,
} from './rows.ts'
import { submissionRows, summaries } from './submissions.ts'

/** When the teacher writes announcements, and prepares what is to come. */
const TEACHER_HOUR = 11

function peopleRows(at: At) {
  const students = TERM_STUDENTS.map(([username, displayedName]) => ({
    username,
    displayedName,
    role: 2,
  }))
  return [...DEMO_PEOPLE, ...students].map(({ username, displayedName, role }, index) => ({
    id: TEACHER_ID + index,
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
}

function problemRows(problems: readonly DemoProblem[], at: At): Statement[] {
  const forms = problems.map(({ form }) => problemForm.parse(form))
  const rows = forms.map((form, index) => ({
    id: index + 1,
    course_id: COURSE_ID,
    name: form.problemName,
    status: form.status,
    type: form.type,
    owner_id: TEACHER_ID,
    tags: form.tags,
    quota: form.quota,
    allowed_language: form.allowedLanguage,
    description: form.description,
    compare: form.compare,
    created_at: at(FIRST_DAY - 5, TEACHER_HOUR),
    updated_at: at(FIRST_DAY - 5, TEACHER_HOUR),
  }))
  const subtasks = forms.flatMap((form, index) =>
    form.testCase.map((subtask, position) => ({
      problem_id: index + 1,
      position,
      case_count: subtask.caseCount,
      task_score: subtask.taskScore,
      is_sample: subtask.sample,
      memory_limit_kb: subtask.memoryLimit,
      time_limit_ms: subtask.timeLimit,
      output_limit_kb: subtask.outputLimit,
    })),
  )
  return [insert('problems', rows), insert('subtasks', subtasks)]
}

function homeworkRows(at: At, newId: NewId): Statement[] {
  const homeworks = TERM_HOMEWORKS.map((homework) => {
    const madeAt = at(Math.min(homework.startDay, 0) - 3, TEACHER_HOUR)
    return { ...homework, madeAt, id: newId(madeAt * 1_000) }
  })
  const rows = homeworks.map(({ id, name, markdown, startDay, endDay, madeAt }) => ({
    id,
    course_id: COURSE_ID,
    name,
    markdown,
    start_at: at(startDay, START_HOUR),
    end_at: at(endDay, END_HOUR),
    scoreboard_status: 0,
    created_at: madeAt,
    updated_at: madeAt,
  }))
  const contents = homeworks.flatMap(({ id, problems }) =>
    problems.map((problem, position) => ({ homework_id: id, problem_id: problem + 1, position })),
  )
  return [insert('homeworks', rows), insert('homework_problems', contents)]
}

function announcementRows(at: At, newId: NewId): Row[] {
  return TERM_ANNOUNCEMENTS.map(({ day, title, markdown, pinned }) => ({
    id: newId(at(day, TEACHER_HOUR) * 1_000),
    course_id: COURSE_ID,
    title,
    markdown,
    pinned,
    creator_id: TEACHER_ID,
    updater_id: TEACHER_ID,
    created_at: at(day, TEACHER_HOUR),
    updated_at: at(day, TEACHER_HOUR),
  }))
}

/**
 * The statements, in order.
 * @param nowMs the moment in the course's seventh week that is now, epoch milliseconds
 */
export function termStatements(programs: Programs, nowMs: number): Statement[] {
  const at = termTimes(nowMs)
  const newId = seededIds()
  const problems = termProblems()
  const people = peopleRows(at)
  const members = people.filter(({ id }) => id !== TEACHER_ID)
  const students = people.slice(FIRST_STUDENT_ID - TEACHER_ID)
  const attempts = termAttempts(
    students.map(({ username }) => username),
    problems,
    programs,
    nowMs,
  )
  return [
    insert('users', people),
    insert('courses', [
      {
        id: COURSE_ID,
        name: 'Demo',
        name_key: 'demo',
        teacher_id: TEACHER_ID,
        time_zone: 'UTC',
        created_at: at(FIRST_DAY - 6, TEACHER_HOUR),
      },
    ]),
    insert(
      'memberships',
      members.map(({ id, username }) => ({
        course_id: COURSE_ID,
        user_id: id,
        role: username === 'ta' ? 'ta' : 'student',
        joined_at: at(FIRST_DAY - 4, TEACHER_HOUR),
      })),
    ),
    ...problemRows(problems, at),
    ...homeworkRows(at, newId),
    insert('announcements', announcementRows(at, newId)),
    ...submissionRows(attempts, problems, newId),
    summaries,
  ]
}
