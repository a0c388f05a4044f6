/** Requests for other dates: asking, deciding, and who may read what. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { findHomeworkAccess } from '../../../worker/features/homeworks/queries.ts'
import { findQuestionAccess } from '../../../worker/features/questions/queries.ts'
import { decideRequest } from '../../../worker/features/questions/request-queries.ts'
import { HOUR } from '../support/dated-homework.ts'
import { insertOverride } from '../support/dates.ts'
import { createRequested, sendFile } from '../support/requests.ts'
import { actorOf, rivalled } from '../support/rivalled.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import { MOST_MESSAGES } from '../../../worker/features/questions/write-queries.ts'
import { addMember, createPeople, createPerson } from '../support/world.ts'

test('a student asks, staff grant with one press, both see the thread', async () => {
  const { request, student, ta, course, homeworkId, form, due, dueOf, badges } =
    await createRequested()
  const key = { 'Idempotency-Key': 'once' }
  const { questionId } = (await request(student, {}, key)).data
  expect((await request(student, {}, key)).data.questionId).toBe(questionId)
  expect((await request(student, { due: due + 1 }, key)).code).toBe('idempotency_mismatch')
  expect((await request(student, { teacherOnly: true }, key)).code).toBe('idempotency_mismatch')
  expect(await badges(ta)).toEqual([1, 1, 1])
  const asked = {
    questionId,
    problemId: null,
    problemName: null,
    submissionId: null,
    state: 'open',
    request: {
      homeworkId,
      homeworkName: form.name,
      due,
      outcome: null,
      grantedDue: null,
      teacherOnly: false,
      file: null,
    },
  }
  const [item] = (await ta.get(`/course/${course}/questions`)).data.items
  expect(item).toMatchObject({ ...asked, waiting: true, excerpt: 'I was ill.' })
  const granted = due - HOUR
  const decided = await ta.post(`/question/${questionId}/decision`, { due: granted })
  expect(decided.data).toEqual({ kept: 0 })
  expect(await dueOf(student)).toBe(granted)
  const outcome = { ...asked.request, outcome: 'granted', grantedDue: granted }
  for (const person of [student, ta]) {
    const { data } = await person.get(`/question/${questionId}`)
    expect(data).toMatchObject({ ...asked, state: 'answered', request: outcome })
    expect(data.messages).toMatchObject([{ markdown: 'I was ill.' }])
  }
  expect(await badges(ta)).toEqual([0, 0, 0])
  expect((await student.get(`/course/${course}`)).data.waitingQuestions).toBe(1)
  await ta.post(`/question/${questionId}/messages`, { markdown: 'Get well.' })
  await student.post(`/question/${questionId}/messages`, { markdown: 'Thanks.' })
  expect(await badges(ta)).toEqual([1, 1, 1])
})

test('the override tells no reason, keeps the one that staff gave, and never shortens a student’s time', async () => {
  const { request, student, ta, teacher, homeworkId, due, dueOf, badges } = await createRequested()
  const { questionId } = (await request(student, { markdown: 'A private illness' })).data
  const decide = (value: number | null) =>
    ta.post(`/question/${questionId}/decision`, { due: value })
  await decide(due)
  const override = () =>
    firstRow<{ due: number; reason: string }>`
      select due, reason from homework_overrides where homework_id = ${homeworkId} and user_id = ${student.id}`
  expect(await override()).toEqual({ due, reason: '' })
  await runSql`delete from homework_overrides where homework_id = ${homeworkId}`
  await insertOverride(homeworkId, student, teacher, { due: due + HOUR, reason: 'As agreed' })
  await decide(due)
  expect(await override()).toEqual({ due: due + HOUR, reason: 'As agreed' })
  const read = async () => (await student.get(`/question/${questionId}`)).data.request
  expect(await read()).toMatchObject({ outcome: 'granted', grantedDue: due + HOUR })
  expect((await decide(null)).data).toEqual({ kept: 0 })
  expect(await read()).toMatchObject({ outcome: 'declined', grantedDue: null })
  expect(await dueOf(student)).toBe(due + HOUR)
  expect((await badges(student))[0]).toBe(1)
})

test('a label’s later due time stays when staff grant an earlier one', async () => {
  const { request, student, teacher, course, homeworkId, due, dueOf } = await createRequested()
  const { questionId } = (await request(student)).data
  const courseId = await firstValue<number>`select id from courses where name = ${course}`
  await runSql`insert into labels (course_id, name) values (${courseId}, 'More time')`
  await runSql`insert into member_labels (course_id, user_id, label_id)
    select ${courseId}, ${student.id}, id from labels where course_id = ${courseId}`
  await runSql`insert into homework_overrides (homework_id, label_id, due, setter_id, set_at)
    select ${homeworkId}, id, ${due + HOUR}, ${teacher.id}, 1 from labels where course_id = ${courseId}`
  expect(await dueOf(student)).toBe(due + HOUR)
  await teacher.post(`/question/${questionId}/decision`, { due })
  expect(await dueOf(student)).toBe(due + HOUR)
})

test('of two decisions at once the later due time counts, and the request tells it', async () => {
  const { request, student, ta, homeworkId, due, dueOf } = await createRequested()
  const { questionId } = (await request(student)).data
  const actor = actorOf(ta)
  const db = openDb(env.DB)
  const [question, homework] = await Promise.all([
    findQuestionAccess(db, actor, questionId),
    findHomeworkAccess(db, actor, homeworkId),
  ])
  if (!question || !homework) throw new Error('nothing to decide')
  const change = { actor, ip: '', now: due }
  const meanwhile = rivalled(1, () => ta.post(`/question/${questionId}/decision`, { due }))
  await decideRequest(meanwhile, question, homework, due - HOUR, change)
  expect(await dueOf(student)).toBe(due)
  expect((await ta.get(`/question/${questionId}`)).data.request).toMatchObject({
    outcome: 'granted',
    grantedDue: due,
  })
})

test('what is refused', async () => {
  const { request, student, ta, teacher, problemId, end, due, homeworkId, course, dueOf } =
    await createRequested()
  const [stranger, leaver] = await createPeople(2, 2)
  await addMember({ course, teacher }, leaver)
  for (const staff of [ta, teacher]) expect((await request(staff)).code).toBe('forbidden')
  expect((await request(stranger)).code).toBe('homework_not_found')
  expect(await request(student, { due: end })).toMatchObject({
    code: 'bad_body',
    data: [{ path: ['due'], code: 'min_value', params: { min: end + 1 } }],
  })
  await insertOverride(homeworkId, student, teacher, { due: due + HOUR })
  expect((await request(student, { due: due + HOUR })).code).toBe('bad_body')
  expect(await firstValue`select count(*) from questions where student_id = ${student.id}`).toBe(0)
  expect((await request(student, { due: due + HOUR + 1 })).status).toBe(200)
  const asked = (await student.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })).data
  for (const [kind, body] of [
    ['decision', { due }],
    ['file', undefined],
  ] as const) {
    const path = `/question/${asked.questionId}/${kind}`
    const as = kind === 'file' ? student : ta
    expect(await as.post(path, body)).toMatchObject({ status: 409, code: 'not_a_request' })
  }
  const { questionId } = (await request(leaver)).data
  const decision = `/question/${questionId}/decision`
  expect((await leaver.post(decision, { due })).code).toBe('forbidden')
  expect((await student.post(decision, { due })).code).toBe('question_not_found')
  await teacher.patch(`/course/${course}/members`, { remove: [leaver.username] })
  expect((await ta.post(decision, { due })).code).toBe('user_not_found')
  expect((await ta.get(`/question/${questionId}`)).data.request.outcome).toBe(null)
  expect((await ta.post(decision, { due: null })).status).toBe(200)
  // A closing time of their own, which staff set, stands against a later due time.
  const { data } = await request(student, { due: due + 9 * HOUR })
  await runSql`update homework_overrides set closes = ${due + HOUR} where user_id = ${student.id}`
  const refused = await ta.post(`/question/${data.questionId}/decision`, { due: due + 9 * HOUR })
  expect(refused).toMatchObject({ code: 'bad_dates', data: { people: [student.username] } })
  expect(await dueOf(student)).toBe(due + HOUR)
})

test('a student’s messages in one homework have a limit, as those about a problem', async () => {
  const { request, student, homeworkId, problemId } = await createRequested()
  const { questionId } = (await request(student)).data
  await runSql`with recursive c(n) as (values(1) union all select n + 1 from c where n < ${MOST_MESSAGES - 2})
    insert into question_messages (id, question_id, author_id, markdown, idempotency_key, created_at)
    select printf('%s%04x', substr(${questionId}, 1, 20), n), ${questionId}, ${student.id}, 'm', n || ${questionId}, 1 from c`
  expect((await request(student)).status).toBe(200)
  expect((await request(student)).code).toBe('too_many_messages')
  const more = await student.post(`/question/${questionId}/messages`, { markdown: 'More' })
  expect(more.code).toBe('too_many_messages')
  const count = () =>
    firstValue`select count(*) from date_requests join questions on id = question_id where homework_id = ${homeworkId}`
  expect(await count()).toBe(2)
  const other = await student.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
  expect(other.status).toBe(200)
})

test('a request for the teacher alone does not exist for a TA, whatever they call', async () => {
  const { request, student, ta, teacher, course, due, badges } = await createRequested()
  const admin = await createPerson(0)
  const { questionId } = (await request(student, { teacherOnly: true })).data
  await sendFile(student, questionId)
  const path = `/question/${questionId}`
  for (const refused of [
    await ta.get(path),
    await ta.post(`${path}/messages`, { markdown: 'Hm' }),
    await ta.post(`${path}/decision`, { due }),
    await ta.patch(path, { state: 'resolved' }),
    await ta.put(`${path}/read`, { messageId: questionId }),
    await sendFile(ta, questionId),
    await ta.get(`${path}/file`),
  ])
    expect(refused).toMatchObject({ status: 404, code: 'question_not_found' })
  for (const state of ['open', 'answered', 'resolved']) {
    const listed = await ta.get(`/course/${course}/questions?state=${state}`)
    expect(listed.data.items).toEqual([])
  }
  expect(await badges(ta)).toEqual([0, 0, 0])
  expect(await badges(teacher)).toEqual([1, 1, 1])
  for (const person of [student, teacher, admin]) {
    expect((await person.get(path)).data.request).toMatchObject({
      teacherOnly: true,
      file: { name: 'note.png', type: 'image/png' },
    })
    expect((await person.get(`/course/${course}/questions`)).data.items).toMatchObject([
      { questionId },
    ])
  }
  await teacher.post(`${path}/messages`, { markdown: 'Noted.' })
  await teacher.post(`${path}/decision`, { due })
  expect((await student.get(path)).data).toMatchObject({
    state: 'answered',
    request: { outcome: 'granted' },
  })
  expect((await ta.get(`/course/${course}/questions?state=answered`)).data.items).toEqual([])
})

test('in a closed course a student reads requests and marks them as read, and writes nothing', async () => {
  const { request, student, teacher, course, due } = await createRequested()
  const { questionId } = (await request(student)).data
  await teacher.post(`/question/${questionId}/messages`, { markdown: 'So?' })
  await runSql`update courses set closed_at = 1 where name = ${course}`
  const path = `/question/${questionId}`
  const { messages } = (await student.get(path)).data
  expect(messages).toHaveLength(2)
  for (const refused of [
    await student.post(`${path}/messages`, { markdown: 'Hm' }),
    await student.patch(path, { state: 'resolved' }),
    await sendFile(student, questionId),
  ])
    expect(refused).toMatchObject({ status: 403, code: 'course_closed' })
  expect((await request(student)).status).toBe(403)
  expect((await student.put(`${path}/read`, { messageId: messages[1].messageId })).status).toBe(200)
  expect((await student.get(`/course/${course}`)).data.waitingQuestions).toBe(0)
  expect((await teacher.post(`${path}/decision`, { due })).status).toBe(200)
})
