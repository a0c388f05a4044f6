import { describe, expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  call,
  createCourse,
  createPeople,
  createPerson,
  createProblem,
  submit,
  uniqueName,
} from '../support/world.ts'

/** Moves the deletion of a course into the past. */
async function ageDeletion(course: string, seconds: number): Promise<void> {
  await runSql`update courses set deleted_at = deleted_at - ${seconds} where name = ${course}`
}

describe('courses', () => {
  test('members are named by username, by e-mail or by either', async () => {
    const { course, teacher } = await createCourse()
    const [one, two, three] = await createPeople(2, 2, 2)
    const add = [
      { username: one.username, role: 'student' },
      { email: `${two.username}@example.test`, role: 'student' },
      { user: three.username, role: 'ta' },
    ]
    const patch = (json: object) => teacher.patch(`/course/${course}/members`, json)
    expect((await patch({ add })).status).toBe(200)
    const read = await teacher.get(`/course/${course}`)
    expect(read.data.students).toHaveLength(3)
    expect((await patch({ add: [{ role: 'student' }] })).data[0].path).toEqual(['add', 0, 'user'])
  })

  test('a teacher creates their own, an admin any; students none; names are taken once', async () => {
    const [admin, teacher, student] = await createPeople(0, 1, 2)
    const course = uniqueName('Algorithms ')
    const create = (as: typeof admin, json: object) => as.post('/course', json)
    expect((await create(student, { course, teacher: student.username })).status).toBe(403)
    expect((await create(teacher, { course, teacher: admin.username })).status).toBe(403)
    expect((await create(admin, { course, teacher: 'nobody' })).code).toBe('user_not_found')
    expect((await create(admin, { course, teacher: student.username })).code).toBe(
      'teacher_is_student',
    )
    expect((await create(admin, { course, teacher: teacher.username })).status).toBe(200)
    expect(await create(teacher, { course, teacher: teacher.username })).toMatchObject({
      status: 409,
      message: 'Course exists',
    })
    expect(
      (await create(teacher, { course: 'a/b', teacher: teacher.username })).data[0].path,
    ).toEqual(['course'])
    expect(
      (await create(teacher, { course: 'x', teacher: teacher.username, timeZone: 'Mars/Base' }))
        .data[0].path,
    ).toEqual(['timeZone'])
  })

  test('members see it with their role, outsiders get a 404', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const roles = [teacher, ta, student].map((as) => as.get(`/course/${course}`))
    expect((await Promise.all(roles)).map((answer) => answer.data.role)).toEqual([
      'teacher',
      'ta',
      'student',
    ])
    expect((await call('GET', `/course/${course}`, { as: await createPerson(1) })).status).toBe(404)
    expect((await call('GET', `/course/${course}`, { as: await createPerson(0) })).data.role).toBe(
      'teacher',
    )
    expect((await call('GET', `/course/${course}`)).status).toBe(401)
    const list = await student.get('/course')
    expect(list.data).toMatchObject([
      { course, role: 'student', teacher: { username: teacher.username } },
    ])
  })

  test('members are added by name or e-mail, removed by name, and unknown ones named', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const other = await createPerson(2)
    const patch = (json: object) => teacher.patch(`/course/${course}/members`, json)
    const unknown = await patch({
      add: [
        { user: 'ghost', role: 'ta' },
        { user: other.username, role: 'ta' },
      ],
    })
    expect(unknown).toMatchObject({ status: 404, data: { unknown: ['ghost'] } })
    await patch({
      add: [{ user: `${other.username}@example.test`, role: 'student' }],
      remove: [ta.username],
    })
    const read = (await teacher.get(`/course/${course}`)).data
    expect(read.TAs).toEqual([])
    expect(read.students.map((user: { username: string }) => user.username).toSorted()).toEqual(
      [student.username, other.username].toSorted(),
    )
    await teacher.put(`/course/${course}`, { TAs: [student.username], students: [] })
    expect((await student.get(`/course/${course}`)).data).toMatchObject({
      role: 'ta',
      students: [],
    })
    expect((await other.get(`/course/${course}`)).status).toBe(404)
  })

  test('who has not confirmed the e-mail is named and not added, nor is anybody with them', async () => {
    const { course, teacher, student } = await createCourse()
    const claimant = await createPerson(2, { emailConfirmed: false })
    const other = await createPerson(2)
    const add = [claimant, other].map(({ username: user }) => ({ user, role: 'student' }))
    expect(await teacher.patch(`/course/${course}/members`, { add })).toMatchObject({
      code: 'email_unconfirmed',
      data: { unconfirmed: [{ username: claimant.username }] },
    })
    const { students } = (await teacher.get(`/course/${course}`)).data
    expect(students.map((user: { username: string }) => user.username)).toEqual([student.username])
  })
})

describe('changing a course', () => {
  test('its teacher renames it and hands it over; the new teacher is no longer its assistant', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const other = await createCourse()
    const heir = await createPerson(1)
    await addMember({ course, teacher }, heir, 'ta')
    const put = (as: typeof teacher, json: object) => as.put('/course', json)
    expect((await put(ta, { course, newCourse: 'mine' })).status).toBe(403)
    expect((await put(other.teacher, { course, newCourse: 'mine' })).status).toBe(404)
    expect((await put(teacher, { course, newCourse: other.course })).code).toBe('course_exists')
    expect((await put(teacher, { course, newCourse: 'summary' })).data[0].path).toEqual([
      'newCourse',
    ])
    expect(await put(teacher, { course, teacher: 'ghost' })).toMatchObject({
      status: 404,
      data: { unknown: ['ghost'] },
    })
    expect((await put(teacher, { course, teacher: student.username })).code).toBe(
      'teacher_is_student',
    )
    const newCourse = uniqueName('Renamed ')
    expect((await put(teacher, { course, newCourse, teacher: heir.username })).status).toBe(200)
    expect((await student.get(`/course/${course}`)).status).toBe(404)
    expect((await heir.get(`/course/${newCourse}`)).data).toMatchObject({
      teacher: { username: heir.username },
      TAs: [{ username: ta.username }],
      role: 'teacher',
    })
    expect((await teacher.get(`/course/${newCourse}`)).status).toBe(404)
  })

  test('on a stale version is refused, be it the name or the members', async () => {
    const { course, teacher, student } = await createCourse()
    const read = await teacher.get(`/course/${course}`)
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const json = { TAs: [], students: [student.username] }
    expect((await teacher.put(`/course/${course}`, json, headers)).status).toBe(200)
    const stale = { as: teacher, headers }
    expect(
      (await call('PUT', `/course/${course}`, { ...stale, json: { TAs: [], students: [] } })).code,
    ).toBe('stale_edit')
    expect(
      (await call('PUT', '/course', { ...stale, json: { course, newCourse: 'Stale' } })).code,
    ).toBe('stale_edit')
    expect((await call('DELETE', '/course', { ...stale, json: { course } })).code).toBe(
      'stale_edit',
    )
    expect((await teacher.get(`/course/${course}`)).data.students).toMatchObject([
      { username: student.username },
    ])
  })

  test('deleted, it is gone with everything on it; restored, all of it is back', async () => {
    const { course, teacher, ta, student, problemId } = await createProblem()
    const submissionId = await submit(student, problemId)
    const now = nowSeconds()
    const homework = { name: 'H', courseName: course, start: now - 5, end: now + 500 }
    const { id: homeworkId } = (
      await ta.post('/homework', { ...homework, problemIds: [problemId] })
    ).data
    const { annId } = (await ta.post('/ann', { title: 'T', markdown: '', courseName: course })).data
    const paths = [
      `/course/${course}`,
      `/course/${course}/ann`,
      `/course/${course}/homework`,
      `/course/${course}/scoreboard`,
      `/ann/${course}/${annId}`,
      `/homework/${homeworkId}`,
      `/problem?course=${course}`,
      `/problem/${problemId}`,
      `/problem/${problemId}/stats`,
      `/submission?course=${course}`,
      `/submission/${submissionId}`,
    ]
    const statuses = async () =>
      Promise.all(paths.map(async (path) => (await teacher.get(path)).status))
    expect(new Set(await statuses())).toEqual(new Set([200]))

    expect((await ta.delete('/course', { course })).status).toBe(403)
    expect((await teacher.delete('/course', { course })).status).toBe(200)
    expect(new Set(await statuses())).toEqual(new Set([404]))
    expect((await teacher.get('/course')).data).toEqual([])
    expect((await teacher.get('/course?deleted=true')).data).toMatchObject([
      { course, deletedAt: expect.any(Number) },
    ])
    expect((await ta.get('/course?deleted=true')).data).toEqual([])
    const json = { course, teacher: teacher.username }
    expect((await teacher.post('/course', json)).code).toBe('course_exists')

    const restore = (as: typeof teacher) => as.post(`/course/${course}/restore`)
    expect((await restore(ta)).status).toBe(404)
    expect((await restore(await createPerson(1))).status).toBe(404)
    expect((await restore(teacher)).status).toBe(200)
    expect(new Set(await statuses())).toEqual(new Set([200]))
    expect((await restore(teacher)).status).toBe(200)
    expect((await restore(student)).status).toBe(403)
  })

  test('after thirty days it cannot be restored and its name is free', async () => {
    const { course, teacher } = await createCourse()
    await teacher.delete('/course', { course })
    await ageDeletion(course, 30 * 86_400 + 5)
    expect((await teacher.post(`/course/${course}/restore`)).status).toBe(404)
    const json = { course, teacher: teacher.username }
    expect((await teacher.post('/course', json)).status).toBe(200)
    expect((await teacher.get(`/course/${course}`)).data.students).toEqual([])
  })

  test('Public keeps its name, has no members and is no secret', async () => {
    const [admin, teacher] = await createPeople(0, 1)
    const course = 'Public'
    for (const [as, json] of [
      [admin, { course, newCourse: 'Private' }],
      [teacher, { course, newCourse: 'Private' }],
    ] as const)
      expect((await as.put('/course', json)).status).toBe(403)
    expect((await admin.delete('/course', { course })).status).toBe(403)
    expect((await admin.put('/course/Public', { TAs: [], students: [] })).status).toBe(403)
  })
})

describe('every answer', () => {
  test('an unknown path and broken JSON use the envelope', async () => {
    const admin = await createPerson(0)
    expect(await call('GET', '/nowhere')).toMatchObject({ status: 404, code: 'not_found' })
    const broken = await call('POST', '/course', {
      as: admin,
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(broken).toMatchObject({ status: 400, code: 'bad_json' })
  })

  test('a read that has not changed is a 304', async () => {
    const admin = await createPerson(0)
    const first = await admin.get('/course')
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await admin.get('/course', headers)).status).toBe(304)
  })

  test('health is public', async () => {
    expect((await call('GET', '/health')).data).toMatchObject({
      db: 'ok',
      queue: 'ok',
      runners: expect.any(Number),
    })
  })
})
