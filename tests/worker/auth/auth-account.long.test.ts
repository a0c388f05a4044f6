/** One's own account: sessions, passwords, and mailed links. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { firstAdminStatements } from '../../../worker/db/first-admin.ts'
import { deleteExpiredAccess } from '../../../worker/db/sessions.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { sha256Hex } from '../../../worker/lib/ids.ts'
import { ACCOUNT_LIMITS } from '../../../worker/features/auth/auth-limits.ts'
import { leaveTokens, passTime, useUp } from '../support/buckets.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createPeople,
  createPerson,
  fetchApi,
  PASSWORD,
  signIn,
  uniqueName,
  type Person,
} from '../support/world.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'

/** Signs in; answers the person with the new session. */
async function newSession(person: Person, password = PASSWORD): Promise<Person> {
  const response = await signIn(person.username, password, {
    'CF-Connecting-IP': '198.51.100.9',
    'User-Agent': 'browser\u0009two',
  })
  expect(response.status).toBe(200)
  return person.withSessionOf(response)
}

/** Whether a session still works. */
async function isAlive(person: Person): Promise<boolean> {
  return (await person.get('/auth/me')).status === 200
}

/** The email address of a person made by `createPerson`. */
function emailOf(person: Person): string {
  return `${person.username}@example.test`
}

/** The number of mails to an address. */
async function mailsTo(email: string) {
  return firstValue`select count(*) n from logged_mails where recipient = ${email}`
}

/** Asks for a mailed link. */
function recover(email: string, ip = '192.0.2.50') {
  return call('POST', '/auth/password-recovery', {
    json: { email },
    headers: { 'CF-Connecting-IP': ip },
  })
}

describe('sessions', () => {
  test('are listed and ended one by one', async () => {
    const first = await createPerson(2)
    const second = await newSession(first)
    const list = (await second.get('/auth/sessions')).data
    expect(list).toHaveLength(2)
    const [own, other] = [true, false].map((current) =>
      list.find((session: { current: boolean }) => session.current === current),
    )
    expect(own).toMatchObject({ ipAddr: '198.51.100.9', agent: 'browser two' })
    expect(JSON.stringify(list)).not.toContain(second.cookie.split('=')[1])
    const stranger = await createPerson(2)
    expect((await stranger.delete(`/auth/sessions/${other.id}`)).status).toBe(404)
    expect((await second.delete(`/auth/sessions/${other.id}`)).status).toBe(200)
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, true])
  })
})

describe('a new password', () => {
  test('ends every session and API token of its owner [AU5]', async () => {
    const first = await createPerson(2)
    const second = await newSession(first)
    const { token } = (await first.post('/auth/tokens', { name: 'ci', scopes: ['read'] })).data
    expect((await call('GET', '/auth/me', { token })).status).toBe(200)
    const wrong = await first.post('/auth/change-password', {
      oldPassword: 'not this one',
      newPassword: 'a fine password',
    })
    expect(wrong).toMatchObject({ status: 403, message: 'Wrong Password' })
    expect(await isAlive(first)).toBe(true)
    const right = await fetchApi('POST', '/auth/change-password', {
      as: first,
      json: { oldPassword: PASSWORD, newPassword: 'a fine password' },
    })
    expect(right.status).toBe(200)
    expect(right.headers.get('Set-Cookie')).toMatch(/^__Host-session=;/)
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, false])
    expect((await call('GET', '/auth/me', { token })).status).toBe(401)
    await newSession(first, 'a fine password')
  })

  test('of 7 characters or among the most common is refused, 64, unicode and a space at the end are taken unchanged [AU9]', async () => {
    const person = await createPerson(2)
    const change = (newPassword: string) =>
      person.post('/auth/change-password', { oldPassword: PASSWORD, newPassword })
    expect((await change('1234567')).data[0]).toMatchObject({
      path: ['newPassword'],
      code: 'min_length',
    })
    const own = [`${person.username}1`, emailOf(person), `The${person.username}`]
    const weak = ['password', 'Password1', 'aaaaaaaa', 'password1234', 'CourseJudge!', ...own]
    for (const common of weak)
      expect((await change(common)).data).toMatchObject([
        { path: ['newPassword'], code: 'common_password' },
      ])
    const long = `${'ü€𝄞 '.repeat(12)}abc `
    expect(long).toHaveLength(64)
    expect((await change(long)).status).toBe(200)
    for (const [password, status] of [
      [long, 200],
      [long.trimEnd(), 403],
    ] as const) {
      expect((await signIn(person.username, password)).status).toBe(status)
    }
  })

  test('is tried ten times, then the caller must wait', async () => {
    const person = await createPerson(2)
    await runSql`insert into rate_limits (key, full_at_ms, allowed)
      values (${`password:user:${person.id}`}, ${Date.now() + 10 * 60_000}, 1)`
    const answer = await person.post('/auth/change-password', {
      oldPassword: PASSWORD,
      newPassword: 'a fine password',
    })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
  })
})

describe('a link to reset the password', () => {
  test('works once, for its owner, and ends every session [AU7]', async () => {
    const [person, other] = await createPeople(2, 2)
    expect((await recover(emailOf(person).toUpperCase())).message).toContain('Email sent')
    const text = await lastMailTo(emailOf(person))
    const token = tokenIn(text, 'token')
    const stored = await allRows`select token_hash from account_links`
    expect(JSON.stringify(stored)).not.toContain(token)
    const reset = (json: object) => call('POST', '/auth/password-reset', { json })
    expect((await reset({ token, newPassword: 'short' })).code).toBe('bad_body')
    expect((await reset({ token, newPassword: 'password1' })).code).toBe('bad_body')
    expect((await reset({ token, newPassword: 'brand new words' })).status).toBe(200)
    expect(await isAlive(person)).toBe(false)
    expect(await isAlive(other)).toBe(true)
    expect(await reset({ token, newPassword: 'brand new words 2' })).toMatchObject({
      status: 400,
      code: 'bad_link',
    })
    await newSession(person, 'brand new words')
    await newSession(other)
  })

  test('that was used leaves the next mail nothing to wait for', async () => {
    const person = await createPerson(2)
    await recover(emailOf(person))
    const token = tokenIn(await lastMailTo(emailOf(person)), 'token')
    const json = { token, newPassword: 'brand new words' }
    expect((await call('POST', '/auth/password-reset', { json })).status).toBe(200)
    await recover(emailOf(person))
    expect(tokenIn(await lastMailTo(emailOf(person), 2), 'token')).not.toBe(token)
  })

  test('used twice at the same time works for one', async () => {
    const person = await createPerson(2)
    await recover(emailOf(person))
    const token = tokenIn(await lastMailTo(emailOf(person)), 'token')
    const answers = await Promise.all(
      ['first new words', 'other new words'].map((newPassword) =>
        call('POST', '/auth/password-reset', { json: { token, newPassword } }),
      ),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400])
  })

  test('is over after ten minutes, and when a newer one is sent [AU7]', async () => {
    const person = await createPerson(2)
    await recover(emailOf(person))
    const older = tokenIn(await lastMailTo(emailOf(person)), 'token')
    await passTime(ACCOUNT_LIMITS.recoveryMail.intervalMs)
    await recover(emailOf(person))
    const newer = tokenIn(await lastMailTo(emailOf(person), 2), 'token')
    const reset = (token: string) =>
      call('POST', '/auth/password-reset', { json: { token, newPassword: 'brand new words' } })
    expect((await reset(older)).code).toBe('bad_link')
    await runSql`update account_links set expires_at = expires_at - 600
      where user_id = ${person.id}`
    expect((await reset(newer)).code).toBe('bad_link')
  })

  test('asked for often and from anywhere is one mail, and the link in it stays good [AU7]', async () => {
    const person = await createPerson(2)
    for (let request = 0; request < 8; request += 1)
      expect(await recover(emailOf(person), `192.0.2.${60 + request}`)).toMatchObject({
        status: 200,
        message: 'Email sent, please check your inbox.',
      })
    expect(await mailsTo(emailOf(person))).toBe(1)
    await passTime(ACCOUNT_LIMITS.recoveryMail.intervalMs)
    const together = await Promise.all(
      Array.from({ length: 5 }, (_, index) => recover(emailOf(person), `192.0.2.${70 + index}`)),
    )
    expect(together.every(({ status }) => status === 200)).toBe(true)
    await expect.poll(() => mailsTo(emailOf(person))).toBe(2)
    const token = tokenIn(await lastMailTo(emailOf(person), 2), 'token')
    const reset = { token, newPassword: 'brand new words' }
    expect((await call('POST', '/auth/password-reset', { json: reset })).status).toBe(200)
  })

  test('cannot be kept from its owner: neither by requests for it, nor at the address of who makes many [AU7]', async () => {
    const [person, other] = await createPeople(2, 2)
    const ip = '2001:db8:5:1::1'
    const signedIn = await signIn(person.username, PASSWORD, { 'CF-Connecting-IP': ip })
    const Cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    await leaveTokens('recovery:address:2001:db8:5:1', ACCOUNT_LIMITS.recoveryPerAddress, 0)
    for (const email of [emailOf(other), 'nobody@example.test']) {
      const refused = await recover(email, ip)
      expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' })
      expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
    }
    const known = await call('POST', '/auth/password-recovery', {
      json: { email: emailOf(person) },
      headers: { 'CF-Connecting-IP': ip, Cookie },
    })
    expect(known.status).toBe(200)
    await lastMailTo(emailOf(person))
    // A stranger's request has already sent the mail.
    expect((await recover(emailOf(person), ip)).status).toBe(200)
    await useUp('recovery:site:2001:db8:5', ACCOUNT_LIMITS.recoveryPerSite)
    expect((await recover(emailOf(other), '2001:db8:5:2::1')).status).toBe(429)
    expect((await recover(emailOf(other), '2001:db8:6::1')).status).toBe(200)
    const limits = await allRows<{ key: string }>`select key from rate_limits`
    expect(JSON.stringify(limits)).not.toContain('@')
  })

  test('stands in a mail and nowhere else: behind # and not in the log [AU7]', async () => {
    const person = await createPerson(2)
    await recover(emailOf(person))
    const token = tokenIn(await lastMailTo(emailOf(person)), 'token')
    for (const table of [
      'audit_entries',
      'login_records',
      'account_links',
      'rate_limits',
      'users',
    ]) {
      const rows = await env.DB.prepare(`select * from ${table}`).all()
      expect(JSON.stringify(rows.results)).not.toContain(token)
    }
  })

  test('is not sent to an address nobody has, nor to an account that an admin closed, until it is opened', async () => {
    expect(await recover('nobody@example.test')).toMatchObject({
      status: 404,
      message: 'User Not Exists',
    })
    const [admin, person] = await createPeople(0, 2)
    await recover(emailOf(person))
    const token = tokenIn(await lastMailTo(emailOf(person)), 'token')
    await admin.patch(`/user/${person.username}`, { active: false })
    const json = { token, newPassword: 'brand new words' }
    expect((await call('POST', '/auth/password-reset', { json })).code).toBe('bad_link')
    expect((await recover(emailOf(person))).status).toBe(404)
    await admin.patch(`/user/${person.username}`, { active: true })
    expect((await recover(emailOf(person))).status).toBe(200)
  })
})

describe('an account that waits for its link', () => {
  test('is told where its mail is, and becomes active by the link', async () => {
    const admin = await createPerson(0)
    const username = uniqueName('waits')
    const json = {
      username,
      email: `${username}@mail.example.test`,
      password: 'first password',
      active: false,
    }
    expect((await admin.post('/user', json)).status).toBe(200)
    const refused = await signIn(username, json.password)
    expect(refused).toMatchObject({
      status: 403,
      message: 'Invalid User',
      data: { host: 'mail.example.test' },
    })
    const token = tokenIn(await lastMailTo(json.email), 'activate')
    expect(
      (await call('POST', '/auth/password-reset', { json: { token, newPassword: 'x'.repeat(9) } }))
        .code,
    ).toBe('bad_link')
    expect((await call('POST', '/auth/activate', { json: { token } })).status).toBe(200)
    expect((await signIn(username, json.password)).status).toBe(200)
    expect((await call('POST', '/auth/activate', { json: { token } })).code).toBe('bad_link')
  })

  test('without a password must bring one, and can ask for its link again', async () => {
    const admin = await createPerson(0)
    const username = uniqueName('waits')
    const email = `${username}@example.test`
    await admin.post('/user', { username, email })
    const older = tokenIn(await lastMailTo(email), 'activate')
    expect((await call('POST', '/auth/activate', { json: { token: older } })).data).toMatchObject([
      { path: ['password'], code: 'required' },
    ])
    expect((await recover(email)).status).toBe(200)
    const token = tokenIn(await lastMailTo(email, 2), 'activate')
    expect(
      (await call('POST', '/auth/activate', { json: { token: older, password: 'my own words' } }))
        .code,
    ).toBe('bad_link')
    expect(
      (await call('POST', '/auth/activate', { json: { token, password: 'my own words' } })).status,
    ).toBe(200)
    expect((await signIn(username, 'my own words')).status).toBe(200)
  })
})

describe('the first admin of an installation', () => {
  const run = (name: string, token: string) =>
    sha256Hex(token).then((tokenHash) => {
      const form = { username: name, email: `${name}@example.test`, tokenHash, now: nowSeconds() }
      return env.DB.batch(firstAdminStatements(form).map((text) => env.DB.prepare(text)))
    })
  const open = (token: string) =>
    call('POST', '/auth/activate', { json: { token, password: 'words of the first' } })

  test('comes in by a link that the deploy makes, and only while there is no other', async () => {
    await runSql`update users set role = 2`
    await run('Root', 'older token')
    await run('root', 'newer token')
    expect((await open('older token')).code).toBe('bad_link')
    expect((await open('newer token')).status).toBe(200)
    expect((await signIn('root', 'words of the first')).message).toBe('Login Success')
    await run('intruder', 'third token')
    await run('Root', 'fourth token')
    for (const token of ['third token', 'fourth token'])
      expect((await open(token)).code).toBe('bad_link')
    const admins = await allRows`select username from users where role = 0`
    expect(admins).toEqual([{ username: 'Root' }])
  })

  test('has a name that the product would take: no SQL comes in with it', async () => {
    await expect(run("x'); drop table users; --", 'token')).rejects.toThrow()
  })
})

test('sessions and links whose time is over are swept away', async () => {
  const [old, live] = await createPeople(2, 2)
  await recover(emailOf(old))
  await runSql`update sessions set created_at = created_at - 2600000 where user_id = ${old.id}`
  await deleteExpiredAccess(openDb(env.DB), nowSeconds() + 601)
  const left = await firstRow`select (select count(*) from sessions
      where user_id = ${old.id}) + (select count(*) from account_links where user_id = ${old.id}) n`
  expect(left).toEqual({ n: 0 })
  expect(await isAlive(live)).toBe(true)
})

describe('what is free', () => {
  test('names and addresses are told apart without regard to case', async () => {
    const person = await createPerson(2)
    const check = async (what: 'username' | 'email', value: string) =>
      (await call('POST', `/auth/check/${what}`, { json: { [what]: value } })).data.valid
    expect(await check('username', person.username.toUpperCase())).toBe(0)
    expect(await check('username', uniqueName('free'))).toBe(1)
    expect(await check('email', emailOf(person).toUpperCase())).toBe(0)
    expect(await check('email', 'free@example.test')).toBe(1)
    expect(
      (await call('POST', '/auth/check/username', { json: { username: 'not a name' } })).status,
    ).toBe(400)
  })

  test('asking is limited by address, and a whole IPv6 network is one', async () => {
    const ask = (ip: string) =>
      call('POST', '/auth/check/username', {
        json: { username: 'anyone' },
        headers: { 'CF-Connecting-IP': ip },
      })
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, index) => ask(`2001:db8:1:2::${index.toString(16)}`)),
    )
    const passed = answers.filter((answer) => answer.status === 200).length
    expect(passed).toBeGreaterThanOrEqual(60)
    expect(passed).toBeLessThan(80)
    const refused = answers.find((answer) => answer.status === 429)
    expect(refused?.headers.get('Retry-After')).toBe('1')
    expect((await ask('2001:db8:1:3::1')).status).toBe(200)
  })
})
