/** Whole answers with two questions: what a message, a read or a deletion of one question changes, and what it leaves. */
import { expect, test } from 'vitest'
import { MOST_MESSAGES } from '../../../worker/features/questions/write-queries.ts'
import { CODE, createAsked } from '../support/questions.ts'
import { runSql } from '../support/sql.ts'
import { addStudents, createProblem, submit, type Person } from '../support/world.ts'

const time = expect.any(Number)
const id = expect.stringMatching(/^[0-9a-f]{24}$/)

/** A person made by `createPerson`, as others see them. */
function infoOf({ username }: Person) {
  return { username, displayedName: `The ${username}`, role: 2 }
}

test('a question is the same in list, thread and by itself, with the times of its first and its newest message', async () => {
  const { student, ta, course, problemId, submissionId, path, ask } = await createAsked()
  const { questionId } = (await ask(student)).data
  const whole = (await student.post(`/problem/${problemId}/questions`, { markdown: 'N?' })).data
    .questionId
  await runSql`update questions set created_at = 5, updated_at = 6 where id in (${questionId}, ${whole})`
  await runSql`update question_messages set created_at = 5 where question_id in (${questionId}, ${whole})`
  const common = {
    course,
    problemId,
    problemName: 'A plus B',
    request: null,
    mark: null,
    student: infoOf(student),
    createTime: 5,
  }
  const asked = { ...common, questionId, submissionId, line: 2, state: 'open', updateTime: 6 }
  const other = {
    ...common,
    questionId: whole,
    submissionId: null,
    line: null,
    state: 'open',
    updateTime: 6,
  }
  const list = async (as: Person, query = '') =>
    (await as.get(`/course/${course}/questions${query}`)).data
  expect(await list(student)).toEqual({
    items: [
      { ...other, waiting: false, excerpt: 'N?' },
      { ...asked, waiting: false, excerpt: 'Why?' },
    ],
    next: null,
  })
  expect(await list(ta)).toEqual({
    items: [
      { ...asked, waiting: true, excerpt: 'Why?' },
      { ...other, waiting: true, excerpt: 'N?' },
    ],
    next: null,
  })
  const message = (author: Person, markdown: string, createTime: unknown) => ({
    messageId: id,
    author: infoOf(author),
    markdown,
    createTime,
  })
  const etag = expect.stringMatching(/^"v\d+-item"$/)
  const messages = [message(student, 'Why?', 5)]
  const thread = { ...asked, waiting: true, messages, etag }
  expect((await ta.get(path)).data).toEqual([thread])
  expect((await ta.get(`/question/${questionId}`)).data).toEqual(thread)
  await ta.post(`/question/${questionId}/messages`, { markdown: 'So.' })
  const answered = {
    ...thread,
    state: 'answered',
    waiting: true,
    updateTime: time,
    messages: [...messages, message(ta, 'So.', time)],
  }
  const seen = (await student.get(`/question/${questionId}`)).data
  expect(seen).toEqual(answered)
  expect(seen.updateTime).toBeGreaterThan(6)
  expect(seen.updateTime).toBe(seen.messages[1].createTime)
  expect((await ta.get(path)).data).toEqual([{ ...answered, waiting: false }])
  // The second question is unchanged.
  expect((await student.get(`/question/${whole}`)).data).toEqual({
    ...other,
    waiting: false,
    etag,
    messages: [message(student, 'N?', 5)],
  })
})

test('one that is read, resolved or answered leaves the others as they are', async () => {
  const { student, ta, ask, threads } = await createAsked()
  for (let made = 0; made < 4; made += 1) await ask(ta)
  const states = async () =>
    (await threads(student)).map(({ state, waiting }: { state: string; waiting: boolean }) => [
      state,
      waiting,
    ])
  const unread = ['answered', true]
  expect(await states()).toEqual([unread, unread, unread, unread])
  const [first, second, third] = await threads(student)
  const one = (of: { questionId: string }) => `/question/${of.questionId}`
  const messageId = 'f'.repeat(24)
  await student.put(`${one(first)}/read`, { messageId })
  expect(await states()).toEqual([['answered', false], unread, unread, unread])
  await student.patch(one(second), { state: 'resolved' })
  expect(await states()).toEqual([['answered', false], ['resolved', false], unread, unread])
  await student.post(`${one(third)}/messages`, { markdown: 'And?' })
  const own = [['answered', false], ['resolved', false], ['open', true], unread]
  expect(await states()).toEqual(own)
  // A question that staff resolve stays unread for the student.
  await ta.patch(one(third), { state: 'resolved' })
  expect((await states()).at(2)).toEqual(['resolved', true])
})

test('questions of two students about one problem stay apart, for each of them and in their numbers', async () => {
  const world = await createProblem()
  const { student, ta, course, problemId } = world
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('no student')
  const path = `/problem/${problemId}/questions`
  const asked: string[] = []
  for (const person of [student, other])
    asked.push((await person.post(path, { markdown: `Of ${person.id}` })).data.questionId)
  // The first student reaches the limit of messages; the second still has room.
  await runSql`insert into question_messages (id, question_id, author_id, markdown, idempotency_key, created_at)
    select printf('%024x', value), ${asked[0]}, ${student.id}, 'more', 'key' || value, 1
    from json_each(${JSON.stringify([...Array(MOST_MESSAGES - 2).keys()])})`
  expect((await student.post(path, { markdown: 'The last' })).status).toBe(200)
  expect((await student.post(path, { markdown: 'Too much' })).code).toBe('too_many_messages')
  expect((await other.post(path, { markdown: 'Another' })).status).toBe(200)
  await ta.post(`/question/${asked[1]}/messages`, { markdown: 'So.' })
  const badge = async (as: Person) => (await as.get(`/course/${course}`)).data.waitingQuestions
  expect([await badge(student), await badge(other), await badge(ta)]).toEqual([0, 1, 3])
  const excerpts = async (as: Person) =>
    (await as.get(`/course/${course}/questions`)).data.items.map(
      ({ excerpt }: { excerpt: string }) => excerpt,
    )
  expect(await excerpts(other)).toEqual(['Another', `Of ${other.id}`])
})

test('a key counts for its writer alone, and one of 128 characters is the longest', async () => {
  const { student, ta, problemId, submissionId } = await createAsked()
  const key = { 'Idempotency-Key': 'k'.repeat(128) }
  const about = `/problem/${problemId}/questions`
  const ask = async (as: Person, headers?: Record<string, string>) =>
    (await as.post(about, { markdown: 'N?' }, headers)).data.questionId
  const first = await ask(student, key)
  expect(await ask(student, key)).toBe(first)
  expect(await ask(ta, key)).not.toBe(first)
  expect(await ask(student, { 'Idempotency-Key': '' })).not.toBe(first)
  const line = { markdown: 'N?', line: 1 }
  const mismatch = { status: 409, code: 'idempotency_mismatch' }
  expect(await student.post(`/submission/${submissionId}/questions`, line, key)).toMatchObject(
    mismatch,
  )
  const next = await submit(student, problemId, CODE)
  const path = (of: string) => `/submission/${of}/questions`
  const own = { 'Idempotency-Key': 'own' }
  expect((await student.post(path(submissionId), line, own)).status).toBe(200)
  expect(await student.post(path(next), line, own)).toMatchObject(mismatch)
})
