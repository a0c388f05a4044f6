/** All stored data about a person; erasing another person deletes none of them. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { courseIdOf } from '../support/notices.ts'
import { refreshAll } from '../support/stored-marks.ts'
import { STATUS } from '#contract/verdicts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { allRows, firstRow, runSql } from '../support/sql.ts'
import {
  addMember,
  call,
  createCourse,
  createPerson,
  createProblem,
  PASSWORD,
  registerRunner,
  signIn,
  submit,
  type Person,
} from '../support/world.ts'

const time = expect.any(Number)
const id = expect.stringMatching(/^[0-9a-f]{24}$/)

/** Null until the mark is computed. */
const computed = expect.toBeOneOf([null, expect.any(Object)])

const due = 2_000_000_000

/** Gives people a label that members see, and one that only staff see. */
async function labelAll(teacher: Person, course: string, people: readonly Person[]) {
  const labels = [
    { id: null, name: 'Lab A', shown: true },
    { id: null, name: 'Hidden', shown: false },
  ]
  const made = await teacher.put(`/course/${course}/labels`, { labels })
  const ids = made.data.labels.map((label: { id: number }) => label.id)
  const members = people.map(({ username }) => ({ username, labels: ids }))
  await teacher.patch(`/course/${course}/labels/members`, { members })
}

/** Sets two marks of each student: one in the homework, which is shown, and one that is held back. */
async function setMarks(course: string, setter: Person, people: readonly Person[]) {
  await runSql`insert into gradebook_columns (course_id, kind, name, max, shown)
    select id, 'manual', 'Oral exam', 1000, 'yes' from courses where name = ${course}`
  for (const { id: of } of people) {
    await runSql`insert into mark_settings (column_id, user_id, hundredths, reason, setter_id, set_at)
      select g.id, ${of}, 750, ${`Said ${of}`}, ${setter.id}, 3
      from gradebook_columns g join courses c on c.id = g.course_id where c.name = ${course} and g.kind <> 'total'`
    await runSql`insert or replace into marks (user_id, column_id, hundredths, changed_at)
      select user_id, column_id, hundredths, set_at from mark_settings where user_id = ${of}`
    await runSql`insert into held_marks (column_id, user_id)
      select g.id, ${of} from gradebook_columns g join courses c on c.id = g.course_id
      where c.name = ${course} and g.kind = 'manual'`
  }
}

/** A homework in which a student has dates, points and a kept mark of their own. */
async function setDates(
  { course, teacher, problemId }: { course: string; teacher: Person; problemId: number },
  people: readonly Person[],
): Promise<string> {
  const homework = { name: 'Own dates', courseName: course, start: 1, end: 2 }
  const made = await teacher.post('/homework', { ...homework, problemIds: [problemId] })
  const path = `/homework/${made.data.id}`
  const overrides = people.map(({ username, id: of }) => ({ username, due, reason: `Ill ${of}` }))
  await teacher.put(`${path}/overrides`, { overrides })
  for (const { username, id: of } of people) {
    const points = { username, problemId, points: 1.5, comment: `For ${of}` }
    await teacher.put(`${path}/points`, points)
    await runSql`insert into kept_marks values (${made.data.id}, ${of}, ${problemId}, 5000)`
    await runSql`insert into asked_late_days values (${made.data.id}, ${of}, 2, 1)`
  }
  await labelAll(teacher, course, people)
  // The points are told as changed marks.
  await refreshAll(await courseIdOf(course))
  await setMarks(course, teacher, people)
  return homework.name
}

/** Two students who did the same in the same courses. */
async function createTwins() {
  await emptyQueue()
  const world = await createProblem()
  const { course, teacher, ta, problemId, student } = world
  const beside = await createCourse()
  const asked = await createCourse()
  const made = await asked.teacher.post(`/course/${asked.course}/join-codes`, { approval: true })
  const { code } = made.data
  const twin = await createPerson(2)
  await addMember(world, twin)
  const people = [student, twin] as const
  const done: { token: string; submissionId: string; questionId: string; runId: string }[] = []
  for (const person of people) {
    await addMember(beside, person, 'ta')
    const headers = { 'CF-Connecting-IP': '203.0.113.60', 'User-Agent': 'a browser' }
    await signIn(person.username, 'a wrong guess', headers)
    const token = await person.post('/auth/tokens', {
      name: 'ci',
      scopes: ['read', 'submit'],
      days: 7,
    })
    const submissionId = await submit(person, problemId, `// ${person.id}`)
    const question = await person.post(`/submission/${submissionId}/questions`, {
      markdown: 'Why?',
      line: 1,
    })
    await ta.post(`/question/${question.data.questionId}/messages`, { markdown: 'So.' })
    await person.post('/join', { code })
    await person.put('/notices/settings', {
      kinds: { answer: 'app' },
      mutedCourses: [],
      mails: false,
    })
    await person.put('/saved-replies', { replies: [`Of ${person.id}`] })
    await person.post('/calendar-link')
    await person.post('/ann', { title: 'T', markdown: 'M', courseName: beside.course })
    const run = { languageType: 0, code: `// run ${person.id}`, inputs: ['1'] }
    const ran = await person.post(`/problem/${problemId}/run`, run)
    await call('POST', '/auth/password-recovery', {
      json: { email: `${person.username}@example.test` },
    })
    done.push({
      token: token.data.token,
      submissionId,
      questionId: question.data.questionId,
      runId: ran.data.runId,
    })
  }
  await judgeAll(await registerRunner(), STATUS.WA)
  await runSql`insert into hints (problem_id, task, case_index, markdown, author_id, updated_at, judging_changed_at_ms)
    select id, 0, 0, 'Look', ${ta.id}, 1, judging_changed_at_ms from problems where id = ${problemId}`
  for (const [index, person] of people.entries()) {
    const { submissionId } = done[index] ?? {}
    const page = await person.get(`/submission/${submissionId}`)
    const [{ hintId }] = page.data.hints
    await person.put(`/submission/${submissionId}/hints/${hintId}`, { helped: false })
  }
  const [, theirs] = done
  if (!theirs) throw new Error('nobody did anything')
  const homework = await setDates(world, people)
  return { course, teacher, ta, problemId, student, twin, beside, asked, theirs, homework }
}

test('an export has every field of what is stored about its person, and nothing of others', async () => {
  const { course, ta, problemId, twin, beside, asked, theirs, homework } = await createTwins()
  const { data } = await twin.get('/auth/me/export')
  const { submissionId, questionId } = theirs
  const email = `${twin.username}@example.test`
  const own = { username: twin.username, displayedName: `The ${twin.username}`, role: 2 }
  const action = { time, detail: {}, ipAddr: '127.0.0.1' }
  const ofColumn = { course, kind: 'homework', homework, column: '' }
  expect({ ...data, actions: [], sampleRun: null }).toEqual({
    account: {
      ...own,
      id: twin.id,
      email,
      emailConfirmedAt: time,
      confirmDueAt: null,
      bio: '',
      createdAt: time,
      active: true,
    },
    teaches: [],
    memberships: [
      { course, role: 'student', joinTime: time, joinedBy: 'staff', labels: ['Lab A'] },
      { course: beside.course, role: 'ta', joinTime: time, joinedBy: 'staff', labels: [] },
    ],
    sessions: [{ createTime: time, lastSeen: time, ipAddr: '127.0.0.1', agent: 'tests' }],
    signIns: [{ time, ok: false, ipAddr: '203.0.113.60', agent: 'a browser' }],
    tokens: [
      {
        name: 'ci',
        scopes: ['read', 'submit'],
        createTime: time,
        expireTime: time,
        lastUsed: null,
      },
    ],
    actions: [],
    announcements: [{ annId: id, title: 'T', markdown: 'M', createTime: time }],
    problems: [],
    sampleRun: null,
    homeworkDates: [
      {
        course,
        homework,
        opens: null,
        due,
        closes: null,
        graceMinutes: null,
        latePercent: null,
        quota: null,
        excused: null,
        reason: `Ill ${twin.id}`,
        time,
      },
    ],
    homeworkPoints: [
      { course, homework, problemId, hundredths: 150, comment: `For ${twin.id}`, time },
    ],
    keptMarks: [{ course, homework, problemId, hundredths: 5_000 }],
    askedLateDays: [{ course, homework, days: 2, time }],
    calendarLink: { createTime: time },
    marks: [{ ...ofColumn, hundredths: 750, excused: false, derivation: computed, time }],
    markSettings: [
      { ...ofColumn, hundredths: 750, excused: false, reason: `Said ${twin.id}`, time },
    ],
    joinRequests: [{ course: asked.course, state: 'waiting', time }],
    notices: [
      { course, kind: 'answer', subjectId: questionId, time },
      { course, kind: 'own_dates', subjectId: id, time },
      { course, kind: 'mark_changed', subjectId: expect.stringMatching(/^\d+$/), time },
    ],
    hints: [],
    hintAnswers: [{ hintId: expect.any(Number), problemId, helped: false }],
    noticeSettings: {
      seenId: 0,
      mailedId: expect.any(Number),
      deliveries: { answer: 'app' },
      mutedCourses: [],
      mailsOff: true,
    },
    savedReplies: [`Of ${twin.id}`],
    questions: [
      {
        questionId,
        course,
        problemId,
        mark: null,
        request: null,
        submissionId,
        line: 1,
        state: 'answered',
        createTime: time,
      },
    ],
    questionMessages: [
      { messageId: id, questionId, own: true, markdown: 'Why?', createTime: time },
      { messageId: id, questionId, own: false, markdown: 'So.', createTime: time },
    ],
    submissions: [
      {
        submissionId,
        problemId,
        languageType: 0,
        status: 1,
        score: 0,
        runTime: 3,
        memoryUsage: 900,
        timestamp: time,
        ipAddr: '127.0.0.1',
        code: `// ${twin.id}`,
      },
    ],
  })
  const [token] = data.tokens
  expect(token.expireTime - token.createTime).toBe(7 * 86_400)
  const inputs = [expect.objectContaining({ input: '1' })]
  const code = `// run ${twin.id}`
  expect(data.sampleRun).toMatchObject({
    runId: theirs.runId,
    problemId,
    languageType: 0,
    code,
    inputs,
  })
  expect(data.actions).toEqual([
    {
      ...action,
      action: 'session.refuse',
      subject: String(twin.id),
      detail: { agent: 'a browser' },
      ipAddr: '203.0.113.60',
    },
    { ...action, action: 'token.create', subject: id, detail: { scopes: ['read', 'submit'] } },
    {
      ...action,
      action: 'course.join',
      subject: asked.course,
      detail: { codeId: expect.any(Number), waits: true },
    },
    { ...action, action: 'calendar.create', subject: String(twin.id) },
    { ...action, action: 'announcement.create', subject: id, detail: { course: beside.course } },
    { ...action, action: 'user.export', subject: String(twin.id) },
  ])
  await runSql`update courses set teacher_id = ${twin.id}, deleted_at = 5 where name = ${beside.course}`
  await runSql`update problems set owner_id = ${twin.id} where id = ${problemId}`
  const { teaches, problems } = (await twin.get('/auth/me/export')).data
  expect(teaches).toEqual([{ course: beside.course, createTime: time, deleteTime: 5 }])
  expect(problems).toEqual([{ problemId, problemName: 'A plus B' }])
  await runSql`update submission_sources set code = x'ff00' where submission_id = ${submissionId}`
  const [binary] = (await twin.get('/auth/me/export')).data.submissions
  expect(binary).toMatchObject({ submissionId, code: null, codeBase64: '/wA=' })
  const staff = (await ta.get('/auth/me/export')).data
  expect([staff.questions, staff.submissions, staff.announcements, staff.savedReplies]).toEqual([
    [],
    [],
    [],
    [],
  ])
  expect(staff.hints).toEqual([
    { hintId: expect.any(Number), problemId, markdown: 'Look', updateTime: 1 },
  ])
  expect(staff.questionMessages).toMatchObject([{ own: true }, { own: true }])
})

test('erasing somebody leaves their neighbour all that they have, and the row without a name', async () => {
  const { course, student, twin, theirs } = await createTwins()
  const admin = await createPerson(0)
  // Two people may use the same key for different things.
  await runSql`update submissions set idempotency_key = 'a key' where user_id in (${student.id}, ${twin.id})`
  const holdings = async (person: Person) => {
    const { data } = await person.get('/auth/me/export')
    return {
      ...data,
      actions: data.actions.filter((each: { action: string }) => each.action !== 'user.export'),
    }
  }
  const records =
    () => allRows`select s.ip, s.idempotency_key, m.idempotency_key as message_key, u.*
    from submissions s join users u on u.id = s.user_id
    left join question_messages m on m.author_id = u.id where s.user_id = ${twin.id}`
  const mails = () =>
    allRows`select * from logged_mails where recipient = ${`${twin.username}@example.test`}`
  const links = () => allRows`select * from account_links where user_id = ${twin.id}`
  const all = async () => [await holdings(twin), await records(), await mails(), await links()]
  await expect.poll(mails).toHaveLength(1)
  const before = await all()
  expect((await admin.delete(`/user/${student.username}`)).status).toBe(200)
  expect(await all()).toEqual(before)
  expect((await call('GET', '/auth/me', { token: theirs.token })).status).toBe(200)
  expect((await signIn(twin.username, PASSWORD)).status).toBe(200)
  const { data } = await twin.get(`/course/${course}`)
  expect(data.students.map(({ username }: Person) => username)).toEqual([twin.username])
  const name = `*${student.id}`
  const row = await firstRow`select * from users where id = ${student.id}`
  expect(row).toEqual({
    id: student.id,
    username: name,
    username_key: name,
    email: name,
    email_confirmed_at: null,
    confirm_due_at: null,
    link_due_at: null,
    made_in_course_id: null,
    displayed_name: '',
    bio: '',
    role: 2,
    password_hash: null,
    active: 0,
    disabled_at: time,
    created_at: time,
  })
  const gone =
    await firstRow`select ip, idempotency_key from submissions where user_id = ${student.id}`
  expect(gone).toEqual({ ip: '', idempotency_key: null })
  for (const table of [
    'memberships',
    'join_requests',
    'notices',
    'notice_mails',
    'notice_settings',
    'login_records',
    'sample_runs',
    'saved_replies',
    'hint_answers',
    'sessions',
    'api_tokens',
    'account_links',
    'homework_overrides',
    'staff_points',
    'kept_marks',
    'calendar_links',
    'marks',
    'stale_marks',
    'mark_settings',
    'held_marks',
  ])
    expect(await countOf(table, student.id), table).toBe(0)
})

/** The number of a person's rows in a table. */
async function countOf(table: string, userId: number) {
  return env.DB.prepare(`select count(*) as n from ${table} where user_id = ?`)
    .bind(userId)
    .first('n')
}
