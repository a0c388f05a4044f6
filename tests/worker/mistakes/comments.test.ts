/** A comment to everybody with the same mistake: who gets it, and how often. */
import { beforeEach, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { MOST_MESSAGES } from '../../../worker/features/questions/write-queries.ts'
import { emptyQueue } from '../support/judge.ts'
import { addFailed, createFailed } from '../support/mistake-groups.ts'
import { mistakeOf } from '../support/mistakes.ts'
import { kindsOf, mailTimes, noticesOf } from '../support/notices.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { createPerson, createProblem, type Person } from '../support/world.ts'

beforeEach(emptyQueue)

const TEXT = { markdown: 'Look at N = 0.' }

/** The most rows that a comment to two hundred people may read and write, by person. */
const MOST_PER_PERSON = { read: 30, written: 16 } as const

/** A problem whose staff comment on the mistake of a letter. */
async function createCommented() {
  const world = await createFailed()
  const comment = (as: Person, letter = 'a', key?: string, json: unknown = TEXT) =>
    as.post(
      `${world.path}/${mistakeOf(letter)}/questions`,
      json,
      key ? { 'Idempotency-Key': key } : {},
    )
  const threads = async (as: Person, submissionId: string) =>
    (await as.get(`/submission/${submissionId}/questions`)).data
  return { ...world, comment, threads }
}

test('each person of the group who has not solved the problem gets a question on the last failing try', async () => {
  const { student, ta, join, fail, solve, merge, comment, threads } = await createCommented()
  const [merged, solved, other] = [await join(), await join(), await join()]
  await fail(student, 'a')
  const ids = [await fail(student, 'a'), await fail(merged, 'b')] as const
  const ofSolved = await fail(solved, 'a')
  await solve(solved)
  const ofOther = await fail(other, 'c')
  await merge('b', 'a')
  expect(await comment(ta)).toMatchObject({ status: 200, data: { people: 2 } })
  for (const [index, person] of [student, merged].entries()) {
    const [thread, ...others] = await threads(person, ids[index] ?? '')
    expect(others).toEqual([])
    expect(thread).toMatchObject({
      line: 1,
      state: 'answered',
      waiting: true,
      student: { username: person.username },
      messages: [{ author: { username: ta.username }, ...TEXT }],
    })
    expect(await noticesOf(person)).toMatchObject([
      { kind: 'answer', subjectId: thread.questionId },
    ])
    expect(await mailTimes(person)).toHaveLength(1)
    const reply = await person.post(`/question/${thread.questionId}/messages`, { markdown: 'Ah!' })
    expect(reply.status).toBe(200)
  }
  for (const [person, id] of [
    [solved, ofSolved],
    [other, ofOther],
  ] as const) {
    expect(await threads(person, id)).toEqual([])
    expect(await kindsOf(person)).toEqual([])
  }
})

test('is written as a single comment of staff is', async () => {
  const { student, ta, fail, comment, threads } = await createCommented()
  const id = await fail(student, 'a')
  await ta.post(`/submission/${id}/questions`, { ...TEXT, line: 1 })
  await comment(ta)
  const [single, one] = await threads(student, id)
  const own = { questionId: expect.any(String), messages: expect.any(Array) }
  const times = { createTime: expect.any(Number), updateTime: expect.any(Number) }
  expect(one).toEqual({ ...single, ...own, ...times })
  const [message] = single.messages
  const messageOwn = { messageId: expect.any(String), createTime: expect.any(Number) }
  expect(one.messages).toEqual([{ ...message, ...messageOwn }])
  const notices = await noticesOf(student)
  expect(notices.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
    ['answer', one.questionId],
    ['answer', single.questionId],
  ])
})

test('the same call again adds nothing, even when the group has changed', async () => {
  const { student, ta, teacher, join, fail, comment, threads } = await createCommented()
  const second = await join()
  const id = await fail(student, 'a')
  await fail(second, 'a')
  expect((await comment(ta, 'a', 'press-1')).data).toEqual({ people: 2 })
  const later = await join()
  const ofLater = await fail(later, 'a')
  await fail(student, 'b')
  await fail(second, 'b')
  expect((await comment(ta, 'a', 'press-1')).data).toEqual({ people: 2 })
  expect(await threads(student, id)).toHaveLength(1)
  expect(await threads(later, ofLater)).toEqual([])
  expect(await kindsOf(later)).toEqual([])
  const other = await comment(ta, 'a', 'press-1', { markdown: 'Another text' })
  expect(other.code).toBe('idempotency_mismatch')
  // The same text about another mistake is another call.
  expect((await comment(ta, 'b', 'press-1')).code).toBe('idempotency_mismatch')
  await ta.post(
    `/submission/${id}/questions`,
    { ...TEXT, line: 1 },
    { 'Idempotency-Key': 'press-2' },
  )
  expect((await comment(ta, 'a', 'press-2')).code).toBe('idempotency_mismatch')
  // A key is one person's.
  expect((await comment(teacher, 'a', 'press-1')).data).toEqual({ people: 1 })
  expect((await comment(ta, 'a')).data).toEqual({ people: 1 })
  expect(await threads(later, ofLater)).toHaveLength(2)
})

test('erased people get none', async () => {
  const { student, ta, join, fail, comment } = await createCommented()
  const erased = await join()
  await fail(student, 'a')
  await fail(erased, 'a')
  const admin = await createPerson(0)
  expect((await admin.delete(`/user/${erased.username}`)).status).toBe(200)
  expect((await comment(ta)).data).toEqual({ people: 1 })
  expect(await firstValue`select count(*) from questions where student_id = ${erased.id}`).toBe(0)
})

test('a submission about which staff have written as much as they may gets none', async () => {
  const { student, ta, join, fail, comment, problemId } = await createCommented()
  const id = await fail(student, 'a')
  await fail(await join(), 'a')
  const { questionId } = (await ta.post(`/submission/${id}/questions`, { ...TEXT, line: 1 })).data
  await runSql`insert into question_messages (id, question_id, author_id, markdown, idempotency_key, created_at)
    select printf('%024x', ${problemId} * 1000 + value), ${questionId}, ${ta.id}, 'x', 'k' || value, 1
    from json_each(${numbersBelow(MOST_MESSAGES - 1)})`
  expect((await comment(ta)).data).toEqual({ people: 1 })
})

test('a mistake that nobody made is not found, and students comment on nothing', async () => {
  const { student, ta, fail, solve, comment } = await createCommented()
  expect((await comment(ta, 'z')).code).toBe('mistake_not_found')
  await fail(student, 'a')
  expect((await comment(student)).code).toBe('forbidden')
  await solve(student)
  expect((await comment(ta)).data).toEqual({ people: 0 })
})

test('two thousand people get it in one call', async () => {
  const { course, ta, problemId } = await createProblem()
  const most = COUNT_LIMITS.membersPerRequest
  await addFailed(course, problemId, { people: most + 1, tries: 1, groups: 1 })
  const answer = await ta.post(`/problem/${problemId}/mistakes/${'0'.repeat(16)}/questions`, TEXT)
  expect(answer).toMatchObject({ status: 200, data: { people: most } })
  expect(
    await firstValue`select count(distinct subject_id || user_id) from notices join questions on questions.id = subject_id
      and questions.student_id = notices.user_id where problem_id = ${problemId} and kind = 'answer'`,
  ).toBe(most)
})

test('a comment costs some rows for each person, in one round trip', async () => {
  const { course, ta, problemId } = await createProblem()
  await addFailed(course, problemId, { people: 200, tries: 3, groups: 1 })
  const { status, text, trips } = await recordCall(
    'POST',
    `/problem/${problemId}/mistakes/${'0'.repeat(16)}/questions`,
    { as: ta, json: TEXT },
  )
  expect(status, text).toBe(200)
  const writing = trips.filter(({ rowsWritten }) => rowsWritten > 200)
  expect(writing).toHaveLength(1)
  expect((writing[0]?.rowsRead ?? 0) / 200).toBeLessThan(MOST_PER_PERSON.read)
  expect((writing[0]?.rowsWritten ?? 0) / 200).toBeLessThan(MOST_PER_PERSON.written)
})
