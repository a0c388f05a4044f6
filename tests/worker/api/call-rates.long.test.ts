/** How often one person, guest or judge host may call: the rates that the platform enforces. */
import { createExecutionContext } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { RATES } from '../../../worker/lib/call-rates.ts'
import { sha256Hex } from '../../../worker/lib/ids.ts'
import { inOneWindow, UNLIMITED, useUpRate } from '../support/rates.ts'
import { firstRow, firstValue } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  createProblem,
  PASSWORD,
  registerRunner,
  requestOf,
  signIn,
  submit,
  type Answer,
  type Person,
} from '../support/world.ts'

function save(as: Person) {
  return as.post('/profile', { bio: 'about me' })
}

/** Expects a refusal that holds until the rate's window ends. */
function expectRefused({ status, code, headers }: Answer, rate: keyof typeof RATES): void {
  expect({ status, code }).toEqual({ status: 429, code: 'too_many_requests' })
  const { windowSeconds } = RATES[rate]
  const leftSeconds = windowSeconds - ((Date.now() / 1_000) % windowSeconds)
  const told = Number(headers.get('Retry-After'))
  expect(told).toBeGreaterThanOrEqual(Math.ceil(leftSeconds))
  // The test may look a little after the answer.
  expect(told).toBeLessThanOrEqual(Math.min(windowSeconds, Math.ceil(leftSeconds) + 2))
}

test('all that one person writes in ten seconds counts together, whichever call and credential; reading does not', async () => {
  const [person, other] = await createPeople(2, 2)
  const form = { name: 'ci', scopes: ['read', 'manage'] }
  const { token } = (await person.post('/auth/tokens', form)).data
  await inOneWindow('write', async () => {
    const left = await useUpRate('write', `user:${person.id}`)
    expect(left).toBeGreaterThan(20)
    expectRefused(await save(person), 'write')
    expectRefused(await call('POST', '/profile', { token, json: { bio: '' } }), 'write')
    expect((await person.delete('/auth/sessions/000000000000000000000000')).status).toBe(429)
    expect((await person.get('/auth/me')).status).toBe(200)
    expect((await save(other)).status).toBe(200)
  })
  expect((await person.delete('/auth/session')).status).toBe(200)
})

test('a call takes one of its rate', async () => {
  const person = await createPerson(2)
  await inOneWindow('write', async () => {
    const all = await useUpRate('write', 'nobody')
    for (let count = 0; count < 3; count += 1) expect((await save(person)).status).toBe(200)
    expect(await useUpRate('write', `user:${person.id}`)).toBe(all - 3)
  })
})

test('what staff send in numbers and what is handed in have a wide rate of their own, together', async () => {
  const { student, teacher, problemId } = await createProblem()
  const upload = (as: Person) =>
    call('PUT', `/problem/${problemId}/test-case-upload/abc/1`, { as, body: 'bytes' })
  await inOneWindow('write', async () => {
    for (const { id } of [student, teacher]) await useUpRate('write', `user:${id}`)
    expect((await upload(teacher)).status).toBe(404)
    await submit(student, problemId)
  })
  await inOneWindow('bulkWrite', async () => {
    for (const { id } of [student, teacher]) await useUpRate('bulkWrite', `user:${id}`)
    expectRefused(await upload(teacher), 'bulkWrite')
    const json = { problemId, languageType: 0, code: 'int main() {}' }
    for (const person of [student, teacher])
      expectRefused(await person.post('/submission', json), 'bulkWrite')
  })
})

test('reads that look through much have a rate of ten seconds; other calls and people go on', async () => {
  const { course, student, teacher } = await createCourse()
  await inOneWindow('heavyRead', async () => {
    await useUpRate('heavyRead', `user:${student.id}`)
    for (const path of ['/submission', '/overview', `/course/${course}/homework`])
      expectRefused(await student.get(path), 'heavyRead')
    expect((await student.get('/course')).status).toBe(200)
    expect((await save(student)).status).toBe(200)
    expect((await teacher.get('/submission')).status).toBe(200)
  })
})

test('light reads are counted, too, also those by HEAD', async () => {
  const person = await createPerson(2)
  await inOneWindow('read', async () => {
    await useUpRate('read', `user:${person.id}`)
    expectRefused(await person.get('/course'), 'read')
    expectRefused(await call('HEAD', '/course', { as: person }).then(named), 'read')
    expect((await save(person)).status).toBe(200)
  })
})

/** An answer to HEAD has no body with a code. */
function named(answer: Answer): Answer {
  return { ...answer, code: 'too_many_requests' }
}

test('guests are counted by network, also those whose credential is of nobody; who is signed in goes on', async () => {
  const person = await createPerson(2)
  const headers = { 'CF-Connecting-IP': '192.0.2.77' }
  const forged = { ...headers, Cookie: '__Host-session=of-nobody' }
  await inOneWindow('guest', async () => {
    await useUpRate('guest', '192.0.2.77')
    for (const path of ['/ann', '/health', '/auth/me'])
      expectRefused(await call('GET', path, { headers }), 'guest')
    expectRefused(await signIn(person.username, PASSWORD, headers), 'guest')
    expectRefused(await call('GET', '/course', { headers: forged }), 'guest')
    for (const path of ['/course', '/runner/live'])
      expectRefused(await call('GET', path, { headers, token: 'of-nobody' }), 'guest')
    expect((await person.get('/course', headers)).status).toBe(200)
    expect((await call('GET', '/ann')).status).toBe(200)
    const neighbour = { 'CF-Connecting-IP': '192.0.2.78' }
    expect((await call('GET', '/ann', { headers: neighbour })).status).toBe(200)
  })
})

test('a judge host has a rate of ten seconds of its own', async () => {
  const [token, other] = [await registerRunner(), await registerRunner()]
  const hash = await sha256Hex(token)
  const runnerId = await firstValue<string>`select id from runners where token_hash = ${hash}`
  // A slow machine cannot make a host's number of calls in ten seconds, so the host gets a lower rate here.
  const narrow = { ...workerEnv, RATE_HOST: workerEnv.RATE_HEAVY_READ }
  const send = async (method: string, path: string, own: string, json: object) => {
    const request = requestOf(method, path, { token: own, json })
    const answer = await app.fetch(request, narrow, createExecutionContext())
    const { code, message, data } = await answer.json<Answer>()
    return { status: answer.status, headers: answer.headers, code, message, data }
  }
  const beat = (own: string) =>
    send('POST', '/runner/heartbeat', own, { active: [], slots: 1, free: 1, load: 0 })
  await inOneWindow('host', async () => {
    await useUpRate('heavyRead', `host:${runnerId}`)
    expectRefused(await beat(token), 'host')
    expectRefused(await send('PUT', '/runner/jobs/abc/result', token, {}), 'host')
    expect((await beat(other)).status).toBe(200)
  })
})

test('signing in rightly counts as well, and wrong guesses of others do not', async () => {
  const person = await createPerson(2)
  const written = async () =>
    firstRow`select (select count(*) from sessions
      where user_id = ${person.id}) sessions, count(*) n from login_records where user_id = ${person.id}`
  await inOneWindow('write', async () => {
    await useUpRate('write', `user:${person.id}`)
    const before = await written()
    expectRefused(await signIn(person.username), 'write')
    expect(await written()).toEqual(before)
  })
  await inOneWindow('write', async () => {
    const all = await useUpRate('write', 'nobody else')
    const guesser = await createPerson(2)
    for (let guess = 0; guess < 3; guess += 1)
      expect((await signIn(guesser.username, 'a wrong guess')).code).toBe('login_failed')
    expect((await signIn(guesser.username)).status).toBe(200)
    expect(await useUpRate('write', `user:${guesser.id}`)).toBe(all - 1)
  })
})

test('SUBMIT_LIMIT_PER_MINUTE=0 turns the rates off', async () => {
  const person = await createPerson(2)
  await inOneWindow('read', async () => {
    await useUpRate('read', `user:${person.id}`)
    expect((await person.get('/auth/me')).status).toBe(429)
    expect((await app.fetch(requestOf('GET', '/auth/me', { as: person }), UNLIMITED)).status).toBe(
      200,
    )
  })
})
