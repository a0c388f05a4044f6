/** Batch sign-up: files as people write them, stored in parts. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { FieldError } from '#contract/errors'
import { openDb } from '../../../worker/db/client.ts'
import { storeSignup } from '../../../worker/features/auth/sign-up/batch-signup-queries.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  createCourse,
  createPeople,
  createPerson,
  signIn,
  uniqueName,
  type Answer,
  type Person,
} from '../support/world.ts'

/** A CSV file with new names `<mark>-<index>`. */
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

describe('a file', () => {
  test('of 5,000 rows is judged whole, and rows equal but for case are told apart by line [IV6]', async () => {
    const admin = await createPerson(0)
    const mark = uniqueName('u')
    const lines = csvOf(mark, 5_000).split('\n')
    lines[4_000] = `${mark.toUpperCase()}-7,long enough,other@example.test`
    lines[4_500] = `bad name,long enough,bad@example.test`
    const before = await countUsers()
    const options = { uppercase: true }
    const refused = await upload(admin, lines.join('\r\n'), { ...options, dryRun: true })
    expect(refused).toMatchObject({ status: 200, data: { created: 0 } })
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
    // An admin made this account and nobody has used it, so its owner has confirmed nothing yet.
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
    await db.batch(storeSignup(db, [write], origin))
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

describe('a file whose names somebody else takes while its passwords are hashed', () => {
  test('is refused whole, each row that lost named by its line', async () => {
    const [one, other] = [await createCourse(), await createCourse()]
    const mark = uniqueName('quick')
    const before = await countUsers()
    // The server checks both before it stores either, because it hashes passwords in between.
    const answers = await Promise.all([
      upload(one.teacher, csvOf(mark, 3), { course: one.course }),
      upload(other.teacher, csvOf(mark, 2), { course: other.course }),
    ])
    expect(await countUsers()).toBe(before + (answers[0]?.status === 200 ? 3 : 2))
    const [lost] = answers.filter(({ status }) => status !== 200)
    expect(lost).toMatchObject({ status: 400, code: 'bad_csv', data: { created: 0 } })
    const named = lost?.data.rows.filter((row: { action: string }) => row.action === 'error')
    expect(named).toMatchObject([
      { line: 2, username: `${mark}-0`, faults: [{ path: ['username'], code: 'unconfirmed' }] },
      { line: 3, username: `${mark}-1`, faults: [{ path: ['username'], code: 'unconfirmed' }] },
    ])
  })

  test('has nothing to do where another tab of the same person has stored it', async () => {
    const { course, teacher } = await createCourse()
    const csv = csvOf(uniqueName('tabs'), 3)
    const before = await countUsers()
    const answers = await Promise.all([1, 2].map(() => upload(teacher, csv, { course })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const counts = answers.map(({ data: { created, unchanged } }) => [created, unchanged])
    expect(counts.toSorted()).toEqual([
      [0, 3],
      [3, 0],
    ])
    expect(await countUsers()).toBe(before + 3)
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

describe('a large file', () => {
  test('is stored in parts of 50 rows; after a break it goes on, for rows that are in do nothing', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('part')
    const rows = Array.from(
      { length: 55 },
      (_, index) => `${mark}-${index},${mark}-${index}@x.test`,
    )
    const send = (sent: string[], options = {}) =>
      upload(teacher, ['username,email', ...sent].join('\n'), {
        course,
        mailLinks: true,
        ...options,
      })
    const before = await countUsers()
    expect((await send(rows, { dryRun: true })).data.created).toBe(55)
    for (const most of [51, 55]) {
      const refused = await send(rows.slice(0, most))
      expect(refused).toMatchObject({ status: 400, data: [{ code: 'too_many_rows' }] })
      expect(refused.data[0].message).toContain('parts of 50 rows')
    }
    expect(await countUsers()).toBe(before)
    const first = await send(rows.slice(0, 50))
    expect(first).toMatchObject({ status: 200, data: { created: 50, rows: { length: 50 } } })
    expect((await send(rows, { dryRun: true })).data).toMatchObject({ created: 5, unchanged: 50 })
    expect((await send(rows.slice(45))).data).toMatchObject({ created: 5, unchanged: 5 })
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(56)
  })

  test('whose sender has lost the right midway stores no further part', async () => {
    const [{ course, teacher }, admin] = [await createCourse(), await createPerson(0)]
    const mark = uniqueName('lost')
    await upload(teacher, csvOf(mark, 1), { course })
    await runSql`update courses set teacher_id = ${admin.id} where name = ${course}`
    const before = await countUsers()
    expect((await upload(teacher, csvOf(`${mark}x`, 1), { course })).status).toBe(404)
    expect(await countUsers()).toBe(before)
  })

  test('gives no role when its sender is no admin any more once the passwords are hashed', async () => {
    const teacher = await createPerson(1)
    const row = { displayedName: null, role: 0 as const, passwordHash: 'hash' }
    const [made, known] = [uniqueName('made'), await createPerson(2)]
    const writes = [
      { ...row, action: 'create' as const, username: made, email: `${made}@x.test` },
      { ...row, action: 'update' as const, username: known.username, email: 'k@x.test' },
    ]
    const origin = { actorId: teacher.id, course: null, ip: '', now: 1 }
    await openDb(env.DB).batch(storeSignup(openDb(env.DB), writes, origin))
    for (const name of [made, known.username])
      expect(await firstValue`select role from users where username = ${name}`).toBe(2)
  })
})
