/** A change is checked when it arrives and again when it is stored. A refused change writes nothing. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { zipOf } from '../support/zip.ts'
import {
  addMember,
  call,
  createCourse,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** All rows of all tables, except rate limits, notes of refusals, and the times when sessions were last used. */
async function readDatabase(): Promise<Record<string, unknown>> {
  const tables = await allRows<{ name: string }>`select name from sqlite_master where type = 'table'
    and name not like 'sqlite%' and name not like '%cf%' and name not in ('rate_limits', 'd1_migrations')`
  const contents = await env.DB.batch(
    tables.map(({ name }) =>
      env.DB.prepare(
        `select * from ${name} ${name === 'audit_entries' ? "where action <> 'access.refuse'" : ''}`,
      ),
    ),
  )
  return Object.fromEntries(
    tables.map(({ name }, index) => [
      name,
      contents[index]?.results.map((row) => ({ ...Object(row), last_seen_at: 0 })),
    ]),
  )
}

type Refused = [as: Person, method: string, path: string, json: unknown, code: string]

/** Makes the calls; each must be refused with this code, and leave the database unchanged. */
async function expectNothingWritten(
  calls: readonly Refused[],
  headersOf: (path: string) => Record<string, string> = () => ({}),
): Promise<void> {
  // Earlier changes have marks computed after their answers.
  await expect.poll(() => firstValue`select count(*) from stale_marks`).toBe(0)
  const before = await readDatabase()
  for (const [as, method, path, json, code] of calls) {
    const body = json instanceof FormData ? { body: json } : { json }
    const answer = await call(method, path, { as, ...body, headers: headersOf(path) })
    expect(answer.code, `${method} ${path} ${JSON.stringify(json)}`).toBe(code)
    expect(await readDatabase(), `${method} ${path} ${JSON.stringify(json)}`).toEqual(before)
  }
}

/** A busy teacher's course, with a problem that has everything that can be edited or deleted. */
async function createBusyCourse() {
  const world = await createProblem({ quota: 1 })
  const { course, teacher, ta, student, problemId } = world
  const now = nowSeconds()
  const form = { name: 'Homework', start: now - 10, end: now + 100, problemIds: [problemId] }
  const homework = await teacher.post('/homework', { ...form, courseName: course })
  const announcement = { title: 'News', markdown: 'Text', courseName: course }
  const { annId } = (await teacher.post('/ann', announcement)).data
  const file = new FormData()
  file.set('file', new File(['%PDF-1.7'], 'statement.pdf'))
  await call('POST', `/problem/${problemId}/file`, { as: teacher, body: file })
  const claimed = await student.post('/submission', { problemId, languageType: 0 })
  const submissionId = await submit(student, problemId)
  await judgeAll(await registerRunner(), STATUS.WA)
  const asked = await student.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
  await teacher.put('/saved-replies', { replies: ['See the notes.'] })
  return {
    ...world,
    ta,
    form,
    submissionId,
    claimed: `/submission/${claimed.data.submissionId}`,
    homework: `/homework/${homework.data.id}`,
    annId: String(annId),
    question: `/question/${asked.data.questionId}`,
  }
}

test('an edit based on an older read', async () => {
  const { course, teacher, student, problemId, form, homework, annId, question } =
    await createBusyCourse()
  const problem = `/problem/manage/${problemId}`
  const changed = problemForm({
    problemName: 'Other',
    testCase: [{ caseCount: 3, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 }],
    revealTests: true,
  })
  const zip = new FormData()
  zip.set('case', new File([await zipOf(FITTING_ENTRIES)], 'data.zip'))
  const edited = [problem, homework, `/course/${course}`, `/ann/${course}/${annId}`, question]
  const tags = new Map<string, string>()
  for (const path of [...edited, '/saved-replies'])
    tags.set(path, (await teacher.get(path)).headers.get('ETag') ?? '')
  for (const table of ['problems', 'homeworks', 'courses', 'announcements', 'questions'])
    await env.DB.prepare(`update ${table} set version = version + 1`).run()
  await runSql`update saved_replies set version = version + 1`
  const members = { TAs: [], students: [] }
  const stale = (method: string, path: string, json?: unknown): Refused => [
    teacher,
    method,
    path,
    json,
    'stale_edit',
  ]
  const ofCourse = `/course/${course}`
  const ofAnnouncement = `/ann/${course}/${annId}`
  await expectNothingWritten(
    [
      stale('PUT', problem, changed),
      stale('PUT', problem, zip),
      stale('DELETE', problem),
      stale('PUT', homework, { ...form, name: 'Other', problemIds: [] }),
      stale('DELETE', homework),
      stale('PUT', '/course', { course, newCourse: `${course} renamed` }),
      stale('DELETE', '/course', { course }),
      stale('PUT', ofCourse, members),
      stale('PATCH', `${ofCourse}/members`, { remove: [student.username] }),
      stale('PUT', '/ann', { annId, title: 'Other', markdown: 'Other', pinned: true }),
      stale('DELETE', '/ann', { annId }),
      stale('PATCH', question, { state: 'resolved' }),
      stale('PUT', '/saved-replies', { replies: [] }),
    ],
    (path) => {
      const read = path.startsWith('/course') ? ofCourse : path === '/ann' ? ofAnnouncement : path
      return { 'If-Match': tags.get(read) ?? '' }
    },
  )
})

test('a change of a course that names who or what cannot be', async () => {
  const { course, teacher, ta, student, problemId, form, homework } = await createBusyCourse()
  const other = await createProblem()
  const admin = await createPerson(0)
  const claimant = await createPerson(1, { emailConfirmed: false })
  const { username } = student
  const add = [{ user: ta.username, role: 'student' }]
  const made = (name: string, by: Person | string) => ({
    course: name,
    teacher: typeof by === 'string' ? by : by.username,
  })
  const given = (by: Person | string) => ({ ...made(course, by), newCourse: `${course} given` })
  const homeworkOf = (changes: object) => ({ ...form, courseName: course, ...changes })
  await teacher.post('/homework', homeworkOf({ name: 'Second' }))
  const post = (as: Person, path: string, json: unknown, code: string): Refused => [
    as,
    'POST',
    path,
    json,
    code,
  ]
  const put = (path: string, json: unknown, code: string): Refused => [
    teacher,
    'PUT',
    path,
    json,
    code,
  ]
  const membersPath = `/course/${course}/members`
  await expectNothingWritten([
    post(admin, '/course', made(other.course, teacher), 'course_exists'),
    post(admin, '/course', made('Given', student), 'teacher_is_student'),
    post(admin, '/course', made('Given', claimant), 'email_unconfirmed'),
    post(admin, '/course', made('Given', 'nobody'), 'user_not_found'),
    put('/course', given(student), 'teacher_is_student'),
    put('/course', given(claimant), 'email_unconfirmed'),
    put('/course', given('nobody'), 'user_not_found'),
    put('/course', { ...made(course, other.teacher), newCourse: other.course }, 'course_exists'),
    [teacher, 'PATCH', membersPath, { add, remove: ['nobody'] }, 'user_not_found'],
    [
      teacher,
      'PATCH',
      membersPath,
      { add: [...add, { user: claimant.username, role: 'ta' }], remove: [username] },
      'email_unconfirmed',
    ],
    put(`/course/${course}`, { TAs: [], students: ['nobody'] }, 'user_not_found'),
    put(`/course/${course}`, { TAs: [claimant.username], students: [] }, 'email_unconfirmed'),
    post(teacher, '/homework', homeworkOf({}), 'homework_exists'),
    post(
      teacher,
      '/homework',
      homeworkOf({ name: 'Third', problemIds: [problemId, other.problemId] }),
      'problem_not_found',
    ),
    put(homework, { ...form, name: 'Second', problemIds: [] }, 'homework_exists'),
    put(homework, { ...form, problemIds: [other.problemId] }, 'problem_not_found'),
  ])
})

test('what a student or staff asks for where there is no room, nothing to do, or nobody', async () => {
  const { course, teacher, ta, student, problemId, submissionId, claimed } =
    await createBusyCourse()
  const code = new FormData()
  code.set('code', new File(['int main(){}'], 'main.c'))
  const program = { problemId, languageType: 0, code: 'int main(){}' }
  const rejudge = await teacher.post(`/problem/${problemId}/rejudge`, {})
  const { jobId } = rejudge.data
  const line = { line: 99, markdown: 'Why?' }
  const text = { markdown: 'Think of an empty list.' }
  const [mistake, hint] = ['a'.repeat(16), `/problem/${problemId}/hints/99999`]
  await expectNothingWritten([
    [student, 'POST', '/submission', program, 'quota_exceeded'],
    [student, 'PUT', claimed, code, 'quota_exceeded'],
    [student, 'POST', `/submission/${submissionId}/questions`, line, 'bad_body'],
    [ta, 'POST', `/jobs/${jobId}/apply`, undefined, 'rejudge_not_ready'],
    [student, 'POST', `/jobs/${jobId}/apply`, undefined, 'forbidden'],
    [student, 'POST', `/jobs/${jobId}/cancel`, undefined, 'forbidden'],
    [ta, 'POST', `/problem/${problemId}/mistakes/${mistake}/questions`, text, 'mistake_not_found'],
    [ta, 'PUT', hint, text, 'hint_not_found'],
    [ta, 'DELETE', hint, undefined, 'hint_not_found'],
    [student, 'PUT', `/submission/${submissionId}/hints/99999`, { helped: true }, 'hint_not_found'],
    [ta, 'DELETE', '/copycat', { course, problemId }, 'no_report_running'],
    [
      ta,
      'POST',
      '/copycat',
      { course, problemId, usernames: ['nobody', student.username] },
      'user_not_found',
    ],
  ])
})

test('the erasing of a person who teaches', async () => {
  const { course, teacher, student } = await createBusyCourse()
  const other = await createProblem()
  const elsewhere = await createCourse()
  await addMember(other, teacher, 'ta')
  await addMember(elsewhere, teacher)
  const run = { languageType: 0, code: 'int main(){}', inputs: ['1'] }
  await teacher.post(`/problem/${other.problemId}/run`, run)
  const program = { problemId: other.problemId, languageType: 0, code: 'x' }
  await teacher.post('/submission', program, { 'Idempotency-Key': 'k'.repeat(20) })
  const asked = await teacher.post(`/problem/${other.problemId}/questions`, { markdown: 'Why?' })
  const answer = { markdown: 'Because.' }
  const keyed = { 'Idempotency-Key': 'm'.repeat(20) }
  await teacher.post(`/question/${asked.data.questionId}/messages`, answer, keyed)
  const token = { name: 'script', scopes: ['read'] }
  await teacher.post('/auth/tokens', token, { 'CF-Connecting-IP': '192.0.2.1' })
  await runSql`insert into login_records (user_id, created_at, ok, ip, agent)
    values (${teacher.id}, 1, 1, '192.0.2.1', 'Browser')`
  await runSql`update submissions set ip = '192.0.2.1' where user_id = ${teacher.id}`
  const admin = await createPerson(0)
  const path = `/user/${teacher.username}`
  await expectNothingWritten([[admin, 'DELETE', path, undefined, 'user_teaches']])
  await teacher.delete('/course', { course })
  expect((await admin.delete(path)).status).toBe(200)
  expect((await student.get(`/course/${course}`)).status).toBe(404)
})

test('what the database refuses leaves its denial in the audit log', async () => {
  const { course, teacher, student } = await createCourse()
  const refused = await teacher.put('/course', { course, teacher: student.username })
  expect(refused.code).toBe('teacher_is_student')
  const denials = await allRows`select subject, detail ->> 'code' as code from audit_entries
    where actor_id = ${teacher.id} and action = 'access.refuse'`
  expect(denials).toEqual([{ subject: 'PUT /api/course', code: 'teacher_is_student' }])
})
