/** What one person may write, and how much source code hand in. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { SOURCE_LIMIT_BYTES } from '../../../worker/contract/limits.ts'
import { app } from '../../../worker/app.ts'
import { CONCURRENCY, limitConcurrency } from '../../../worker/lib/concurrency.ts'
import { sha256Hex } from '../../../worker/lib/ids.ts'
import { SOURCE_BUDGET } from '../../../worker/features/submissions/target-queries.ts'
import { WRITE_LIMITS } from '../../../worker/db/write-limits.ts'
import { leaveTokens, refilledSince, useUp } from '../support/buckets.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  createProblem,
  PASSWORD,
  requestOf,
  submit,
  type Person,
} from '../support/world.ts'

/** Saves a profile. */
function save(as: Person, bio: string) {
  return as.post('/profile', { bio })
}

test('all that one person writes is under one limit, whichever call and credential; reading is not', async () => {
  const [person, other] = await createPeople(2, 2)
  const form = { name: 'ci', scopes: ['read', 'manage'] }
  const { token } = (await person.post('/auth/tokens', form)).data
  await leaveTokens(`write:user:${person.id}`, WRITE_LIMITS.perStudent, 3)
  const start = Date.now()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? save(person, `edit ${index}`)
        : call('POST', '/profile', { token, json: { bio: `edit ${index}` } }),
    ),
  )
  const taken = answers.filter(({ status }) => status === 200)
  expect(taken.length).toBeLessThanOrEqual(3 + refilledSince(start, WRITE_LIMITS.perStudent))
  await useUp(`write:user:${person.id}`, WRITE_LIMITS.perStudent)
  const refused = await save(person, 'one more')
  expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await person.delete('/auth/sessions/000000000000000000000000')).status).toBe(429)
  expect((await person.get('/auth/me')).status).toBe(200)
  expect((await person.delete('/auth/session')).status).toBe(200)
  expect((await save(other, 'not concerned')).status).toBe(200)
})

/** Lets calls of a caller be at work, or wait for those that are, until they are ended, however long the test takes. */
function occupy(caller: string, calls: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = (expireIn: (ms: number) => void) => {
    expireIn(Infinity)
    return promise
  }
  const all = Array.from({ length: calls }, () => limitConcurrency(caller, work))
  return async () => {
    resolve()
    await Promise.all(all)
  }
}

/** The line of a person's session. */
function sessionLine(person: Person): Promise<string> {
  return sha256Hex(person.cookie.replace('__Host-session=', ''))
}

test('few calls of a session that write are at work at once; what reads, uploads or is of others is not held up', async () => {
  const [person, other] = await createPeople(2, 2)
  const end = occupy(await sessionLine(person), CONCURRENCY.perCaller)
  let isSaved = false
  const saving = save(person, 'a fifth').finally(() => {
    isSaved = true
  })
  expect((await person.get('/auth/me')).status).toBe(200)
  const part = { as: person, body: 'bytes' }
  expect((await call('PUT', '/problem/1/test-case-upload/abc/1', part)).status).toBe(404)
  expect((await save(other, 'not concerned')).status).toBe(200)
  expect(isSaved).toBe(false)
  await end()
  expect((await saving).status).toBe(200)
})

test('all sessions of a person share them', async () => {
  const [person, other] = await createPeople(2, 2)
  const again = await call('POST', '/auth/session', {
    json: { username: person.username, password: PASSWORD },
  })
  const end = occupy(`user:${person.id}`, CONCURRENCY.perCaller)
  let isSaved = false
  const saving = save(person.withSessionOf(again), 'a fifth').finally(() => {
    isSaved = true
  })
  expect((await save(other, 'not concerned')).status).toBe(200)
  expect((await person.get('/auth/me')).status).toBe(200)
  expect(isSaved).toBe(false)
  await end()
  expect((await saving).status).toBe(200)
})

test('two reads of a person that look through much are at work at once; what writes waits for none of them', async () => {
  const [student, other] = await createPeople(2, 2)
  const line = `reads:${student.id}`
  const endFirst = occupy(line, 1)
  expect((await student.get('/submission')).status).toBe(200)
  const endSecond = occupy(line, 1)
  let read = 0
  const reads = Array.from({ length: CONCURRENCY.perCaller + 1 }, () =>
    student.get('/submission').finally(() => {
      read += 1
    }),
  )
  expect((await save(student, 'meanwhile')).status).toBe(200)
  expect((await student.get('/auth/me')).status).toBe(200)
  expect((await other.get('/submission')).status).toBe(200)
  expect(read).toBe(0)
  await Promise.all([endFirst(), endSecond()])
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
})

test('a read that looks through much gives its place back though its caller hangs up: it goes on to its end', async () => {
  const student = await createPerson(2)
  const tasksOf = async (path: string) => {
    const context = createExecutionContext()
    const waitUntil = vi.spyOn(context, 'waitUntil')
    expect((await app.fetch(requestOf('GET', path, { as: student }), env, context)).status).toBe(
      200,
    )
    await waitOnExecutionContext(context)
    return waitUntil.mock.calls.length
  }
  expect(await tasksOf('/submission')).toBe(1)
  expect(await tasksOf('/auth/me')).toBe(0)
})

test('who signs out while a call waits for others has not made it', async () => {
  const person = await createPerson(2)
  const end = occupy(`user:${person.id}`, CONCURRENCY.perCaller)
  const saving = save(person, 'too late')
  await vi.waitFor(async () => {
    expect(
      await firstValue`select count(*) n from rate_limits where key = ${`write:user:${person.id}`}`,
    ).toBe(1)
  })
  await runSql`delete from sessions where user_id = ${person.id}`
  await end()
  expect((await saving).status).toBe(401)
})

test('a session with many calls that wait is told when to come again', async () => {
  const person = await createPerson(2)
  const end = occupy(await sessionLine(person), CONCURRENCY.perCaller + CONCURRENCY.waiting)
  const refused = await save(person, 'one too many')
  expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(refused.headers.get('Retry-After')).toBe('1')
  await end()
  expect((await save(person, 'later')).status).toBe(200)
})

test('signing in rightly takes of it as well, and wrong guesses of others do not', async () => {
  const person = await createPerson(2)
  const key = `write:user:${person.id}`
  const signIn = (password: string) =>
    call('POST', '/auth/session', { json: { username: person.username, password } })
  const written = async () =>
    firstRow`select (select count(*) from sessions
      where user_id = ${person.id}) sessions, count(*) n from login_records where user_id = ${person.id}`
  await useUp(key, WRITE_LIMITS.perStudent)
  const before = await written()
  const refused = await signIn(PASSWORD)
  expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(await written()).toEqual(before)
  await leaveTokens(key, WRITE_LIMITS.perStudent, 30)
  const fullAt = env.DB.prepare('select full_at_ms from rate_limits where key = ?').bind(key)
  const left = await fullAt.first()
  for (let guess = 0; guess < 3; guess += 1)
    expect((await signIn('a wrong guess')).code).toBe('login_failed')
  expect(await fullAt.first()).toEqual(left)
  expect((await signIn(PASSWORD)).status).toBe(200)
  expect(await fullAt.first()).not.toEqual(left)
})

test('staff of any course may write as much as test data in parts need', async () => {
  const { teacher, ta, student } = await createCourse()
  for (const person of [teacher, ta, student]) {
    await leaveTokens(`write:user:${person.id}`, WRITE_LIMITS.perStudent, -150)
    expect((await save(person, 'edit')).status).toBe(person === student ? 429 : 200)
  }
  // 1 GiB in the smallest parts, and the calls around it.
  expect(WRITE_LIMITS.perStaff.burst).toBeGreaterThan(1024 / 5 + 20)
})

test('what a student hands in has a limit of its own, what staff hand in counts with all that they write', async () => {
  const { student, ta, problemId } = await createProblem()
  for (const person of [student, ta]) await useUp(`write:user:${person.id}`, WRITE_LIMITS.perStaff)
  await submit(student, problemId)
  const json = { problemId, languageType: 0, code: 'int main() {}' }
  const refused = await ta.post('/submission', json)
  expect(refused).toMatchObject({ status: 429, code: 'too_many_submissions' })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  const nowhere = { ...json, problemId: 999_999 }
  // Nobody asks for problems that are not there without end.
  expect((await student.post('/submission', nowhere)).code).toBe('too_many_submissions')
  await leaveTokens(`write:user:${student.id}`, WRITE_LIMITS.perStaff, 1)
  expect((await student.post('/submission', nowhere)).code).toBe('problem_not_found')
  expect((await student.post('/submission', nowhere)).code).toBe('too_many_submissions')
})

test('code that comes again with its Idempotency-Key takes of no limit, a student’s or of staff', async () => {
  const { student, ta, problemId } = await createProblem()
  const json = { problemId, languageType: 0, code: 'int main() {}' }
  for (const person of [student, ta]) {
    const handIn = () => person.post('/submission', json, { 'Idempotency-Key': 'press-1' })
    const left = () =>
      allRows`select key, full_at_ms from rate_limits where key like ${`%:user:${person.id}`} order by key`
    const { submissionId } = (await handIn()).data
    const before = await left()
    expect(before.length).toBeGreaterThan(0)
    expect((await handIn()).data).toMatchObject({ submissionId })
    expect(await left()).toEqual(before)
  }
})

test('saving a profile as it is writes nothing', async () => {
  const person = await createPerson(2)
  const entries = () =>
    firstValue`select count(*) n from audit_entries where actor_id = ${person.id}
      and action = 'user.profile'`
  await save(person, 'about me')
  for (let count = 0; count < 3; count += 1)
    expect((await save(person, 'about me')).status).toBe(200)
  expect(await entries()).toBe(1)
  await save(person, 'about me again')
  expect(await entries()).toBe(2)
})

test('a student hands in so much source code a day, in one step or two; staff go on', async () => {
  const { student, ta, problemId } = await createProblem()
  const key = `source:user:${student.id}`
  const json = { problemId, languageType: 0 }
  await leaveTokens(key, SOURCE_BUDGET, SOURCE_LIMIT_BYTES + 100)
  await submit(student, problemId, 'x'.repeat(SOURCE_LIMIT_BYTES))
  const code = 'x'.repeat(SOURCE_LIMIT_BYTES / 2)
  const refused = await student.post('/submission', { ...json, code })
  expect(refused).toMatchObject({ status: 429, code: 'too_much_source' })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(60)
  const { submissionId } = (await student.post('/submission', json)).data
  const body = new FormData()
  body.set('code', new File([code], 'main.c'))
  const second = await call('PUT', `/submission/${submissionId}`, { as: student, body })
  expect(second).toMatchObject({ status: 429, code: 'too_much_source' })
  await leaveTokens(key, SOURCE_BUDGET, SOURCE_LIMIT_BYTES)
  const again = new FormData()
  again.set('code', new File([code], 'main.c'))
  expect(
    (await call('PUT', `/submission/${submissionId}`, { as: student, body: again })).status,
  ).toBe(200)
  await useUp(`source:user:${ta.id}`, SOURCE_BUDGET)
  await submit(ta, problemId, code)
  const dayMs = SOURCE_BUDGET.intervalMs * SOURCE_BUDGET.burst
  expect(dayMs).toBe(86_400_000)
})
