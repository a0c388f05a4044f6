/** Questions about marks. */
import { expect, test } from 'vitest'
import { createBook, markAudit, settingsOf } from '../support/gradebook.ts'
import { kindsOf, noticesOf } from '../support/notices.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { refreshAll } from '../support/stored-marks.ts'
import { addStudents, createPerson } from '../support/world.ts'

test('a student asks about a mark, staff change it or keep it, and both sides hear of it', async () => {
  const world = await createBook()
  const { student, ta, teacher, course, homeworkColumn, form, path } = world
  const asked = await world.ask(student, homeworkColumn, 'Why so *few*?')
  expect(asked.status).toBe(200)
  const { questionId } = asked.data
  const mark = { columnId: homeworkColumn, columnName: form.name, outcome: null }
  const item = { questionId, mark, problemId: null, request: null, state: 'open', waiting: true }
  const list = (await ta.get(`/course/${course}/questions`)).data.items
  expect(list).toMatchObject([{ ...item, excerpt: 'Why so *few*?' }])
  for (const staff of [ta, teacher])
    expect(await noticesOf(staff)).toMatchObject([
      { kind: 'regrade', title: form.name, subjectId: questionId },
    ])
  const badge = async (as = ta) => (await as.get(`/course/${course}`)).data.waitingQuestions
  expect(await badge()).toBe(1)

  const decide = (points: number | null, as = ta) =>
    as.post(`/question/${questionId}/regrade`, { points, reason: 'The idea is right' })
  expect((await decide(90)).status).toBe(200)
  const reason = 'The idea is right'
  expect(await settingsOf(homeworkColumn, student)).toEqual([
    { hundredths: 9_000, is_excused: 0, reason },
  ])
  const thread = async () => (await student.get(`/question/${questionId}`)).data
  expect(await thread()).toMatchObject({
    mark: { ...mark, outcome: 'changed' },
    state: 'answered',
    waiting: true,
  })
  expect((await student.get(path)).data.marks[student.username].sum).toBe(90)
  expect((await noticesOf(student)).find(({ kind }) => kind === 'regrade_answered')).toMatchObject({
    title: form.name,
    subjectId: questionId,
  })
  expect([await badge(), await badge(student)]).toEqual([0, 1])
  await decide(null, teacher)
  expect((await thread()).mark.outcome).toBe('kept')
  expect(await settingsOf(homeworkColumn, student)).toHaveLength(1)
  const cell = { course, column: form.name, username: student.username }
  expect(await markAudit(course)).toEqual([
    {
      action: 'mark.set',
      ...cell,
      before: expect.anything(),
      after: { points: 90, excused: false },
    },
    { action: 'mark.keep', ...cell },
  ])
  const own = (await student.get('/auth/me/export')).data.questions
  expect(own).toMatchObject([{ questionId, mark: { column: form.name, outcome: 'kept' } }])
})

test('the same decision again changes nothing, unless the student has written since', async () => {
  const world = await createBook()
  const { student, ta, course, homeworkColumn } = world
  const { questionId } = (await world.ask(student, homeworkColumn)).data
  const decide = async (points: number | null) =>
    expect((await ta.post(`/question/${questionId}/regrade`, { points })).status).toBe(200)
  const thread = async () => (await student.get(`/question/${questionId}`)).data
  const answers = async () =>
    (await kindsOf(student)).filter((kind) => kind === 'regrade_answered').length
  const audit = async () => (await markAudit(course)).map(({ action }) => action)
  await decide(null)
  expect([await answers(), await audit()]).toEqual([1, ['mark.keep']])
  const { messageId } = (await thread()).messages.at(-1)
  await student.put(`/question/${questionId}/read`, { messageId })
  await decide(null)
  expect(await thread()).toMatchObject({ waiting: false, mark: { outcome: 'kept' } })
  expect([await answers(), await audit()]).toEqual([1, ['mark.keep']])
  for (const points of [80, 80, 85, 85]) await decide(points)
  expect(await thread()).toMatchObject({ waiting: true, mark: { outcome: 'changed' } })
  const audited = ['mark.keep', 'mark.set', 'mark.set']
  expect([await answers(), await audit()]).toEqual([3, audited])
  await student.post(`/question/${questionId}/messages`, { markdown: 'Really?' })
  await decide(85)
  expect(await thread()).toMatchObject({ state: 'answered', mark: { outcome: 'changed' } })
  expect([await answers(), await audit()]).toEqual([4, audited])
  await decide(null)
  expect([await answers(), await audit()]).toEqual([5, [...audited, 'mark.keep']])
})

test('an answer tells of the mark that it changes; another change is told by itself', async () => {
  const world = await createBook()
  const { student, ta, homeworkColumn, courseId } = world
  await refreshAll(courseId)
  const { questionId } = (await world.ask(student, homeworkColumn)).data
  await ta.post(`/question/${questionId}/regrade`, { points: 90, reason: '' })
  expect(await kindsOf(student)).toContain('regrade_answered')
  expect(await kindsOf(student)).not.toContain('mark_changed')
  await runSql`update notices set created_at = created_at - 1`
  await world.set(student, homeworkColumn, 80)
  expect(await kindsOf(student)).toContain('mark_changed')
})

test('only the student asks, only about a mark that is shown, and of no total', async () => {
  const world = await createBook()
  const { student, ta, teacher, manual, total, homeworkColumn } = world
  const missing = { status: 404, code: 'column_not_found' }
  const elsewhere = await createBook()
  await world.show(total, 'yes', teacher)
  for (const columnId of [manual, total, elsewhere.homeworkColumn, 999_999])
    expect(await world.ask(student, columnId)).toMatchObject(missing)
  for (const staff of [ta, teacher])
    expect(await world.ask(staff, homeworkColumn)).toMatchObject({ status: 403, code: 'forbidden' })
  await world.hold(homeworkColumn, [student])
  expect(await world.ask(student, homeworkColumn)).toMatchObject(missing)
  await world.hold(homeworkColumn, [student], false)
  await world.show(homeworkColumn, 'atClosing')
  expect(await world.ask(student, homeworkColumn)).toMatchObject(missing)
  await world.show(manual, 'yes')
  expect((await world.ask(student, manual)).status).toBe(200)
  expect(await firstValue`select count(*) from questions where student_id = ${student.id}`).toBe(1)
  await runSql`update courses set closed_at = 1 where name = ${world.course}`
  expect((await world.ask(student, manual)).code).toBe('course_closed')
})

test('the same key asks once', async () => {
  const world = await createBook()
  const { student, homeworkColumn, manual } = world
  await world.show(manual, 'yes')
  const key = { 'Idempotency-Key': 'once' }
  const first = await world.ask(student, homeworkColumn, 'Why?', key)
  expect(await world.ask(student, homeworkColumn, 'Why?', key)).toMatchObject({ data: first.data })
  for (const [columnId, text] of [
    [manual, 'Why?'],
    [homeworkColumn, 'How?'],
  ] as const)
    expect((await world.ask(student, columnId, text, key)).code).toBe('idempotency_mismatch')
})

test('other questions are about no mark; a former student’s mark stays', async () => {
  const world = await createBook()
  const { student, ta, teacher, problemId, course, homeworkColumn } = world
  const plain = await student.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
  const decide = (questionId: string, points: number | null, as = ta) =>
    as.post(`/question/${questionId}/regrade`, { points })
  expect(await decide(plain.data.questionId, 1)).toMatchObject({ status: 409, code: 'not_a_mark' })
  expect((await student.get(`/question/${plain.data.questionId}`)).data.mark).toBeNull()
  const asked = await world.ask(student, homeworkColumn)
  expect((await decide(asked.data.questionId, 1, student)).status).toBe(403)
  await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
  expect((await decide(asked.data.questionId, 1)).code).toBe('user_not_found')
  expect(await settingsOf(homeworkColumn, student)).toEqual([])
})

test('the label filter finds questions about marks, and erasing takes them away', async () => {
  const world = await createBook()
  const { student, ta, course, homeworkColumn } = world
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('nobody')
  await world.ask(student, homeworkColumn)
  await world.ask(other, homeworkColumn)
  const made = await ta.put(`/course/${course}/labels`, { labels: [{ id: null, name: 'Lab' }] })
  const [{ id }] = made.data.labels
  await ta.patch(`/course/${course}/labels/members`, {
    members: [{ username: other.username, labels: [id] }],
  })
  const listed = (await ta.get(`/course/${course}/questions?label=${id}`)).data.items
  expect(listed.map((each: { student: { username: string } }) => each.student.username)).toEqual([
    other.username,
  ])
  await world.set(other, homeworkColumn, 5)
  await world.hold(homeworkColumn, [other])
  const admin = await createPerson(0)
  expect((await admin.delete(`/user/${other.username}`)).status).toBe(200)
  expect(await firstValue`select count(*) from questions where student_id = ${other.id}`).toBe(0)
  const text = JSON.stringify(
    await firstValue`select json_group_array(detail) from audit_entries where action like 'mark.%'`,
  )
  expect(text).not.toContain(other.username)
})
