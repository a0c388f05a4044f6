import { expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { PUBLIC_COURSE } from '#contract/fields'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { nextDigestAt } from '../../../worker/db/notices.ts'
import { addLabel, createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { kindsOf, mailTimes, newOf, noticesOf, tell } from '../support/notices.ts'
import { createAsked } from '../support/questions.ts'
import { createRequested } from '../support/requests.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { firstValue, numbersBelow, queryPlan, runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  createCourse,
  createPerson,
  type Person,
} from '../support/world.ts'

test('an announcement is one notice for the course, and none for its author; the system’s is none', async () => {
  const { course, teacher, ta, student } = await createCourse()
  const json = { title: 'Welcome', markdown: '', courseName: course }
  const { data } = await ta.post('/ann', json)
  const notice = { kind: 'announcement', course, title: 'Welcome', isNew: true }
  expect(await noticesOf(student)).toMatchObject([{ ...notice, subjectId: data.annId }])
  expect(await kindsOf(teacher)).toEqual(['announcement'])
  expect(await kindsOf(ta)).toEqual([])
  const admin = await createPerson(0)
  await admin.post('/ann', { title: 'To all', markdown: '', courseName: PUBLIC_COURSE })
  expect(await newOf(student)).toBe(1)
})

test('an announcement to three hundred people writes few rows', async () => {
  const { course, teacher, student } = await createCourse()
  await runSql`insert into users (username, username_key, email, email_confirmed_at, displayed_name, role, active, created_at)
    select ${course} || value, ${course} || value, ${course} || value, 1, 'Many', 2, 1, 1 from json_each(${numbersBelow(300)})`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select courses.id, users.id, 'student', 1 from courses join users on users.username like ${`${course}%`} where courses.name = ${course}`
  await runSql`update courses set time_zone = 'Asia/Taipei' where name = ${course}`
  const json = { title: 'Welcome', markdown: '', courseName: course }
  const rows = async () => {
    const { status, trips } = await recordCall('POST', '/ann', { as: teacher, json })
    expect(status).toBe(200)
    return trips.reduce((sum, trip) => sum + trip.rowsWritten, 0)
  }
  const before = nowSeconds()
  expect(await rows()).toBeLessThanOrEqual(350)
  // All of them are marked now.
  expect(await rows()).toBeLessThanOrEqual(20)
  const marked =
    await firstValue`select count(*) from notice_mails join users on users.id = user_id where username like ${`${course}%`}`
  expect(marked).toBe(300)
  const [due] = await mailTimes(student)
  expect(due).toBe(nextDigestAt(before, 'Asia/Taipei'))
})

test('a question is one notice for staff until they have answered; an answer is one for its student', async () => {
  const { course, teacher, ta, student, ask, problemId } = await createAsked()
  const headers = { 'Idempotency-Key': 'a'.repeat(32) }
  const path = `/problem/${problemId}/questions`
  const first = await student.post(path, { markdown: 'Why?' }, headers)
  const { questionId } = first.data
  expect(await student.post(path, { markdown: 'Why?' }, headers)).toMatchObject({
    data: first.data,
  })
  const messages = `/question/${questionId}/messages`
  await student.post(messages, { markdown: 'Hello?' })
  const title = 'A plus B'
  for (const person of [teacher, ta])
    expect(await noticesOf(person)).toMatchObject([
      { kind: 'question', course, title, subjectId: questionId },
    ])
  expect(await kindsOf(student)).toEqual([])
  await Promise.all([1, 2, 3].map(() => ta.post(messages, { markdown: 'So.' }, headers)))
  expect(await noticesOf(student)).toMatchObject([{ kind: 'answer', title, subjectId: questionId }])
  await student.post(messages, { markdown: 'And that?' })
  await student.post(messages, { markdown: 'Well?' })
  expect(await kindsOf(teacher)).toEqual(['question', 'question'])
  await ask(ta, 'See here.')
  expect(await kindsOf(student)).toEqual(['answer', 'answer'])
  expect(await kindsOf(teacher)).toEqual(['question', 'question'])
})

test('a request is for those who may read it; its decision is one notice, however often it is sent', async () => {
  const { teacher, ta, student, request, due } = await createRequested()
  const { questionId } = (await request(student, { teacherOnly: true })).data
  expect(await noticesOf(teacher)).toMatchObject([{ kind: 'request', subjectId: questionId }])
  expect([await kindsOf(ta), await mailTimes(ta)]).toEqual([[], []])
  const decide = (to: number | null) =>
    teacher.post(`/question/${questionId}/decision`, { due: to })
  for (const to of [null, null]) expect((await decide(to)).status).toBe(200)
  expect(await kindsOf(student)).toEqual(['request_answered'])
  for (const to of [due, due]) expect((await decide(to)).status).toBe(200)
  expect(await kindsOf(student)).toEqual(['request_answered', 'request_answered'])
  await teacher.post(`/question/${questionId}/messages`, { markdown: 'Get well.' })
  expect(await kindsOf(student)).toEqual(['answer', 'request_answered', 'request_answered'])
})

test('changed dates are a notice for those whose dates become others', async () => {
  const world = await createDatedHomework()
  const { teacher, ta, student, path, homeworkId, now, form } = world
  const [other, third] = await addStudents(world, 2)
  if (!other || !third) throw new Error('no students')
  const override = (fields: object) => ta.put(`${path}/overrides`, { overrides: [fields] })
  const ones = { username: student.username, due: now + HOUR }
  for (const fields of [ones, ones, { ...ones, reason: 'ill' }, { ...ones, quota: 7 }])
    expect((await override(fields)).status).toBe(200)
  expect(await noticesOf(student)).toMatchObject([
    { kind: 'own_dates', title: form.name, subjectId: homeworkId },
  ])
  expect(await mailTimes(student)).toHaveLength(1)
  expect([await kindsOf(other), await mailTimes(other)]).toEqual([[], []])
  const label = await addLabel(world, 'Lab', [other])
  await override({ username: null, label, due: now + 2 * HOUR })
  expect(await kindsOf(other)).toEqual(['own_dates'])
  await ta.patch(`/course/${world.course}/labels/members`, {
    members: [{ username: third.username, labels: [label] }],
  })
  await ta.delete(`${path}/overrides`, { usernames: [student.username], labels: [] })
  const counts = async () => Promise.all([student, other, third].map((each) => newOf(each)))
  expect(await counts()).toEqual([2, 1, 1])
  for (const each of [teacher, ta]) expect(await kindsOf(each)).toEqual([])
  await override({ username: null, due: now + 5 * HOUR })
  expect(await counts()).toEqual([3, 2, 2])
  expect(
    await firstValue`select count(*) from notices where subject_id = ${homeworkId} and user_id is null`,
  ).toBe(1)
})

test('the dates of a homework are a notice once it has opened; its texts are none', async () => {
  const { teacher, student, path, now, form } = await createDatedHomework()
  const edit = async (changes: object) =>
    expect((await teacher.put(path, { ...form, ...changes })).status).toBe(200)
  await edit({ markdown: 'More of it.' })
  expect(await kindsOf(student)).toEqual([])
  await edit({ close: now + 2 * HOUR })
  await edit({ close: now + 2 * HOUR })
  expect(await kindsOf(student)).toEqual(['own_dates'])
  await edit({ close: now + 2 * HOUR, lateRule: { kind: 'none' } })
  expect(await newOf(student)).toBe(2)
  const later = { start: now + HOUR, end: now + 2 * HOUR, close: null }
  await edit(later)
  expect(await newOf(student)).toBe(3)
  await edit({ ...later, end: now + 3 * HOUR })
  expect(await newOf(student)).toBe(3)
})

test('what the sweeper tells of a time is told once', async () => {
  const { course, student, homeworkId, now, form } = await createDatedHomework()
  await Promise.all(
    [1, 2, 3].map(() => tell(course, 'homework_opens', homeworkId, { at: form.start })),
  )
  expect(await kindsOf(student)).toEqual(['homework_opens'])
  await runSql`delete from notice_mails where user_id = ${student.id}`
  await tell(course, 'homework_opens', homeworkId, { at: form.start, now: now + 1 })
  expect(await mailTimes(student)).toEqual([])
})

/** Rows that a call reads, and the plans of its statements. */
async function costOf(as: Person, path: string) {
  const { status, trips } = await recordCall('GET', path, { as })
  expect(status).toBe(200)
  const plans: string[] = []
  for (const { sql, params } of trips.flatMap(({ statements }) => statements))
    plans.push(...(await queryPlan(sql, ...params)))
  return {
    rows: trips.reduce((sum, trip) => sum + trip.rowsRead, 0),
    trips: trips.length,
    scans: plans.filter((step) => /SCAN (?!own$|candidate$|muted |\(subquery)/.test(step)),
  }
}

test('the bell and the list of somebody in five courses read few rows', async () => {
  const student = await createPerson(2)
  for (let index = 0; index < 5; index += 1) {
    const world = await createCourse()
    await addMember(world, student)
    const { data } = await world.ta.post('/ann', {
      title: 'T',
      markdown: '',
      courseName: world.course,
    })
    await runSql`insert into notices (kind, course_id, subject_id, created_at)
      select kind, course_id, subject_id, created_at from notices, json_each(${numbersBelow(199)}) where subject_id = ${data.annId}`
  }
  const full = await costOf(student, '/notices/count')
  expect(await newOf(student)).toBe(COUNT_LIMITS.newNotices)
  expect(full.rows).toBeLessThanOrEqual(3 * COUNT_LIMITS.newNotices)
  const list = await costOf(student, '/notices')
  // One row for each notice of the courses, and two for each that is read.
  expect(list.rows).toBeLessThanOrEqual(3 * 1_000)
  const last = Number(await firstValue`select max(id) from notices`)
  await student.put('/notices/seen', { noticeId: last })
  const bell = await costOf(student, '/notices/count')
  expect(bell.rows).toBeLessThanOrEqual(40)
  for (const { trips, scans } of [full, list, bell, await costOf(student, '/notices/settings')]) {
    expect(trips).toBeLessThanOrEqual(2)
    expect(scans).toEqual([])
  }
})

test('lists are pages, newest first', async () => {
  const { course, student, homeworkId } = await createDatedHomework()
  for (let index = 0; index < 31; index += 1)
    await tell(course, 'own_dates', homeworkId, { userId: student.id })
  const items = await noticesOf(student)
  const ids = items.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((left, right) => right - left))
  expect(ids).toHaveLength(30)
  const next = await student.get(`/notices?before=${ids.at(-1)}`)
  expect(next.data.items).toHaveLength(1)
  expect(await newOf(student)).toBe(31)
})

test('the day’s news go out at seven by the clock of the course, also where clocks change', () => {
  const at = (text: string) => Date.parse(text) / 1000
  const next = (now: string, zone: string) =>
    new Date(nextDigestAt(at(now), zone) * 1000).toISOString().slice(0, 16)
  expect(next('2026-05-01T22:59:59Z', 'Asia/Taipei')).toBe('2026-05-01T23:00')
  expect(next('2026-05-01T23:00:00Z', 'Asia/Taipei')).toBe('2026-05-02T23:00')
  expect(next('2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T05:00')
  expect(next('2026-03-28T05:30:00Z', 'Europe/Berlin')).toBe('2026-03-28T06:00')
  expect(next('2026-10-24T12:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T06:00')
  expect(next('2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T06:00')
})
