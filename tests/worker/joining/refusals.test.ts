/** Who cannot join by a code, and what they are told. */
import { expect, test } from 'vitest'
import { createCode, outcome } from '../support/joining.ts'
import { runSql } from '../support/sql.ts'
import { call, createPerson, createPeople } from '../support/world.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { workerEnv } from '../support/step-queue.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'

test('a code joins a person, however it is typed, and says its course before', async () => {
  const { course, teacher, code, id, join, look, joining, path } = await createCode({ most: 5 })
  const person = await createPerson(2)
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/)
  expect((await look()).data).toEqual({
    course,
    teacher: { username: teacher.username, displayedName: `The ${teacher.username}`, role: 1 },
    role: 'student',
    email: null,
    domains: [],
    approval: false,
    until: null,
    newAccounts: true,
    fault: null,
  })
  const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4, 8)} ${code.slice(8)}`
  expect((await join(person, typed)).data).toEqual({ course, state: 'joined' })
  const { codes, came } = await joining()
  expect(came[person.username]).toEqual({ at: expect.any(Number), codeId: id })
  expect(codes).toMatchObject([{ id, code, joined: 1 }])
  expect((await person.get(path)).status).toBe(200)
})

test('an unknown code, a closed one and one of a deleted course are the same to strangers', async () => {
  const person = await createPerson(2)
  const closed = await createCode()
  await closed.edit({ closed: true })
  const deleted = await createCode()
  await deleted.teacher.delete('/course', { course: deleted.course })
  for (const typed of ['ABCDEFGHJKMN', closed.code, deleted.code]) {
    expect((await closed.look(typed)).code).toBe('join_code_not_found')
    expect(outcome(await closed.join(person, typed))).toBe('join_code_not_found')
  }
  expect((await call('POST', '/join', { json: { code: closed.code } })).status).toBe(401)
})

test('an expired code, a full one and a closed course are told before and when joining', async () => {
  const [person, first] = await createPeople(2, 2)
  const expired = await createCode({ until: nowSeconds() - 1 })
  const full = await createCode({ most: 1 })
  expect(outcome(await full.join(first))).toBe('joined')
  const over = await createCode()
  await runSql`update courses set closed_at = 1 where name = ${over.course}`
  const faults = [
    [expired, 'join_code_expired'],
    [full, 'join_code_full'],
    [over, 'course_closed'],
  ] as const
  for (const [{ look, join }, fault] of faults) {
    expect((await look()).data.fault).toBe(fault)
    expect(outcome(await join(person))).toBe(fault)
  }
  expect(outcome(await (await createCode({ until: nowSeconds() + 60 })).join(person))).toBe(
    'joined',
  )
})

test('teacher, assistants and students are already in, also where the code is over', async () => {
  const { teacher, ta, student, join, joining, edit } = await createCode()
  const before = (await joining()).came
  for (const person of [teacher, ta, student])
    expect(outcome(await join(person))).toBe('already_member')
  const { came, codes } = await joining()
  expect(came).toEqual(before)
  expect(codes[0].joined).toBe(0)
  await edit({ until: 1 })
  expect(outcome(await join(student))).toBe('already_member')
})

test('a code with domains takes confirmed addresses there and at their subdomains', async () => {
  const domains = ['example.edu', 'uni.test']
  const { join, look } = await createCode({ domains })
  const joinAt = async (email: string, emailConfirmed = true) => {
    const person = await createPerson(2, { emailConfirmed })
    await runSql`update users set email = ${person.username} || ${email} where id = ${person.id}`
    return join(person)
  }
  const refused = await joinAt('@example.test')
  expect([refused.status, refused.code, refused.data]).toEqual([403, 'join_domain', { domains }])
  for (const email of ['@notexample.edu', '@example.edu.test', '@edu', '.example.edu@x.test'])
    expect(outcome(await joinAt(email))).toBe('join_domain')
  for (const email of ['@example.edu', '@cs.example.edu', '@uni.test'])
    expect(outcome(await joinAt(email))).toBe('joined')
  expect(outcome(await joinAt('@example.edu', false))).toBe('email_unconfirmed')
  expect((await look()).data.domains).toEqual(domains)
})

test('an unconfirmed account joins the course that made it and no other', async () => {
  const [own, other] = [await createCode(), await createCode()]
  const person = await createPerson(2, { emailConfirmed: false })
  await runSql`update users set confirm_due_at = 9999999999, made_in_course_id =
    (select id from courses where name = ${own.course}) where id = ${person.id}`
  expect(outcome(await other.join(person))).toBe('email_unconfirmed')
  expect(outcome(await own.join(person))).toBe('joined')
})

test('an invitation makes a student an assistant, and asks for a confirmed address', async () => {
  const { id, student, code, join, joining, edit, ta } = await createCode()
  await runSql`update join_codes set role = 'ta', email = 'you@example.test', code = null, most = 1 where id = ${id}`
  const unconfirmed = await createPerson(2, { emailConfirmed: false })
  expect(outcome(await join(unconfirmed))).toBe('email_unconfirmed')
  expect(outcome(await join(ta))).toBe('already_member')
  expect(outcome(await edit({ most: 9 }))).toBe('join_code_not_found')
  expect(outcome(await join(student, code))).toBe('joined')
  expect((await joining()).came[student.username].codeId).toBe(id)
  expect((await edit({ closed: true })).data).toMatchObject({ code: null, role: 'ta', joined: 1 })
})

test('without mail a code has no domains, and one that has takes no new accounts', async () => {
  const { teacher, path, id, code } = await createCode({ domains: ['example.edu'] })
  const bare = { ...workerEnv, MAIL_DRIVER: undefined }
  const tried = async (method: string, to: string, json: unknown) =>
    JSON.parse((await recordCall(method, to, { as: teacher, json }, bare)).text)
  const domains = ['uni.test']
  expect((await tried('POST', `${path}/join-codes`, { domains })).code).toBe('not_configured')
  expect((await tried('PATCH', `${path}/join-codes/${id}`, { domains })).code).toBe(
    'not_configured',
  )
  expect((await tried('POST', '/join/look', { code })).data.newAccounts).toBe(false)
  expect((await tried('POST', `${path}/join-codes`, {})).data.domains).toEqual([])
})
