/** Requests: their files, how long they are kept, and with whom they go. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { REQUEST_LIMITS } from '#contract/limits'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { deleteOldRequests } from '../../../worker/features/questions/request-queries.ts'
import { QUESTION_BUDGET } from '../../../worker/features/questions/write-queries.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { hexIdAt } from '../../../worker/lib/ids.ts'
import { createRequested, PNG, sendFile } from '../support/requests.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createPerson, fetchApi } from '../support/world.ts'

const db = openDb(env.DB)

/** The keys of the files of requests in the bucket. */
const stored = async () =>
  (await env.BUCKET.list({ prefix: 'requests/' })).objects.map(({ key }) => key)

/** Empties the bucket, and deletes what the sweeper has recorded about it. */
beforeEach(async () => {
  await env.BUCKET.delete(await stored())
  await runSql`delete from date_requests`
  await runSql`delete from orphans`
})

test('the student adds a file and replaces it until staff decide; who reads the request reads it', async () => {
  const { request, student, ta, due } = await createRequested()
  const { questionId } = (await request(student)).data
  const path = `/question/${questionId}`
  expect(await ta.get(`${path}/file`)).toMatchObject({ status: 404, code: 'file_not_found' })
  expect((await sendFile(ta, questionId)).code).toBe('forbidden')
  expect((await sendFile(student, questionId, '<html>')).code).toBe('bad_file')
  const large = await sendFile(student, questionId, PNG + ' '.repeat(REQUEST_LIMITS.fileBytes))
  expect(large).toMatchObject({ code: 'too_large', data: { limit: REQUEST_LIMITS.fileBytes } })
  expect((await sendFile(student, questionId)).status).toBe(200)
  const before = (await ta.get(path)).headers.get('ETag') ?? ''
  expect((await sendFile(student, questionId, '%PDF-1.7', '診斷.pdf')).status).toBe(200)
  const stale = await ta.patch(path, { state: 'resolved' }, { 'If-Match': before })
  expect(stale.code).toBe('stale_edit')
  expect((await ta.get(path)).data.request.file).toEqual({
    name: '診斷.pdf',
    type: 'application/pdf',
    size: 8,
  })
  for (const person of [student, ta]) {
    const file = await fetchApi('GET', `${path}/file`, { as: person })
    expect(Buffer.from(await file.arrayBuffer()).toString()).toBe('%PDF-1.7')
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('診斷')}.pdf`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
  }
  const [first = '', second = ''] = await stored()
  await ta.post(`${path}/decision`, { due })
  expect(await sendFile(student, questionId)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await stored()).toEqual([first, second])
  await env.BUCKET.delete(second)
  expect((await ta.get(`${path}/file`)).code).toBe('object_lost')
})

test('files count in the student’s budget, and a refused one is not stored', async () => {
  const { request, student } = await createRequested()
  const { questionId } = (await request(student)).data
  const fullAtMs = Date.now() + QUESTION_BUDGET.burst * QUESTION_BUDGET.intervalMs
  await runSql`update rate_limits set full_at_ms = ${Math.round(fullAtMs)} where key = ${`question:user:${student.id}`}`
  expect((await sendFile(student, questionId)).code).toBe('too_many_requests')
  expect(await stored()).toEqual([])
  expect((await student.get(`/question/${questionId}`)).data.request.file).toBe(null)
})

test('files of requests that are over go, many at once, without an admin’s leave', async () => {
  await adoptBucket(workerEnv, db)
  const { request, student, ta, homeworkId } = await createRequested()
  const { questionId: replaced } = (await request(student)).data
  await sendFile(student, replaced)
  await sendFile(student, replaced)
  await sendFile(student, (await request(student, { markdown: 'Again' })).data.questionId)
  expect(await stored()).toHaveLength(3)
  expect(await firstValue`select count(*) from orphans`).toBe(1)
  expect((await ta.delete(`/homework/${homeworkId}`)).status).toBe(200)
  expect(await firstValue`select count(*) from orphans where is_expected`).toBe(3)
  const over = nowSeconds() + SWEEP.markedSeconds
  await runSql`delete from sweep_positions`
  expect(await deleteOrphans(workerEnv, db, over - 60)).toBe(true)
  expect(await stored()).toHaveLength(3)
  await runSql`delete from sweep_positions`
  expect(await deleteOrphans(workerEnv, db, over + 60)).toBe(true)
  expect(await stored()).toEqual([])
})

test('a file that a request has stays for good', async () => {
  await adoptBucket(workerEnv, db)
  const { request, student } = await createRequested()
  await sendFile(student, (await request(student)).data.questionId)
  for (const days of [1, 9]) {
    await runSql`delete from sweep_positions`
    await deleteOrphans(workerEnv, db, nowSeconds() + days * 86_400)
  }
  expect(await stored()).toHaveLength(1)
})

test('a request goes so many days after its last message or decision', async () => {
  const { request, student, ta, problemId } = await createRequested()
  const now = nowSeconds()
  const old = now - REQUEST_LIMITS.keepDays * 86_400
  const ids = [0, 1, 2].map((place) => hexIdAt((old - 9) * 1000).padEnd(24, `${place}`))
  for (const id of ids) {
    const { questionId } = (await request(student, { markdown: id })).data
    // The keys of the rows that name a question are checked at the end of a transaction alone.
    await env.DB.batch([
      env.DB.prepare('pragma defer_foreign_keys = on'),
      env.DB.prepare('update questions set id = ? where id = ?').bind(id, questionId),
      env.DB.prepare('update date_requests set question_id = ? where question_id = ?').bind(
        id,
        questionId,
      ),
      env.DB.prepare('update question_messages set question_id = ? where question_id = ?').bind(
        id,
        questionId,
      ),
    ])
  }
  const asked = (await student.post(`/problem/${problemId}/questions`, { markdown: '?' })).data
  await runSql`update questions set updated_at = ${old - 1}`
  await runSql`update questions set updated_at = ${old} where id = ${ids[1] ?? ''}`
  await ta.post(`/question/${ids[2]}/decision`, { due: null })
  await deleteOldRequests(db, now)
  const left = async (id: string | undefined) => (await student.get(`/question/${id}`)).status
  expect(await Promise.all([...ids, asked.questionId].map(left))).toEqual([404, 200, 200, 200])
  expect(
    await firstValue`select count(*) from question_messages where question_id = ${ids[0] ?? ''}`,
  ).toBe(0)
})

test('a person’s own export has their requests with the file’s address; other people’s have none', async () => {
  const { request, student, ta, teacher, due, form } = await createRequested()
  const { questionId } = (await request(student, { teacherOnly: true })).data
  await sendFile(student, questionId)
  const { questions, questionMessages } = (await student.get('/auth/me/export')).data
  expect(questions).toMatchObject([
    {
      questionId,
      problemId: null,
      request: {
        homework: form.name,
        due,
        outcome: null,
        grantedDue: null,
        teacherOnly: true,
        file: { name: 'note.png', size: PNG.length, path: `/api/question/${questionId}/file` },
      },
    },
  ])
  expect(questionMessages).toMatchObject([{ questionId, markdown: 'I was ill.' }])
  for (const other of [ta, teacher])
    expect((await other.get('/auth/me/export')).data).toMatchObject({
      questions: [],
      questionMessages: [],
    })
})

test('an erased student’s requests go with their files', async () => {
  const { request, student } = await createRequested()
  const { questionId } = (await request(student)).data
  await sendFile(student, questionId)
  const [key] = await stored()
  await (await createPerson(0)).delete(`/user/${student.username}`)
  expect(await firstValue`select count(*) from date_requests`).toBe(0)
  expect(await firstValue`select key from orphans where is_expected`).toBe(key)
})
