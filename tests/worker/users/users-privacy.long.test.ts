/** Erasing a person, and giving them everything that is known about them. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createDatedHomework, handIn } from '../support/dated-homework.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPerson,
  createProblem,
  fetchApi,
  PASSWORD,
  signIn,
  submit,
} from '../support/world.ts'

describe('privacy', () => {
  test('an erased person is nowhere in the database; results stay without a name [PR2]', async () => {
    const { problemId, student, teacher } = await createProblem()
    const admin = await createPerson(0)
    await signIn(student.username, 'wrong password', { 'CF-Connecting-IP': '203.0.113.77' })
    const submissionId = await submit(student, problemId)
    await student.post(`/problem/${problemId}/run`, {
      languageType: 0,
      code: `// "${student.username}"`,
      inputs: [student.username],
    })
    await call('POST', '/auth/password-recovery', {
      json: { email: `${student.username}@example.test` },
    })
    expect(await admin.delete(`/user/${teacher.username}`)).toMatchObject({
      status: 409,
      code: 'user_teaches',
    })
    expect((await admin.delete(`/user/${student.username}`)).status).toBe(200)
    expect((await student.get('/auth/me')).status).toBe(401)
    expect((await admin.get(`/profile/${student.username}`)).status).toBe(404)
    expect((await admin.delete(`/user/${student.username}`)).status).toBe(404)
    const found = await admin.get(`/user?search=${student.username}`)
    expect(JSON.stringify(found.data)).not.toContain(`"${student.username}"`)
    const tables = await allRows<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'd1\\_%' escape '\\'`
    for (const { name } of tables) {
      const text = JSON.stringify((await env.DB.prepare(`select * from "${name}"`).all()).results)
      expect(text, name).not.toContain(`"${student.username}"`)
      expect(text, name).not.toContain(`${student.username}@`)
      expect(text, name).not.toContain(`The ${student.username}"`)
      if (name === 'login_records') expect(text).not.toContain('203.0.113.77')
    }
    const seen = await teacher.get(`/submission/${submissionId}`)
    expect(seen).toMatchObject({ status: 200, data: { user: { displayedName: '' } } })
    const free = await call('POST', '/auth/check/username', {
      json: { username: student.username },
    })
    expect(free.data.valid).toBe(1)
  })

  test('the teacher of a deleted course can be erased', async () => {
    const admin = await createPerson(0)
    const { course, teacher } = await createCourse()
    await teacher.delete('/course', { course })
    expect((await admin.delete(`/user/${teacher.username}`)).status).toBe(200)
  })

  test('an erased person’s addresses and programs are gone from every record at once [PR2]', async () => {
    const { course, student, ta, teacher } = await createCourse()
    const admin = await createPerson(0)
    const headers = { 'CF-Connecting-IP': '203.0.113.99', 'User-Agent': 'a rare browser' }
    for (const password of ['wrong password', PASSWORD])
      await signIn(student.username, password, headers)
    await call('POST', '/auth/password-recovery', {
      json: { email: `${student.username}@example.test` },
      headers,
    })
    await student.get('/audit', headers)
    await student.post('/profile', { bio: 'me' }, headers)
    await ta.get('/audit', { 'User-Agent': 'another browser' })
    await admin.patch(`/user/${student.username}`, { role: 1 })
    const handOver = (name: string) => admin.put('/course', { course, teacher: name })
    await handOver(student.username)
    await handOver(teacher.username)
    await admin.delete(`/user/${student.username}`)
    const text = JSON.stringify(
      await env.DB.batch(
        ['audit_entries', 'login_records', 'sessions', 'users'].map((table) =>
          env.DB.prepare(`select * from ${table}`),
        ),
      ),
    )
    for (const trace of ['203.0.113.99', 'a rare browser', `"${student.username}"`])
      expect(text).not.toContain(trace)
    expect(text).not.toContain(`\\"${student.username}\\"`)
    expect(text).toContain('another browser')
    const entries =
      await allRows`select action, ip from audit_entries where actor_id = ${student.id}`
    expect(entries.map((entry) => entry['action'])).toEqual([
      'session.refuse',
      'session.begin',
      'access.refuse',
      'user.profile',
    ])
    expect(new Set(entries.map((entry) => entry['ip']))).toEqual(new Set(['']))
  })

  test('dates, reasons, points and the calendar link of a person are in the export and go with the person [PR2]', async () => {
    const { path, course, form, student, ta, problemId, homeworkId, now } =
      await createDatedHomework()
    const { username } = student
    await handIn(student, problemId, 80, now)
    const override = { username, latePercent: 10, reason: 'an illness' }
    await ta.put(`${path}/overrides`, { overrides: [override] })
    await ta.put(`${path}/points`, { username, problemId: null, points: 5, comment: 'well done' })
    await ta.post(`${path}/kept-marks/confirm`, { usernames: ['nobody'] })
    await student.post('/calendar-link')
    const about = { course, homework: form.name }
    expect((await student.get('/auth/me/export')).data).toMatchObject({
      homeworkDates: [{ ...about, latePercent: 10, due: null, reason: 'an illness' }],
      homeworkPoints: [{ ...about, problemId: null, hundredths: 500, comment: 'well done' }],
      keptMarks: [{ ...about, problemId, hundredths: 7_200 }],
      calendarLink: { createTime: expect.any(Number) },
    })
    const details = () => allRows<{ action: string; detail: string }>`
      select action, detail from audit_entries where subject = ${homeworkId} and actor_id = ${ta.id}
      order by id`
    expect((await details()).filter(({ detail }) => detail.includes(username))).toHaveLength(2)
    const admin = await createPerson(0)
    expect((await admin.delete(`/user/${username}`)).status).toBe(200)
    for (const table of ['homework_overrides', 'staff_points', 'kept_marks', 'calendar_links'])
      expect(
        await env.DB.prepare(`select count(*) as n from ${table} where user_id = ?`)
          .bind(student.id)
          .first('n'),
        table,
      ).toBe(0)
    expect((await details()).map(({ detail }) => detail === '{}')).toEqual([true, true, false])
  })

  test('erasing removes a name from what staff did to marks; marks that an erased assistant set stay [PR2]', async () => {
    const { course, student, ta, teacher } = await createCourse()
    const admin = await createPerson(0)
    const staying = await createPerson(2)
    const [gone, kept] = [
      { username: student.username.toUpperCase() },
      { username: staying.username },
    ]
    const details = [gone, kept, gone, { columnId: 1 }]
    for (const [index, detail] of details.entries())
      await runSql`insert into audit_entries (created_at, actor_id, action, subject, detail, ip)
        values (${index}, ${teacher.id}, ${index === 2 ? 'mark.hold' : 'mark.set'}, ${course}, ${JSON.stringify(detail)}, '')`
    await runSql`insert into mark_settings (column_id, user_id, hundredths, reason, setter_id, set_at)
      select g.id, ${staying.id}, 100, 'fine', ${ta.id}, 1
      from gradebook_columns g join courses c on c.id = g.course_id where c.name = ${course}`
    for (const { username } of [student, ta])
      expect((await admin.delete(`/user/${username}`)).status).toBe(200)
    const entries = await allRows<{ detail: string }>`
      select detail from audit_entries where subject = ${course} and action glob 'mark*' order by id`
    expect(entries.map(({ detail }) => JSON.parse(detail))).toEqual([{}, kept, {}, { columnId: 1 }])
    expect(
      await firstValue`select username from users join mark_settings on setter_id = users.id
      where user_id = ${staying.id}`,
    ).toBe(`*${ta.id}`)
  })

  test('the export holds all that is known about a person, their code included [PR2]', async () => {
    const { problemId, student, course } = await createProblem()
    const codes = ['int main(){}', 'int main(){ return 0; }', '// π\nint main(){}']
    for (const code of codes) await submit(student, problemId, code)
    const run = { languageType: 0, code: codes[2], inputs: ['1'] }
    await student.post(`/problem/${problemId}/run`, run)
    const token = (await student.post('/auth/tokens', { name: 'ci', scopes: ['read', 'submit'] }))
      .data
    const answer = await student.get('/auth/me/export')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Disposition')).toContain('attachment')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    // A tag of the content would hold the whole answer back until its end.
    expect(answer.headers.get('ETag')).toBeNull()
    expect(answer.data).toMatchObject({
      account: { username: student.username, email: `${student.username}@example.test` },
      memberships: [{ course, role: 'student' }],
      tokens: [{ name: 'ci' }],
      sessions: [{ ipAddr: '127.0.0.1' }],
      sampleRun: { problemId, code: codes[2], inputs: [{ input: '1', expected: null }] },
    })
    expect(answer.data.submissions.map((row: { code: string }) => row.code)).toEqual(codes)
    expect(answer.data.actions.map((row: { action: string }) => row.action)).toContain(
      'token.create',
    )
    const text = JSON.stringify(answer.data)
    expect(text).not.toContain(token.token)
    expect(text).not.toMatch(/scrypt|[0-9a-f]{64}/)
    expect((await call('GET', '/auth/me/export', { token: token.token })).code).toBe('token_scope')
  })

  test('an export is in the audit log before any of the data is read, a refused one is not [PR1]', async () => {
    const { student } = await createCourse()
    const { trips } = await recordCall('GET', '/auth/me/export', { as: student })
    const order = countedTrips(trips).map((statements) => statements.join())
    expect(order[0]).toContain('audit_entries')
    expect(order[0]).not.toContain('login_records')
    expect(order[1]).toContain('login_records')
    const exports = () =>
      firstValue`select count(*) n from audit_entries where action = 'user.export'
        and actor_id = ${student.id}`
    expect(await exports()).toBe(1)
    await runSql`update rate_limits set full_at_ms = ${Date.now() + 1e10}
      where key = ${`export:user:${student.id}`}`
    expect((await student.get('/auth/me/export')).status).toBe(429)
    expect(await exports()).toBe(1)
  })

  test('an export of many submissions is whole [PR2]', async () => {
    const { problemId, student } = await createProblem()
    const first = await submit(student, problemId)
    await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at)
       select printf('%024x', value), problem_id, course_id, user_id, 0, 0, 0, '', created_at
       from submissions, json_each(${numbersBelow(299)}) where submissions.id = ${first}`
    const answer = await student.get('/auth/me/export')
    const ids = answer.data.submissions.map((row: { submissionId: string }) => row.submissionId)
    expect(new Set(ids).size).toBe(300)
    expect(ids).toHaveLength(300)
  })

  test('an export that fails half way does not look finished', async () => {
    const { problemId, student } = await createProblem()
    const submissionId = await submit(student, problemId)
    // The database would never store such code: reading it fails after the answer has begun.
    await runSql`update submission_sources set code = 5 where submission_id = ${submissionId}`
    const answer = await fetchApi('GET', '/auth/me/export', { as: student })
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })
})
