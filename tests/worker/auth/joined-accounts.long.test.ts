/** Accounts that people make by joining a course: what works at once, and what waits until the e-mail is confirmed. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { JOIN_LIMITS } from '#contract/limits'
import { app } from '../../../worker/app.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { createCode, outcome } from '../support/joining.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  call,
  createCourse,
  createPerson,
  Person,
  requestOf,
  signIn,
  uniqueName,
  type Answer,
} from '../support/world.ts'

const WORDS = 'a few plain words'
const OTHER_WORDS = 'quite other plain words'
const WEEK = JOIN_LIMITS.confirmDays * 86_400

/** Tries to make an account by a code. */
function makeAccount(code: string, changes: Record<string, unknown> = {}, ip?: string) {
  const username = uniqueName('joiner')
  const json = { code, username, email: `${username}@example.test`, password: WORDS, ...changes }
  return call('POST', '/join/account', { json, headers: ip ? { 'CF-Connecting-IP': ip } : {} })
}

/** Makes an account by a code. @returns the person in the browser that made it */
async function joined(code: string, email?: string): Promise<Person & { email: string }> {
  const username = uniqueName('joiner')
  const address = email ?? `${username}@example.test`
  const answer = await makeAccount(code, { username, email: address })
  expect(answer.status, answer.message).toBe(200)
  const id = await firstValue<number>`select id from users where username = ${username}`
  const person = new Person(id ?? 0, username, '').withSessionOf(answer)
  return Object.assign(person, { email: address })
}

/** Lets the week pass. */
function age({ id }: Person) {
  return runSql`update users set confirm_due_at = confirm_due_at - ${WEEK + 1} where id = ${id}`
}

/** Follows the confirming link in the last mail to an address. */
async function confirm(email: string, as?: Person, newPassword?: string): Promise<Answer> {
  const token = tokenIn(await lastMailTo(email), 'confirm')
  return call('POST', '/auth/email/confirm', { as, json: { token, newPassword } })
}

describe('a new account', () => {
  test('joins, is signed in, and says by when to confirm', async () => {
    const { code, path } = await createCode()
    const person = await joined(code)
    expect((await person.get(path)).status).toBe(200)
    const me = (await person.get('/auth/me')).data
    expect(me).toMatchObject({ username: person.username, emailConfirmed: false })
    expect(Math.abs(me.confirmBy - nowSeconds() - WEEK)).toBeLessThan(60)
    expect((await signIn(person.username, WORDS)).status).toBe(200)
    const deeds = await allRows<{ action: string }>`
      select action from audit_entries where actor_id = ${person.id} order by action`
    expect(deeds.map(({ action }) => action)).toEqual([
      'course.join',
      'session.begin',
      'session.begin',
      'user.join',
    ])
  })

  test('counts for nothing elsewhere: other courses refuse it, by staff and by their codes', async () => {
    const [{ code }, other, closed] = await Promise.all([
      createCode(),
      createCourse(),
      createCode({ domains: ['example.test'] }),
    ])
    const person = await joined(code)
    const add = { add: [{ user: person.username, role: 'student' }] }
    expect((await other.teacher.patch(`/course/${other.course}/members`, add)).code).toBe(
      'email_unconfirmed',
    )
    expect(outcome(await closed.join(person))).toBe('email_unconfirmed')
    expect((await confirm(person.email, person)).status).toBe(200)
    expect(outcome(await closed.join(person))).toBe('joined')
  })

  test.each([
    ['a wrong code', 'join_code_not_found', { code: 'WRONGWRONGWR' }],
    ['a taken name', 'username_exists', { username: 'joiner-Taken' }],
    ['a confirmed address', 'email_exists', { email: 'joiner-taken@example.test' }],
    ['a wrong domain', 'join_domain', { email: 'somebody@elsewhere.test' }],
    [
      'a password like the name',
      'bad_body',
      { password: 'joiner-plain', username: 'joiner-plain' },
    ],
  ])('is refused for %s, and nothing is stored', async (_what, refusal, changes) => {
    const { code, joining } = await createCode({ domains: ['example.test'] })
    await runSql`insert or ignore into users (username, username_key, email, email_confirmed_at, displayed_name, role, active, created_at)
      values ('joiner-taken', 'joiner-taken', 'joiner-taken@example.test', 1, '', 2, 1, 1)`
    const count = () => firstValue`select count(*) from users`
    const before = await count()
    expect((await makeAccount(code, changes)).code).toBe(refusal)
    expect(await count()).toBe(before)
    expect((await joining()).codes[0].joined).toBe(0)
  })

  test('is refused by an expired, a full and a closed code', async () => {
    const full = await createCode({ most: 1 })
    await joined(full.code)
    expect((await makeAccount(full.code)).code).toBe('join_code_full')
    const old = await createCode()
    await runSql`update join_codes set until = 1 where id = ${old.id}`
    expect((await makeAccount(old.code)).code).toBe('join_code_expired')
    await old.edit({ until: null, closed: true })
    expect((await makeAccount(old.code)).code).toBe('join_code_not_found')
  })

  test('twenty at once by a code for fifteen: fifteen come in, none twice', async () => {
    const { code, joining, members } = await createCode({ most: 15 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => makeAccount(code)))
    const outcomes = answers.map(outcome)
    expect(outcomes.filter((one) => one === 'joined')).toHaveLength(15)
    expect(outcomes.filter((one) => one === 'join_code_full')).toHaveLength(5)
    expect((await joining()).codes[0].joined).toBe(15)
    expect((await members()).students).toHaveLength(16)
  })

  test('ends the session of the person who was signed in', async () => {
    const [{ code }, before] = [await createCode(), await createPerson(2)]
    const username = uniqueName('joiner')
    const json = { code, username, email: `${username}@example.test`, password: WORDS }
    expect((await before.post('/join/account', json)).status).toBe(200)
    expect((await before.get('/auth/me')).status).toBe(401)
  })

  test('waits for staff where the code wants it', async () => {
    const { code, answer, path } = await createCode({ approval: true })
    const person = await joined(code)
    expect((await person.get(path)).status).toBe(404)
    expect((await answer({ approve: [person.username] })).status).toBe(200)
    expect((await person.get(path)).status).toBe(200)
  })
})

describe('an address that nobody has confirmed', () => {
  test('after a week lets only one’s own account be used, until it is confirmed', async () => {
    const { code, path } = await createCode()
    const person = await joined(code)
    const token = uniqueName('token')
    await runSql`insert into api_tokens (id, user_id, name, token_hash, scopes, expires_at, created_at)
      select ${token}, ${person.id}, 'ci', lower(hex(${token})), '["read"]', ${nowSeconds() + WEEK}, 1`
    await age(person)
    for (const refused of [path, '/course', '/overview', '/auth/tokens'])
      expect((await person.get(refused)).code, refused).toBe('confirm_email_first')
    expect((await person.post('/join', { code })).code).toBe('confirm_email_first')
    for (const own of ['/auth/me', '/auth/sessions', `/profile/${person.username}`])
      expect((await person.get(own)).status, own).toBe(200)
    expect((await person.get('/auth/me')).data.live).toBe(false)
    expect((await person.get('/auth/me/export')).status).toBe(200)
    expect((await person.post('/auth/email', {})).status).toBe(200)
    const late = tokenIn(await lastMailTo(person.email, 2), 'confirm')
    const json = { token: late }
    expect((await call('POST', '/auth/email/confirm', { as: person, json })).status).toBe(200)
    expect((await person.get(path)).status).toBe(200)
    expect((await person.get('/auth/me')).data.confirmBy).toBeUndefined()
  })

  test('is confirmed in the signed-in browser without a new password; nothing ends', async () => {
    const person = await joined((await createCode()).code)
    expect((await confirm(person.email, person)).status).toBe(200)
    expect((await person.get('/auth/me')).data.emailConfirmed).toBe(true)
    expect((await signIn(person.username, WORDS)).status).toBe(200)
  })

  test('needs a new password elsewhere, which ends the sessions', async () => {
    const person = await joined((await createCode()).code)
    const stranger = await createPerson(2)
    for (const as of [undefined, stranger])
      expect((await confirm(person.email, as)).code).toBe('bad_body')
    expect((await confirm(person.email, undefined, OTHER_WORDS)).status).toBe(200)
    expect((await person.get('/auth/me')).status).toBe(401)
    expect((await signIn(person.username, WORDS)).code).toBe('login_failed')
    expect((await signIn(person.username, OTHER_WORDS)).status).toBe(200)
  })

  test('belongs to the first who confirms it; the other moves to another address', async () => {
    const { code } = await createCode()
    const [one, two] = [await joined(code), await joined(code, `${uniqueName('x')}@example.test`)]
    await runSql`update users set email = ${one.email} where id = ${two.id}`
    expect((await two.post('/auth/email', {})).status).toBe(200)
    const token = tokenIn(await lastMailTo(one.email, 2), 'confirm')
    const [first] = await allRows<{ text: string }>`
      select text from logged_mails where recipient = ${one.email} order by id limit 1`
    const own = tokenIn(first?.text ?? '', 'confirm')
    expect((await one.post('/auth/email/confirm', { token: own })).status).toBe(200)
    expect((await two.post('/auth/email/confirm', { token })).code).toBe('email_exists')
    const email = `${two.username}@moved.test`
    expect((await two.post('/auth/email', { email })).status).toBe(200)
    const move = tokenIn(await lastMailTo(email), 'move')
    expect((await two.post('/auth/email/move', { token: move })).status).toBe(200)
    expect((await two.get('/auth/me')).data).toMatchObject({ email, emailConfirmed: true })
  })

  test('of a code’s domain can be moved only within the domain', async () => {
    const person = await joined((await createCode({ domains: ['example.test'] })).code)
    const ask = (email: string) => person.post('/auth/email', { email })
    expect(await ask(`${person.username}@elsewhere.test`)).toMatchObject({
      code: 'join_domain',
      data: { domains: ['example.test'] },
    })
    expect((await ask(`${person.username}@lab.example.test`)).status).toBe(200)
  })

  test('of a victim gives a stranger nothing: the victim recovers, takes over or ignores', async () => {
    const { code } = await createCode()
    const email = `${uniqueName('victim')}@example.test`
    const stranger = await joined(code, email)
    // The victim makes their own account all the same, and its confirmation ends the claim.
    const victim = await joined(code, email)
    expect((await call('POST', '/auth/password-recovery', { json: { email } })).status).toBe(200)
    const text = await lastMailTo(email, 3)
    const line = text.split('\n').find((one) => one.startsWith(victim.username)) ?? ''
    const json = { token: tokenIn(line, 'token'), newPassword: OTHER_WORDS }
    expect((await call('POST', '/auth/password-reset', { json })).status).toBe(200)
    expect((await signIn(email, OTHER_WORDS)).status).toBe(200)
    expect((await signIn(email, WORDS)).code).toBe('login_failed')
    expect((await stranger.post('/auth/email', {})).code).toBe('email_exists')
    const claims = await allRows`select username from users
      where email = ${email} and email_confirmed_at is not null`
    expect(claims).toEqual([{ username: victim.username }])
  })
})

describe('limits', () => {
  test('of an address: 900 at once, then the caller must wait; other addresses go on', async () => {
    const { code } = await createCode()
    await runSql`insert into rate_limits (key, full_at_ms, allowed)
      values ('join:address:192.0.2.77', ${Date.now() + 900 * 10_000}, 1)`
    const refused = await makeAccount(code, {}, '192.0.2.77')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await makeAccount(code, {}, '192.0.2.78')).status).toBe(200)
  })

  test('of mails to one address: the sixth account is made without a mail', async () => {
    const { code } = await createCode()
    const email = `${uniqueName('victim')}@example.test`
    for (let made = 0; made < 6; made += 1) await joined(code, email)
    await lastMailTo(email, 5)
    const due =
      await firstValue`select count(*) from users where email = ${email} and link_due_at is not null`
    expect(due).toBe(0)
    expect(await allRows`select id from logged_mails where recipient = ${email}`).toHaveLength(5)
  })
})

test('without mail a new account need not confirm, and a code with domains makes none', async () => {
  const [open, closed] = [await createCode(), await createCode({ domains: ['example.test'] })]
  const bindings = { ...workerEnv, MAIL_DRIVER: undefined, WEB_ORIGIN: undefined }
  const make = async (code: string) => {
    const username = uniqueName('joiner')
    const json = { code, username, email: `${username}@example.test`, password: WORDS }
    const context = createExecutionContext()
    const answer = await app.fetch(requestOf('POST', '/join/account', { json }), bindings, context)
    await waitOnExecutionContext(context)
    const { code: refusal = null } = await answer.json<{ code?: string }>()
    const due = await allRows`select confirm_due_at as due from users where username = ${username}`
    return [refusal, due]
  }
  expect(await make(open.code)).toEqual([null, [{ due: null }]])
  expect(await make(closed.code)).toEqual(['not_configured', []])
})
