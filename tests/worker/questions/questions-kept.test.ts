/** Questions: with whom they are deleted, and when. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import {
  COURSE_PURGE_SECONDS,
  purgeCourses,
} from '../../../worker/features/courses/purge-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { createAsked } from '../support/questions.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { createPerson, uniqueName } from '../support/world.ts'

describe('what goes with whom', () => {
  test('an erased student’s questions go with all that was said in them', async () => {
    const { student, ta, ask, threads } = await createAsked()
    const { questionId } = (await ask(student, 'A secret of mine')).data
    await ta.post(`/question/${questionId}/messages`, { markdown: 'To you, dear' })
    await ask(ta, 'And unasked')
    await (await createPerson(0)).delete(`/user/${student.username}`)
    expect(await threads(ta)).toEqual([])
    expect(
      await firstValue`select count(*) from question_messages
        where question_id not in (select id from questions)`,
    ).toBe(0)
  })

  test('nobody begins a question about somebody erased', async () => {
    const { student, ta, submissionId, ask } = await createAsked()
    await (await createPerson(0)).delete(`/user/${student.username}`)
    expect((await ta.get(`/submission/${submissionId}`)).status).toBe(200)
    expect(await ask(ta)).toMatchObject({ status: 409, code: 'submitter_erased' })
    expect(await firstValue`select count(*) from questions where student_id = ${student.id}`).toBe(
      0,
    )
  })

  test('an erased TA’s answers stay without a name; their own questions and saved replies go', async () => {
    const { student, ta, teacher, course, problemId, ask, threads } = await createAsked()
    const { questionId } = (await ask(student)).data
    const key = uniqueName('key')
    await ta.post(
      `/question/${questionId}/messages`,
      { markdown: 'So.' },
      { 'Idempotency-Key': key },
    )
    await ta.post(`/problem/${problemId}/questions`, { markdown: 'A TA asks' })
    await ta.put('/saved-replies', { replies: ['As ever'] })
    await (await createPerson(0)).delete(`/user/${ta.username}`)
    const [{ messages }] = await threads(student)
    expect(messages[1]).toMatchObject({
      markdown: 'So.',
      author: { username: `*${ta.id}`, displayedName: '' },
    })
    expect((await teacher.get(`/course/${course}/questions`)).data.items).toEqual([])
    expect(await allRows`select * from saved_replies where user_id = ${ta.id}`).toEqual([])
    expect(
      await firstValue`select count(*) from question_messages where idempotency_key = ${key}`,
    ).toBe(0)
  })

  test('a person’s export holds their questions with the answers, their answers, their saved replies', async () => {
    const { student, ta, ask, course, submissionId } = await createAsked()
    const { questionId } = (await ask(student)).data
    await ta.post(`/question/${questionId}/messages`, { markdown: 'So.' })
    await ta.put('/saved-replies', { replies: ['As ever'] })
    const asked = (await student.get('/auth/me/export')).data
    expect(asked.questions).toMatchObject([{ questionId, course, submissionId, line: 2 }])
    expect(asked.questionMessages).toMatchObject([
      { questionId, own: true, markdown: 'Why?' },
      { questionId, own: false, markdown: 'So.' },
    ])
    const answered = (await ta.get('/auth/me/export')).data
    expect(answered.questions).toEqual([])
    expect(answered.questionMessages).toMatchObject([{ own: true, markdown: 'So.' }])
    expect(answered.savedReplies).toEqual(['As ever'])
  })

  test('a long export has every message once, in order', async () => {
    const { student, ta, ask } = await createAsked()
    const { questionId } = (await ask(student)).data
    await runSql`with recursive c(n) as (values(1) union all select n + 1 from c where n < 1_200)
      insert into question_messages (id, question_id, author_id, markdown, idempotency_key, created_at)
      select printf('%s%04x', substr(${questionId}, 1, 20), n), ${questionId},
        iif(n % 2, ${ta.id}, ${student.id}), 'm' || n, n || ${questionId}, 1 from c`
    const written = (of: { markdown: string }[]) =>
      of.map(({ markdown }) => markdown).filter((text) => text.startsWith('m'))
    const all = Array.from({ length: 1_200 }, (_, index) => `m${index + 1}`)
    const own = (await student.get('/auth/me/export')).data
    expect(written(own.questionMessages)).toEqual(all)
    const { questions, questionMessages } = (await ta.get('/auth/me/export')).data
    expect(questions).toEqual([])
    expect(written(questionMessages)).toEqual(all.filter((_, index) => index % 2 === 0))
  })

  test('a purged course takes them along, a part at a time', async () => {
    const { student, teacher, course, problemId, submissionId, ask } = await createAsked()
    const [beside, later] = [await createAsked(), await createAsked()]
    for (const other of [beside, later]) await other.ask(other.student)
    const courseId = await firstValue`select id from courses where name = ${course}`
    await ask(student)
    const more = SWEEP.purgedQuestions + 9
    await runSql`with recursive c(n) as (values(1) union all select n + 1 from c where n < ${more})
      insert into questions (id, course_id, problem_id, student_id, state, unread, created_at, updated_at)
      select printf('%024x', ${courseId} * 1000 + n), ${courseId}, ${problemId}, ${student.id}, 'open', 0, 1, 1 from c`
    await teacher.delete('/course', { course })
    // Questions about a submission must be deleted before the submission.
    await runSql`update questions set submission_id = ${submissionId}, line = 1 where course_id = ${courseId}`
    const left = () => firstValue`select count(*) from questions where course_id = ${courseId}`
    const over = nowSeconds() + COURSE_PURGE_SECONDS + 9
    const db = openDb(env.DB)
    await runSql`update courses set deleted_at = ${nowSeconds() + 60} where name = ${later.course}`
    await purgeCourses(db, over)
    expect(await left()).toBe(more + 1)
    await purgeCourses(db, over + SWEEP.markedSeconds)
    expect(await left()).toBeGreaterThan(0)
    expect(await firstValue`select count(*) from submissions where id = ${submissionId}`).toBe(1)
    for (let count = 0; count < 5; count += 1) await purgeCourses(db, over + SWEEP.markedSeconds)
    expect(await left()).toBe(0)
    expect(await firstValue`select count(*) from courses where id = ${courseId}`).toBe(0)
    for (const { submissionId: id } of [beside, later])
      expect(await firstValue`select count(*) from questions where submission_id = ${id}`).toBe(1)
  })
})
