/** Closed courses: students read everything and change nothing, staff work on, lists leave the course out. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Capability } from '#contract/roles'
import { openDb, rawQuery } from '../../../worker/db/client.ts'
import { courses } from '../../../worker/db/schema.ts'
import { mayInCourse, selectOwnCourses } from '../../../worker/db/standing.ts'
import { createDatedHomework } from '../support/dated-homework.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { call, createPerson, fetchApi, submit, type Person } from '../support/world.ts'

/** A course with a running homework and a submission of its student; `close` closes it. */
async function createWorld() {
  const world = await createDatedHomework()
  const { student, teacher, problemId, course } = world
  const submissionId = await submit(student, problemId)
  const close = async (closed = true) => {
    const answer = await teacher.put('/course', { course, closed })
    if (answer.status !== 200) throw new Error(`not closed: ${answer.message}`)
  }
  return { ...world, submissionId, close }
}

test('a student of a closed course changes nothing', async () => {
  const { student, problemId, submissionId, homeworkId, close } = await createWorld()
  const claimed = await student.post('/submission', { problemId, languageType: 0 })
  const question = { markdown: 'Why?' }
  const asked = await student.post(`/problem/${problemId}/questions`, question)
  await close()
  const code = 'int main(){}'
  const form = new FormData()
  form.set('code', new File([code], 'main.c'))
  const refused = await Promise.all([
    student.post('/submission', { problemId, languageType: 0, code }),
    student.post('/submission', { problemId, languageType: 0 }),
    call('PUT', `/submission/${claimed.data.submissionId}`, { as: student, body: form }),
    student.post(`/submission/${submissionId}/cancel`),
    student.post(`/problem/${problemId}/run`, { languageType: 0, code, samples: true, inputs: [] }),
    student.post(`/problem/${problemId}/questions`, question),
    student.put(`/homework/${homeworkId}/late-days`, { days: 1 }),
    student.post(`/homework/${homeworkId}/requests`, {}),
  ])
  expect(refused.map(({ code: refusal }) => refusal)).toEqual(refused.map(() => 'course_closed'))
  // What students never do is refused as ever, and reading a question is no change.
  expect((await student.post('/homework', { courseName: 'x' })).code).toBe('course_not_found')
  expect((await student.get(`/homework/${homeworkId}/dates`)).code).toBe('forbidden')
  const { questionId } = asked.data
  const thread = await student.get(`/question/${questionId}`)
  const { messageId } = thread.data.messages[0]
  expect((await student.put(`/question/${questionId}/read`, { messageId })).status).toBe(200)
  expect(await firstValue`select count(*) from submissions where problem_id = ${problemId}`).toBe(2)
})

test('the answer to a repeated submission stays what it was', async () => {
  const { student, problemId, close } = await createWorld()
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  const headers = { 'Idempotency-Key': 'the-same-key-again' }
  const first = await student.post('/submission', json, headers)
  await close()
  expect((await student.post('/submission', json, headers)).data).toEqual(first.data)
})

test('a student of a closed course reads everything of their own', async () => {
  const { course, student, problemId, submissionId, homeworkId, close } = await createWorld()
  const paths = [
    `/course/${course}/homework`,
    `/homework/${homeworkId}`,
    `/problem/${problemId}`,
    `/problem?course=${course}`,
    `/submission?course=${course}`,
    `/submission/${submissionId}`,
    `/submission/${submissionId}/questions`,
    `/course/${course}/ann`,
    `/course/${course}/questions`,
  ]
  const read = () =>
    Promise.all(paths.map(async (path) => (await fetchApi('GET', path, { as: student })).json()))
  const before = await read()
  await close()
  expect(await read()).toEqual(before)
  const detail = await student.get(`/course/${course}`)
  expect(detail.data).toMatchObject({ role: 'student', closedAt: expect.any(Number) })
  expect(detail.data).not.toHaveProperty('copiedFrom')
  expect((await call('GET', `/course/${course}`, { as: await createPerson(2) })).status).toBe(404)
})

test('conditions of SQL give a student of a closed course no more than reading', async () => {
  const { course, teacher, student, close } = await createWorld()
  const db = openDb(env.DB)
  const countOf = async (person: Person, role: 1 | 2, capability: Capability) => {
    const asker = { id: person.id, role }
    const isThis = sql`${courses.name} = ${course}`
    const [row] = await rawQuery<{ own: number; may: number }>(
      db,
      sql`select count(iif(${courses.id} in (${selectOwnCourses(asker, capability)}), 1, null)) as own,
        count(iif(${mayInCourse(asker, courses.id, capability)}, 1, null)) as may from ${courses} where ${isThis}`,
    )
    return [row?.own, row?.may]
  }
  for (const isClosed of [false, true]) {
    await close(isClosed)
    const writes = isClosed ? 0 : 1
    expect(await countOf(student, 2, 'course.read')).toEqual([1, 1])
    expect(await countOf(student, 2, 'submission.create')).toEqual([writes, writes])
    expect(await countOf(student, 2, 'submission.readAll')).toEqual([0, 0])
    expect(await countOf(teacher, 1, 'submission.create')).toEqual([1, 1])
  }
})

test('staff work on, and students stay on scoreboards', async () => {
  const { course, teacher, ta, student, problemId, homeworkId, path, form, close } =
    await createWorld()
  await close()
  await submit(ta, problemId)
  expect((await ta.put(path, { ...form, markdown: 'Later' })).status).toBe(200)
  const { data } = await ta.get(path)
  expect(Object.keys(data.marks)).toContain(student.username)
  const question = { markdown: 'Seen?' }
  expect((await ta.post(`/problem/${problemId}/questions`, question)).status).toBe(200)
  await runSql`update problem_results set scored = 1, best_score = 5, worst_score = 5 where user_id = ${student.id}`
  const board = await teacher.get(`/course/${course}/scoreboard?pids=${problemId}`)
  expect(board.data).toMatchObject([{ user: { username: student.username } }])
  expect((await ta.get(`/homework/${homeworkId}/dates`)).data.people).toHaveLength(1)
  expect((await ta.put('/course', { course, closed: false })).code).toBe('forbidden')
})

test('lists, badges, calendars and overviews leave it out, search finds it', async () => {
  const { course, teacher, ta, student, problemId, form, close } = await createWorld()
  await student.post(`/problem/${problemId}/questions`, { markdown: 'Why?' })
  const { data: link } = await student.post('/calendar-link')
  const feed = async () => {
    const url = new URL(link.url)
    const answer = await fetchApi('GET', url.pathname.slice('/api'.length) + url.search)
    return (await answer.text()).includes('BEGIN:VEVENT')
  }
  const lists = async () => {
    const overview = (await ta.get('/overview')).data
    return [
      (await student.get('/course')).data.length,
      (await ta.get('/course')).data.length,
      (await student.get('/homework')).data.length,
      (await ta.get('/homework')).data.length,
      overview.courses.length,
      overview.homeworks.length,
      overview.submissions.length,
      await feed(),
    ]
  }
  expect(await lists()).toEqual([1, 1, 1, 1, 1, 1, 1, true])
  expect((await student.get('/course?closed=true')).data).toEqual([])
  await close()
  expect(await lists()).toEqual([0, 0, 0, 0, 0, 0, 0, false])
  for (const [as, role] of [
    [student, 'student'],
    [ta, 'ta'],
    [teacher, 'teacher'],
  ] as const)
    expect((await as.get('/course?closed=true')).data).toMatchObject([
      { course, role, closedAt: expect.any(Number) },
    ])
  expect((await student.get(`/search?text=${form.name}`)).data.homeworks).toMatchObject([
    { course },
  ])
  await teacher.delete('/course', { course })
  expect((await teacher.get('/course?closed=true')).data).toEqual([])
  expect((await teacher.get('/course?deleted=true')).data).toMatchObject([
    { course, closedAt: expect.any(Number), deletedAt: expect.any(Number) },
  ])
})

test('closing is told in the audit log, keeps its time when repeated, and ends', async () => {
  const { course, teacher, student, problemId, close } = await createWorld()
  await close()
  await runSql`update courses set closed_at = 5 where name = ${course}`
  await close()
  const closedAt = () => firstValue`select closed_at from courses where name = ${course}`
  expect(await closedAt()).toBe(5)
  expect((await teacher.put('/course', { course, closed: 'yes' })).data[0].path).toEqual(['closed'])
  const stale = await teacher.put('/course', { course, closed: false }, { 'If-Match': '"1"' })
  expect(stale.code).toBe('stale_edit')
  await teacher.put('/course', { course, counts: 'last' })
  expect(await closedAt()).toBe(5)
  await close(false)
  expect(await closedAt()).toBeNull()
  await submit(student, problemId)
  const details = await allRows`select detail ->> 'closed' as closed from audit_entries
    where subject = ${course} and action = 'course.edit' order by id`
  expect(details.map(({ closed }) => closed)).toEqual([1, 1, null, 0])
})
