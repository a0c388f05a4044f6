/** Who gets which notices: the table of kinds and people, at once and after a right went. */
import { expect, test } from 'vitest'
import { NOTICE_KINDS, type NoticeKind } from '#contract/notices'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { courseIdOf, kindsOf, mailTimes, newOf, noticesOf, tell } from '../support/notices.ts'
import { firstValue, runSql } from '../support/sql.ts'
import {
  addMember,
  call,
  createCourse,
  createPeople,
  createPerson,
  submit,
} from '../support/world.ts'

const STUDENTS: NoticeKind[] = [
  'announcement',
  'homework_opens',
  'due_tomorrow',
  'own_dates',
  'marks_shown',
]
const STAFF: NoticeKind[] = [
  'announcement',
  'question',
  'request',
  'regrade',
  'judge_error',
  'nobody_judges',
]
const MANAGERS: NoticeKind[] = [...STAFF, 'join_request', 'webhook_off']
const READERS: NoticeKind[] = ['announcement']
/** Kinds that are one person's, besides own dates: those of all members, and of students. */
const PERSONAL: NoticeKind[] = ['answer', 'request_answered', 'regrade_answered', 'let_in']
const MARKED: NoticeKind[] = ['mark_changed']

/** A course with all sorts of people, and one notice of each kind. */
async function createNotified() {
  const world = await createDatedHomework({ end: nowSeconds() + 12 * HOUR, close: null })
  const { course, ta, student, problemId, homeworkId, form } = world
  const [former, away, outsider, admin, otherTeacher] = await createPeople(2, 2, 2, 0, 1)
  for (const person of [former, away]) await addMember(world, person)
  const submissionId = await submit(former, problemId)
  const asked = await former.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
  const due = form.end + HOUR
  const wanted = await former.post(`/homework/${homeworkId}/requests`, { due, markdown: 'Ill.' })
  const columnId = String(
    await firstValue`select id from gradebook_columns where homework_id = ${homeworkId}`,
  )
  const questioned = await former.post(`/course/${course}/gradebook/${columnId}/questions`, {
    markdown: 'Why so few?',
  })
  const made = await ta.post('/ann', { title: 'News', markdown: '', courseName: course })
  await runSql`delete from notices where course_id = ${await courseIdOf(course)}`
  await runSql`delete from notice_mails`
  const subjects: Record<NoticeKind, string | null> = {
    announcement: made.data.annId,
    homework_opens: homeworkId,
    due_tomorrow: homeworkId,
    own_dates: homeworkId,
    question: asked.data.questionId,
    request: wanted.data.questionId,
    answer: asked.data.questionId,
    request_answered: wanted.data.questionId,
    regrade: questioned.data.questionId,
    regrade_answered: questioned.data.questionId,
    marks_shown: columnId,
    mark_changed: columnId,
    judge_error: submissionId,
    join_request: null,
    nobody_judges: null,
    let_in: null,
    webhook_off: null,
  }
  const times: Partial<Record<NoticeKind, number>> = {
    homework_opens: form.start,
    due_tomorrow: form.end,
  }
  await runSql`insert into join_requests (course_id, user_id, state, created_at)
    values (${await courseIdOf(course)}, ${outsider.id}, 'waiting', 1)`
  for (const [kind, subjectId] of Object.entries(subjects) as [NoticeKind, string | null][]) {
    const at = times[kind]
    const userId = [...PERSONAL, ...MARKED].includes(kind) ? former.id : undefined
    await tell(course, kind, subjectId, { userId, ...(at !== undefined && { at }) })
  }
  return { ...world, student, former, away, outsider, admin, otherTeacher, subjects, due }
}

const sorted = (kinds: readonly NoticeKind[]) => kinds.toSorted()

test('each person gets the kinds that their standing allows, in the app and by mail', async () => {
  const world = await createNotified()
  const { course, teacher, ta, student, former, away, outsider, admin, otherTeacher } = world
  const rows = [
    [teacher, MANAGERS],
    [ta, STAFF],
    [student, STUDENTS],
    [away, STUDENTS],
    // They have handed in.
    [
      former,
      ['announcement', 'homework_opens', 'own_dates', 'marks_shown', ...MARKED, ...PERSONAL],
    ],
    [outsider, []],
    [otherTeacher, []],
    [admin, []],
  ] as const
  for (const [person, kinds] of rows) {
    expect(sorted(await kindsOf(person)), person.username).toEqual(sorted(kinds))
    expect(await newOf(person), person.username).toBe(kinds.length)
    expect((await mailTimes(person)).length > 0, person.username).toBe(kinds.length > 0)
  }
  expect((await call('GET', '/notices')).status).toBe(401)
  // Every kind is somebody's.
  const all = new Set(rows.flatMap(([, kinds]) => kinds))
  expect(sorted([...all])).toEqual(sorted(Object.keys(NOTICE_KINDS) as NoticeKind[]))
  // Students of a closed course read.
  await runSql`update courses set closed_at = 1 where name = ${course}`
  expect(await kindsOf(student)).toEqual(READERS)
  expect(sorted(await kindsOf(former))).toEqual(sorted([...READERS, ...PERSONAL]))
  expect(sorted(await kindsOf(ta))).toEqual(sorted(STAFF))
  await runSql`update courses set deleted_at = 1 where name = ${course}`
  for (const [person] of rows) {
    expect(await kindsOf(person)).toEqual([])
    expect(await newOf(person)).toBe(0)
  }
})

test('who leaves, or becomes something else, gets what they may read now', async () => {
  const world = await createNotified()
  const { course, teacher, ta, student, former, away, outsider } = world
  const members = (changes: object) => teacher.patch(`/course/${course}/members`, changes)
  await members({ remove: [former.username, away.username] })
  for (const person of [former, away]) expect(await kindsOf(person)).toEqual([])
  await members({ remove: [ta.username] })
  await runSql`insert into memberships (course_id, user_id, role, joined_at) values (${await courseIdOf(course)}, ${ta.id}, 'student', 1)`
  expect(sorted(await kindsOf(ta))).toEqual(sorted(STUDENTS))
  // Who comes later hears nothing of what was before; one's own answers are there again.
  await members({
    add: [outsider, former].map(({ username }) => ({ user: username, role: 'student' })),
  })
  await runSql`update memberships set joined_at = joined_at + 1 where user_id in (${outsider.id}, ${former.id})`
  expect(await kindsOf(outsider)).toEqual([])
  expect(sorted(await kindsOf(former))).toEqual(sorted([...MARKED, ...PERSONAL]))
  expect(sorted(await kindsOf(student))).toEqual(sorted(STUDENTS))
})

test('what is gone, hidden or no longer true is told nobody', async () => {
  const { course, teacher, ta, student, subjects, path, form, now, problemId } =
    await createNotified()
  await runSql`update questions set teacher_only = 1 where id = ${subjects.request}`
  expect(await kindsOf(ta)).not.toContain('request')
  expect(await kindsOf(teacher)).toContain('request')
  await teacher.delete('/ann', { annId: subjects.announcement })
  expect(await kindsOf(ta)).not.toContain('announcement')
  await submit(student, problemId)
  expect(sorted(await kindsOf(student))).toEqual(['homework_opens', 'marks_shown', 'own_dates'])
  const before = Math.max(...(await noticesOf(student)).map(({ id }) => id))
  await teacher.put(path, { ...form, start: now + HOUR })
  const kinds = (await noticesOf(student)).filter(({ id }) => id <= before).map(({ kind }) => kind)
  expect(kinds).toEqual(['marks_shown', 'own_dates'])
  await teacher.delete(path)
  expect(await kindsOf(student)).toEqual([])
  expect(await kindsOf(teacher)).not.toContain('request')
  await runSql`delete from questions where course_id = ${await courseIdOf(course)}`
  expect(await kindsOf(ta)).toEqual(['nobody_judges', 'judge_error'])
})

test('another due time, or an excuse, ends that something is due tomorrow', async () => {
  const { ta, student, away, path, due } = await createNotified()
  const override = (fields: object) => ta.put(`${path}/overrides`, { overrides: [fields] })
  await override({ username: student.username, due })
  expect(await kindsOf(student)).not.toContain('due_tomorrow')
  expect(await kindsOf(away)).toContain('due_tomorrow')
  await override({ username: away.username, excused: true })
  expect(sorted(await kindsOf(away))).toEqual([
    'announcement',
    'marks_shown',
    'own_dates',
    'own_dates',
  ])
})

test('nobody without a confirmed address or an active account is marked for a mail', async () => {
  const { course, teacher } = await createCourse()
  const people = [await createPerson(2, { emailConfirmed: false }), await createPerson(2)] as const
  for (const person of people) await addMember({ course, teacher }, person)
  await runSql`update memberships set joined_at = 1 where user_id = ${people[0].id}`
  await tell(course, 'announcement')
  expect(await Promise.all(people.map(async (each) => (await mailTimes(each)).length))).toEqual([
    0, 1,
  ])
  await runSql`update users set active = 0 where id = ${people[1].id}`
  await runSql`delete from notice_mails`
  await tell(course, 'announcement')
  expect(await mailTimes(people[1])).toEqual([])
})
