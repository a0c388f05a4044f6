/** Batch sign-up: files as people make them, large ones in the background. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { FieldError } from '#contract/errors'
import { openDb } from '../../../worker/db/client.ts'
import { storeSignup } from '../../../worker/features/auth/sign-up/batch-signup-queries.ts'
import { finishOperations } from '../support/step-queue.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  createCourse,
  createPeople,
  createPerson,
  PASSWORD,
  signIn,
  uniqueName,
  type Answer,
  type Person,
} from '../support/world.ts'

/** CSV of rows with fresh names: `<mark>-<index>`. */
function csvOf(mark: string, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const name = `${mark}-${index}`
    return `${name},words of ${name},${name}@example.test`
  })
  return ['username,password,email', ...rows].join('\n')
}

/** Sends a file. */
function upload(as: Person, newUsers: string, options: object = {}) {
  return as.post('/auth/batch-signup', { newUsers, ...options })
}

/** How many accounts there are. */
async function countUsers(): Promise<number> {
  const row = await firstRow<{ n: number }>`select count(*) n from users`
  return row?.n ?? 0
}

/** Hashing takes time: pretends that the first rows of a job are done, with the password of all test people. */
async function skipHashing(jobId: string, count: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `insert into signup_hashes (operation_id, position, password_hash)
       select ?, value, (select password_hash from users where password_hash like '%AAAAAAAAAAAAAAAAAAAAAA$%' limit 1)
       from json_each(?)`,
    ).bind(jobId, JSON.stringify(Array.from({ length: count }, (_, index) => index))),
    env.DB.prepare('update operations set done = ? where id = ?').bind(count, jobId),
  ])
}

describe('a file', () => {
  test('of 5,000 rows is judged whole, and rows equal but for case are told apart by line [IV6]', async () => {
    const admin = await createPerson(0)
    const mark = uniqueName('u')
    const lines = csvOf(mark, 5_000).split('\n')
    lines[4_000] = `${mark.toUpperCase()}-7,long enough,other@example.test`
    lines[4_500] = `bad name,long enough,bad@example.test`
    const before = await countUsers()
    const options = { uppercase: true }
    const refused = await upload(admin, lines.join('\r\n'), options)
    expect(refused).toMatchObject({ status: 400, code: 'bad_csv' })
    const bad = refused.data.rows.filter((row: { action: string }) => row.action === 'error')
    expect(bad).toEqual([
      {
        line: 4_001,
        username: `${mark.toUpperCase()}-7`,
        action: 'error',
        errors: ['username: occurs twice in this file'],
        faults: [
          { path: ['username'], code: 'twice_in_file', message: 'occurs twice in this file' },
        ],
      },
      {
        line: 4_501,
        username: 'bad name',
        action: 'error',
        errors: ['username: Value is not valid'],
        faults: [{ path: ['username'], code: 'invalid', message: 'Value is not valid' }],
      },
    ])
    expect(await countUsers()).toBe(before)
    const good = await upload(admin, `\u{feff}${csvOf(mark, 5_000).replaceAll('\n', '\r\n')}\r\n`, {
      ...options,
      dryRun: true,
    })
    expect(good.data).toMatchObject({ created: 5_000, rows: { length: 5_000 } })
    expect(good.data.rows[0].username).toBe(`${mark}-0`.toUpperCase())
  })

  test('with names that exist in another case finds them, and uppercase keeps them one [IV6]', async () => {
    const [admin, person] = await createPeople(0, 2)
    const csv = `username,password,email\n${person.username},,${person.username}@example.test`
    const answer = await upload(admin, csv, { uppercase: true })
    expect(answer.data).toMatchObject({ created: 0, unchanged: 1 })
  })

  test('with line breaks inside quotes names the line a row starts on', async () => {
    const admin = await createPerson(0)
    const csv = [
      'username,password,email,note',
      'a-line,long enough,a-line@example.test,"two\nlines"',
      '',
      'b line,long enough,b-line@example.test,x',
    ].join('\n')
    const answer = await upload(admin, csv, { dryRun: true })
    expect(answer.data.rows).toMatchObject([
      { line: 2, action: 'create' },
      { line: 5, action: 'error' },
    ])
  })

  test('with common passwords, too few fields or an open quote is refused by row', async () => {
    const admin = await createPerson(0)
    const csv = [
      'username,password,email',
      'c-one,password1,c-one@example.test',
      'c-two,long enough',
      'c-three,"long enough,c-three@example.test',
    ].join('\n')
    const answer = await upload(admin, csv)
    expect(answer.status).toBe(400)
    expect(new Set(answer.data.rows.map((row: { line: number }) => row.line))).toEqual(
      new Set([2, 3, 4]),
    )
    expect(answer.data.rows[0].errors[0]).toMatch(/^password: .*common/)
    const headless = await upload(admin, '"user"name,password,email\nx,long enough,y@example.test')
    expect(headless.data.rows).toMatchObject([{ line: 1, faults: [{ code: 'unreadable_row' }] }])
    const faulty = await upload(admin, `username,password,email\n${'x\n'.repeat(5_001)}`)
    expect(faulty.data).toMatchObject([{ path: ['newUsers'], code: 'max_length' }])
    expect((await upload(admin, 'username,password,email\n')).data[0].code).toBe('required')
    expect((await upload(admin, 'username,email\nx,y@example.test')).data[0].code).toBe('header')
  })
})

describe('a forced update', () => {
  test('keeps what its file leaves out, and a new password or role ends sessions', async () => {
    const [admin, teacher, student] = await createPeople(0, 1, 2)
    const row = (person: Person, rest: string) => `${person.username},${rest}`
    const csv = [
      'username,password,email,role',
      row(teacher, `,${teacher.username}@new.example.test,`),
      row(student, `given words,${student.username}@example.test,teacher`),
    ].join('\n')
    expect((await upload(admin, csv, { force: true })).data).toMatchObject({ updated: 2 })
    expect((await teacher.get('/auth/me')).data).toMatchObject({
      role: 1,
      displayedName: `The ${teacher.username}`,
      email: `${teacher.username}@new.example.test`,
    })
    expect((await student.get('/auth/me')).status).toBe(401)
    const login = await signIn(student.username, 'given words')
    expect(login.status).toBe(200)
    const demotion = `username,password,email,role\n${row(admin, `,${admin.username}@example.test,student`)}`
    expect((await upload(admin, demotion, { force: true })).code).toBe('bad_csv')
  })

  test('with a password opens no account that an admin closed', async () => {
    const [admin, person] = await createPeople(0, 2)
    await admin.patch(`/user/${person.username}`, { active: false })
    const csv = `username,password,email\n${person.username},given words,${person.username}@example.test`
    expect((await upload(admin, csv, { force: true })).data).toMatchObject({ updated: 1 })
    expect((await signIn(person.username, 'given words')).status).toBe(403)
  })

  test('by a teacher meets only accounts that the course has made and nobody has opened', async () => {
    const { course, teacher, student } = await createCourse()
    const { course: other, teacher: colleague } = await createCourse()
    const addressOf = (username: string) => `${username}@example.test`
    const force = (username: string, password: string, email = addressOf(username)) => {
      const csv = `username,password,email\n${username},${password},${email}`
      return upload(teacher, csv, { course, force: true })
    }
    const faults = (answer: Answer) =>
      answer.data.rows[0].faults.map(({ code }: FieldError) => code)
    const own = uniqueName('own')
    expect((await force(own, 'first words')).data).toMatchObject({ created: 1 })
    expect((await force(own, 'given words')).data).toMatchObject({ updated: 1 })
    expect(faults(await force(own, 'given words', 'another@example.test'))).toEqual([
      'email_differs',
    ])
    expect((await signIn(own, 'given words')).status).toBe(200)
    expect(faults(await force(own, 'taken over'))).toEqual(['has_signed_in'])
    const [moved, address] = [uniqueName('moved'), 'right@example.test']
    await force(moved, 'first words')
    const csv = `username,password,email\n${moved},,${address}`
    expect((await upload(await createPerson(0), csv, { force: true })).data).toMatchObject({
      updated: 1,
    })
    expect(faults(await force(moved, 'taken over', address))).toEqual(['not_made_here'])
    // An admin has made this one, and nobody has opened it: its owner has confirmed nothing yet.
    await runSql`update users set email_confirmed_at = null where id = ${student.id}`
    expect(faults(await force(student.username, 'taken over'))).toEqual(['not_made_here'])
    const shared = await createPerson(2)
    for (const [as, name] of [
      [teacher, course],
      [colleague, other],
    ] as const)
      await as.patch(`/course/${name}/members`, {
        add: [{ user: shared.username, role: 'student' }],
      })
    expect(faults(await force(shared.username, 'taken over'))).toEqual(['student_elsewhere'])
    expect((await shared.get('/auth/me')).status).toBe(200)
  })

  test('by a teacher spares who is no student any more when it is stored', async () => {
    const { course, teacher, student } = await createCourse()
    const write = {
      action: 'update' as const,
      username: student.username,
      email: 'taken-over@example.test',
      displayedName: null,
      role: null,
      passwordHash: 'another',
    }
    const db = openDb(env.DB)
    const origin = { actorId: teacher.id, course, ip: '', now: 1 }
    await runSql`update users set role = 1 where id = ${student.id}`
    await db.batch(storeSignup(db, [write], origin, sql`1`))
    expect((await student.get('/auth/me')).data.email).toBe(`${student.username}@example.test`)
  })

  test('with another e-mail ends the link that went to the old one, and nothing else', async () => {
    const [admin, person] = await createPeople(0, 2)
    await runSql`insert into account_links (user_id, purpose, token_hash, expires_at)
      values (${person.id}, 'reset', ${person.username}, 99999999999)`
    const links = () =>
      firstValue`select count(*) n from account_links where user_id = ${person.id}`
    const csv = (email: string) => `username,password,email\n${person.username},,${email}`
    await upload(admin, csv(`${person.username}@example.test`), { force: true })
    expect(await links()).toBe(1)
    await upload(admin, csv(`${person.username}@new.example.test`), { force: true })
    expect(await links()).toBe(0)
    expect((await person.get('/auth/me')).status).toBe(200)
  })
})

describe('a file whose names somebody else takes while it is stored', () => {
  test('is refused whole, each row that lost named by its line', async () => {
    const admin = await createPerson(0)
    const mark = uniqueName('quick')
    const before = await countUsers()
    // Both are checked before either is stored: hashing lies between.
    const answers = await Promise.all([
      upload(admin, csvOf(mark, 3)),
      upload(admin, csvOf(mark, 2).replaceAll(`,${mark}-1@`, ',another@')),
    ])
    expect(await countUsers()).toBe(before + (answers[0]?.status === 200 ? 3 : 2))
    const [lost] = answers.filter(({ status }) => status !== 200)
    expect(lost).toMatchObject({ status: 409, code: 'signup_failed' })
    expect(lost?.data.rows).toEqual([
      expect.objectContaining({
        line: 2,
        username: `${mark}-0`,
        action: 'error',
        errors: expect.arrayContaining(['username: was taken in the meantime']),
      }),
      expect.objectContaining({ line: 3, username: `${mark}-1` }),
    ])
  })
})

test('enrolling from a file is an edit of the course: a change of members on an older read is stale', async () => {
  const { course, teacher, student } = await createCourse()
  const path = `/course/${course}`
  const tag = (await teacher.get(path)).headers.get('ETag') ?? ''
  const fresh = await createPerson(2)
  const csv = `username,password,email\n${fresh.username},,${fresh.username}@example.test`
  expect((await upload(teacher, csv, { course })).data).toMatchObject({ enrolled: 1 })
  const lists = { TAs: [], students: [student.username] }
  const headers = { 'If-Match': tag }
  expect((await teacher.put(path, lists, headers)).code).toBe('stale_edit')
  const { students } = (await teacher.get(path)).data
  expect(students).toHaveLength(2)
})

describe('more than 50 new passwords', () => {
  test('are a job that creates all accounts at its end; until then none exists and no password is stored', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('job')
    const before = await countUsers()
    const started = await upload(teacher, csvOf(mark, 52), { course })
    expect(started).toMatchObject({ status: 202, data: { done: 0, total: 52 } })
    const { jobId } = started.data
    const poll = (as = teacher) => as.get(`/auth/batch-signup/${jobId}`)
    expect(await poll()).toMatchObject({ status: 202, data: { jobId, done: 0, total: 52 } })
    expect((await poll(await createPerson(0))).status).toBe(404)
    const object = await env.BUCKET.get(`signups/${jobId}`)
    expect(await object?.text()).not.toContain('words of')
    for (const table of ['operations', 'audit_entries', 'signup_hashes'])
      expect(
        JSON.stringify((await env.DB.prepare(`select * from ${table}`).all()).results),
      ).not.toContain('words of')
    expect(await countUsers()).toBe(before + 1)
    await skipHashing(jobId, 45)
    expect((await poll()).data.done).toBe(45)
    await finishOperations(jobId)
    const done = await poll()
    expect(done).toMatchObject({
      status: 200,
      data: { created: 52, enrolled: 0, rows: { length: 52 } },
    })
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(53)
    for (const [index, password] of [
      [44, PASSWORD],
      [45, `words of ${mark}-45`],
      [51, `words of ${mark}-51`],
    ] as const)
      expect((await signIn(`${mark}-${index}`, password)).message).toBe('Login Success')
    expect(await env.BUCKET.get(`signups/${jobId}`)).toBeNull()
    const left = await firstRow`select payload from operations where id = ${jobId}`
    expect(left).toEqual({ payload: '{}' })
    expect(await firstRow`select count(*) n from signup_hashes`).toEqual({ n: 0 })
  })

  test('of 5,000 people are all there at its end [IV6]', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('year')
    const before = await countUsers()
    const { jobId } = (await upload(teacher, csvOf(mark, 5_000), { course })).data
    await skipHashing(jobId, 5_000)
    expect(await countUsers()).toBe(before)
    await finishOperations(jobId)
    const done = await teacher.get(`/auth/batch-signup/${jobId}`)
    expect(done).toMatchObject({ status: 200, data: { created: 5_000, rows: { length: 5_000 } } })
    expect(await countUsers()).toBe(before + 5_000)
    const enrolled = await firstValue`select count(*) n from memberships m
      join courses c on c.id = m.course_id join users u on u.id = m.user_id
      where c.name = ${course} and u.username glob ${`${mark}-*`}`
    expect(enrolled).toBe(5_000)
  })

  type Meanwhile = (course: string, admin: Person, teacher: Person) => Promise<unknown>
  const noMore: [string, Meanwhile][] = [
    [
      'is not its teacher any more',
      (course, admin) => admin.put('/course', { course, teacher: admin.username }),
    ],
    [
      'finds it renamed',
      (course, admin) => admin.put('/course', { course, newCourse: uniqueName('New ') }),
    ],
    ['finds it deleted', (course, admin) => admin.delete('/course', { course })],
    [
      'finds another one under its name',
      async (course, admin, teacher) => {
        await admin.put('/course', { course, newCourse: uniqueName('New ') })
        await teacher.post('/course', { course, teacher: teacher.username })
      },
    ],
  ]

  /** Starts a large sign-up, does something, lets the sign-up end, and expects that nothing was stored. */
  async function expectNothing(as: Person, csv: string, course: string, change: () => unknown) {
    const { jobId } = (await upload(as, csv, { course })).data
    await change()
    const before = await countUsers()
    await skipHashing(jobId, 51)
    await finishOperations(jobId)
    const failed = await as.get(`/auth/batch-signup/${jobId}`)
    expect(failed).toMatchObject({ status: 409, code: 'signup_failed' })
    expect(failed.data.error).toContain(`“${course}” was renamed or deleted`)
    expect(await countUsers()).toBe(before)
    expect(await env.BUCKET.get(`signups/${jobId}`)).toBeNull()
    expect(await firstRow`select count(*) n from signup_hashes`).toEqual({ n: 0 })
  }

  test.each(noMore)('store nothing for a course when its sender %s', async (_, change) => {
    const [{ course, teacher }, admin] = [await createCourse(), await createPerson(0)]
    const csv = csvOf(uniqueName('late'), 51)
    await expectNothing(teacher, csv, course, () => change(course, admin, teacher))
  })

  test('give no role that their sender may not give any more', async () => {
    const [{ course }, admin] = [await createCourse(), await createPerson(0)]
    const give = () => runSql`update courses set teacher_id = ${admin.id} where name = ${course}`
    await give()
    const [header = '', first = '', ...rows] = csvOf(uniqueName('high'), 51).split('\n')
    const csv = [`${header},role`, `${first},admin`, ...rows.map((row) => `${row},`)].join('\n')
    await expectNothing(
      admin,
      csv,
      course,
      () => runSql`update users set role = 1 where id = ${admin.id}`,
    )
  })

  test('store nothing when one of the names is taken before the end', async () => {
    const admin = await createPerson(0)
    const mark = uniqueName('race')
    const { jobId } = (await upload(admin, csvOf(mark, 51))).data
    await admin.post('/user', {
      username: `${mark}-50`,
      email: 'first@example.test',
      password: 'long enough',
    })
    const before = await countUsers()
    await skipHashing(jobId, 51)
    await finishOperations(jobId)
    const failed = await admin.get(`/auth/batch-signup/${jobId}`)
    expect(failed).toMatchObject({ status: 409, code: 'signup_failed' })
    expect(failed.data.error).toContain('Nothing was stored')
    expect(failed.data.error).toContain(`${mark}-50 (line 52)`)
    expect(await countUsers()).toBe(before)
    expect(await env.BUCKET.get(`signups/${jobId}`)).toBeNull()
  })
})
