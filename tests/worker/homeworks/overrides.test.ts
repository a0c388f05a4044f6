/** Dates that staff set for students or for all: who may, what is merged, what is refused, and who learns of it. */
import { describe, expect, test } from 'vitest'
import { createDatedHomework, handIn, HOUR, markFor } from '../support/dated-homework.ts'
import { allRows, firstRow, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { addStudents, createPerson } from '../support/world.ts'

interface Row {
  user: { username: string }
}

describe('overrides', () => {
  test('give a student later dates, show them to staff, and are merged field by field', async () => {
    const { path, student, teacher, ta, now, form } = await createDatedHomework()
    const { username } = student
    const due = now + 2 * HOUR
    const set = (fields: object, as = ta) =>
      as.put(`${path}/overrides`, { overrides: [{ username, ...fields }] })
    expect(await set({ due, reason: 'ill' })).toMatchObject({ status: 200, data: { kept: 0 } })
    expect((await set({ graceMinutes: 5, quota: 3 }, teacher)).status).toBe(200)
    const { data } = await ta.get(`${path}/dates`)
    expect(data).toEqual({
      forAll: null,
      labels: [],
      people: [
        {
          user: { username, displayedName: `The ${username}`, role: 2 },
          override: {
            opens: null,
            due,
            closes: null,
            graceMinutes: 5,
            latePercent: null,
            quota: 3,
            excused: null,
            reason: 'ill',
            by: teacher.username,
            at: expect.any(Number),
          },
          own: {
            opens: form.start,
            due,
            closes: due + 300,
            graceMinutes: 5,
            latePercent: null,
            excused: false,
            why: 'ill',
          },
          kept: 0,
        },
      ],
    })
    await set({ due: null })
    const [person] = (await ta.get(`${path}/dates`)).data.people
    expect(person.override).toMatchObject({ due: null, graceMinutes: 5, reason: 'ill' })
    await set({ graceMinutes: null, quota: null })
    expect((await ta.get(`${path}/dates`)).data.people[0]).toMatchObject({ override: null })
  })

  test('for all and for a person live side by side; the later due time counts', async () => {
    const world = await createDatedHomework()
    const { path, student, ta, now } = world
    const [other] = await addStudents(world, 1)
    const early = { username: student.username, due: now + HOUR }
    const forAll = { username: null, due: now + 3 * HOUR, reason: 'power cut' }
    expect((await ta.put(`${path}/overrides`, { overrides: [early, forAll] })).status).toBe(200)
    const again = { overrides: [{ username: null, graceMinutes: 7 }] }
    expect((await ta.put(`${path}/overrides`, again)).status).toBe(200)
    const { forAll: all, people } = (await ta.get(`${path}/dates`)).data
    expect(all).toMatchObject({ due: now + 3 * HOUR, graceMinutes: 7, reason: 'power cut' })
    expect(people.map((row: Row) => row.user.username).toSorted()).toEqual(
      [student.username, other?.username].toSorted(),
    )
    const own = { due: now + 3 * HOUR, graceMinutes: 7, why: 'power cut' }
    for (const row of people) expect(row).toMatchObject({ own })
    const taken = await ta.delete(`${path}/overrides`, { usernames: [null] })
    expect(taken).toMatchObject({ status: 200, data: { kept: 0 } })
    const left = (await ta.get(`${path}/dates`)).data
    expect(left.forAll).toBeNull()
    const isStudent = (row: Row) => row.user.username === student.username
    expect(left.people.find(isStudent)).toMatchObject({ override: { due: now + HOUR } })
    await ta.delete(`${path}/overrides`, { usernames: [student.username.toUpperCase()] })
    expect(
      await firstValue`select count(*) from homework_overrides
      where homework_id = ${world.homeworkId}`,
    ).toBe(0)
  })

  test('do not name a setter whose account is gone', async () => {
    const { path, student, teacher, ta, now } = await createDatedHomework()
    const overrides = [{ username: student.username, due: now + HOUR }]
    expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
    const erased = `*${ta.id}`
    await runSql`update users set username = ${erased}, username_key = ${erased} where id = ${ta.id}`
    const [{ override }] = (await teacher.get(`${path}/dates`)).data.people
    expect(override).toMatchObject({ by: null })
  })

  test('of two changes for one person the later fields count', async () => {
    const { path, student, ta, now } = await createDatedHomework()
    const { username } = student
    const overrides = [
      { username, due: now + HOUR, reason: 'first' },
      { username: username.toUpperCase(), reason: 'second' },
    ]
    expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
    const [{ override }] = (await ta.get(`${path}/dates`)).data.people
    expect(override).toMatchObject({ due: now + HOUR, reason: 'second' })
  })

  test('are refused whole when a name is no student’s of the course', async () => {
    const { path, student, ta, teacher, now, homeworkId } = await createDatedHomework()
    const stranger = await createPerson(2)
    const version = () => firstValue`select version from homeworks where id = ${homeworkId}`
    const before = await version()
    const names = [student, stranger, ta, teacher].map(({ username }) => username)
    const overrides = [...names, 'nobody'].map((username) => ({ username, due: now + HOUR }))
    const unknown = [stranger.username, ta.username, teacher.username, 'nobody']
    expect(await ta.put(`${path}/overrides`, { overrides })).toMatchObject({
      status: 404,
      code: 'user_not_found',
      data: { unknown },
    })
    expect(await ta.delete(`${path}/overrides`, { usernames: names })).toMatchObject({
      code: 'user_not_found',
      data: { unknown: unknown.slice(0, 3) },
    })
    const alone = [{ username: 'nobody', due: now + HOUR }]
    expect((await ta.put(`${path}/overrides`, { overrides: alone })).data).toEqual({
      unknown: ['nobody'],
    })
    expect((await ta.get(`${path}/dates`)).data.people[0]).toMatchObject({ override: null })
    expect(await version()).toBe(before)
  })

  test('are refused when somebody’s homework would be due before it opens, or closed before that', async () => {
    const { path, student, ta, form, now } = await createDatedHomework()
    const { username } = student
    const set = (...overrides: object[]) => ta.put(`${path}/overrides`, { overrides })
    const refusal = (people: (string | null)[]) => ({
      status: 400,
      code: 'bad_dates',
      data: { people, labels: [] },
    })
    expect(await set({ username, opens: now })).toMatchObject(refusal([username]))
    expect(await set({ username, closes: form.end - 1 })).toMatchObject(refusal([username]))
    expect(await set({ username: null, due: form.start - 1 })).toMatchObject(refusal([null]))
    const opens = now + HOUR
    expect((await set({ username, opens, due: opens })).status).toBe(200)
    expect((await set({ username, closes: opens })).status).toBe(200)
    expect(await set({ username, due: null, closes: null })).toMatchObject(refusal([username]))
    // More time for all moves the closing time of one student along.
    expect((await set({ username: null, due: opens + 1 })).status).toBe(200)
  })

  test('stop an edit of the homework that contradicts them', async () => {
    const { path, student, ta, form, now } = await createDatedHomework()
    const { username } = student
    const overrides = [
      { username, closes: now + HOUR },
      { username: null, closes: now + 2 * HOUR },
    ]
    expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
    const put = (end: number) => ta.put(path, { ...form, end, close: null })
    expect((await put(now + HOUR)).status).toBe(200)
    const last = await put(now + 3 * HOUR)
    expect(last).toMatchObject({ status: 400, code: 'bad_dates' })
    expect(last.data.people.toSorted()).toEqual([null, username].toSorted())
    expect(await firstValue`select end_at from homeworks where name = ${form.name}`).toBe(
      now + HOUR,
    )
  })

  test('make an edit of the homework stale that was begun before them', async () => {
    const { path, student, ta, form } = await createDatedHomework()
    const headers = { 'If-Match': (await ta.get(path)).headers.get('ETag') ?? '' }
    const overrides = [{ username: student.username, excused: true }]
    expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
    expect((await ta.put(path, form, headers)).code).toBe('stale_edit')
  })

  test('are for staff alone; no student learns of another’s dates or reasons', async () => {
    const world = await createDatedHomework()
    const { path, student, ta, course, problemId, now } = world
    const [other] = await addStudents(world, 1)
    const reason = 'a secret illness'
    const overrides = [{ username: other?.username ?? '', due: now + 7 * HOUR, reason }]
    expect((await student.put(`${path}/overrides`, { overrides })).status).toBe(403)
    expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
    for (const call of [
      student.get(`${path}/dates`),
      student.get(`${path}/kept-marks`),
      student.delete(`${path}/overrides`, { usernames: [student.username] }),
      student.post(`${path}/kept-marks/confirm`, { usernames: [student.username] }),
    ])
      expect((await call).status).toBe(403)
    const pages = [
      path,
      `/course/${course}/homework`,
      '/homework',
      `/problem/${problemId}`,
      '/auth/me/export',
    ]
    for (const page of pages) {
      const text = JSON.stringify((await student.get(page)).data)
      expect(text, page).not.toContain(reason)
      expect(text, page).not.toContain(String(now + 7 * HOUR))
    }
  })

  test('leave an audit entry without the reason, with at most twenty names', async () => {
    const world = await createDatedHomework()
    const { path, course, ta, homeworkId } = world
    const names = (await addStudents(world, 21)).map(({ username }) => username)
    const reason = 'an illness'
    const overrides = names.map((username) => ({ username, graceMinutes: 10, reason }))
    expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
    expect((await ta.delete(`${path}/overrides`, { usernames: [null] })).status).toBe(200)
    const entries = await allRows<{ action: string; detail: string }>`select action, detail
      from audit_entries where actor_id = ${ta.id} and subject = ${homeworkId} order by id`
    expect(entries.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
      [
        'homework.override',
        {
          course,
          forAll: false,
          people: 21,
          usernames: names.slice(0, 20),
          labels: [],
          fields: ['graceMinutes'],
        },
      ],
      ['homework.override.remove', { course, forAll: true, people: 0, usernames: [], labels: [] }],
    ])
  })

  test('take two thousand people at once', { timeout: 60_000 }, async () => {
    const world = await createDatedHomework()
    const { path, course, ta, now, homeworkId, student, problemId } = world
    await handIn(student, problemId, 80, now)
    const courseId = await firstValue`select id from courses where name = ${course}`
    const many = numbersBelow(1_999)
    await runSql`insert into users (username, username_key, email, displayed_name, bio, role, active, created_at)
      select 'bulk' || value, 'bulk' || value, 'bulk' || value || '@x.test', '', '', 2, 1, 1 from json_each(${many})`
    await runSql`insert into memberships (course_id, user_id, role, joined_at)
      select ${courseId}, id, 'student', 1 from users where username like 'bulk%'`
    const reason = 'late'.repeat(100)
    const names = [student.username, ...JSON.parse(many).map((n: number) => `Bulk${n}`)]
    const overrides = names.map((username) => ({ username, due: now + HOUR, reason }))
    expect(await ta.put(`${path}/overrides`, { overrides })).toMatchObject({ status: 200 })
    expect(
      await firstRow`select count(*) as many, min(due) as due from homework_overrides
      where homework_id = ${homeworkId}`,
    ).toEqual({ many: 2_000, due: now + HOUR })
    expect((await ta.get(`${path}/dates`)).data.people).toHaveLength(2_000)
    expect(await ta.delete(`${path}/overrides`, { usernames: names })).toMatchObject({
      status: 200,
      data: { kept: 1 },
    })
    expect(await markFor(world, student)).toBe(80)
    expect((await ta.get(`${path}/kept-marks`)).data).toMatchObject([{ kept: 80, now: 72 }])
  })
})
