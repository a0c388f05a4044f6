/** Signing in under attack, and as years go by. */
import { env } from 'cloudflare:workers'
import { scrypt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SESSION_SECONDS } from '../../worker/contract/limits.ts'
import { openDb } from '../../worker/db/client.ts'
import { insertSession } from '../../worker/features/auth/queries.ts'
import { isCommonPassword } from '../../worker/lib/common-passwords.ts'
import { newSecret } from '../../worker/lib/ids.ts'
import { needsRehash, verifyPassword } from '../../worker/lib/password.ts'
import { call, createPerson, fetchApi, PASSWORD } from './world.ts'

/** One attempt from one address. */
function attempt(username: string, password: string, ip: string) {
  return call('POST', '/auth/session', {
    json: { username, password },
    headers: { 'CF-Connecting-IP': ip },
  })
}

describe('AU3 guessing', () => {
  test('meets its end at every address, and no account is locked for its owner', async () => {
    const person = await createPerson(2)
    const statuses: number[] = []
    for (let guess = 0; guess < 20; guess += 1)
      statuses.push((await attempt(person.username, `guess ${guess}`, '192.0.2.101')).status)
    expect(statuses.slice(0, 10).every((status) => status === 403)).toBe(true)
    expect(statuses.slice(10).every((status) => status === 429)).toBe(true)
    for (const ip of ['192.0.2.102', '192.0.2.103']) await failTenTimes(person.username, ip)
    expect((await attempt(person.username, PASSWORD, '192.0.2.104')).status).toBe(200)
    const closed = await attempt(person.username, PASSWORD, '192.0.2.101')
    expect(closed.status).toBe(429)
    const wait = Number(closed.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(500)
    expect(wait).toBeLessThanOrEqual(600)
    await env.DB.prepare('update login_records set created_at = created_at - ?').bind(wait).run()
    expect((await attempt(person.username, PASSWORD, '192.0.2.101')).status).toBe(200)
  })

  test('is told how long for the account that was asked for, not for what failed at the address before', async () => {
    const [person, other] = [await createPerson(2), await createPerson(2)]
    const ip = '192.0.2.131'
    const insert = (account: string, secondsAgo: number[]) =>
      env.DB.prepare(
        `insert into login_records (account, ip, agent, ok, created_at) select ?, ?, '', 0, unixepoch() - value from json_each(?)`,
      )
        .bind(account, ip, JSON.stringify(secondsAgo))
        .run()
    await insert(other.username, [590])
    await insert(person.username, [580, 570, 400, 90, 80, 70, 60, 50, 40, 30, 20, 10])
    const refused = await attempt(person.username, PASSWORD, ip)
    expect(refused.status).toBe(429)
    // Two have to pass out of the window besides the one that makes ten: the tenth newest is 400 s old.
    const wait = Number(refused.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(195)
    expect(wait).toBeLessThanOrEqual(200)
    await env.DB.prepare('update login_records set created_at = created_at - ? where ip = ?')
      .bind(wait, ip)
      .run()
    expect((await attempt(person.username, PASSWORD, ip)).status).toBe(200)
  })

  test('at once is no way around: of forty guesses sent together ten are checked', async () => {
    const person = await createPerson(2)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        attempt(person.username, index === 39 ? PASSWORD : `guess ${index}`, '192.0.2.115'),
      ),
    )
    const checked = answers.filter((answer) => answer.status !== 429)
    expect(checked).toHaveLength(10)
    for (const answer of answers.filter((answer) => answer.status === 429))
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('from many addresses of one /64 counts as from one, and the audit keeps each', async () => {
    const person = await createPerson(2)
    for (let guess = 0; guess < 10; guess += 1)
      expect((await attempt(person.username, 'a guess', `2001:db8:7:1::${guess}`)).status).toBe(403)
    expect((await attempt(person.username, PASSWORD, '2001:db8:7:1:a::1')).status).toBe(429)
    expect((await attempt(person.username, PASSWORD, '2001:db8:7:2::1')).status).toBe(200)
    const kept = env.DB.prepare('select count(*) n from audit_entries where ip = ?')
    expect(await kept.bind('2001:db8:7:1::9').first('n')).toBe(1)
  })

  test('a class behind one address signs in however often: only failures count', async () => {
    const person = await createPerson(2)
    await env.DB.prepare(
      `insert into login_records (account, ip, agent, ok, created_at)
       select 'somebody', '192.0.2.110', '', 1, unixepoch() from json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: 300 }, () => 0)))
      .run()
    expect((await attempt(person.username, PASSWORD, '192.0.2.110')).status).toBe(200)
  })
})

/** Ten failures at one address, at once in the record. */
async function failTenTimes(account: string, ip: string): Promise<void> {
  await env.DB.prepare(
    `insert into login_records (account, ip, agent, ok, created_at)
     select ?, ?, '', 0, unixepoch() from json_each('[1,2,3,4,5,6,7,8,9,10]')`,
  )
    .bind(account, ip)
    .run()
  expect((await attempt(account, PASSWORD, ip)).status).toBe(429)
}

test('a sign-in that was checked before the password changed or the account closed begins nothing', async () => {
  const person = await createPerson(2)
  const read = async () =>
    env.DB.prepare('select password_hash from users where id = ?')
      .bind(person.id)
      .first<string>('password_hash')
  const verifiedHash = (await read()) ?? ''
  const begin = (tokenHash: string) =>
    insertSession(
      openDb(env.DB),
      { account: person.username, ip: '192.0.2.140', agent: '', now: 1 },
      { id: 0, userId: person.id },
      { userId: person.id, tokenHash, oldTokenHash: null, verifiedHash, newHash: 'anew' },
    )
  const change = (set: string) =>
    env.DB.prepare(`update users set ${set} where id = ?`).bind(person.id).run()
  await change("password_hash = 'changed'")
  expect(await begin('late')).toBe(false)
  expect(await read()).toBe('changed')
  await change(`active = 0, password_hash = '${verifiedHash}'`)
  expect(await begin('later')).toBe(false)
  await change('active = 1')
  expect(await begin('in time')).toBe(true)
  expect(await read()).toBe('anew')
  const { results } = await env.DB.prepare('select action from audit_entries where ip = ?')
    .bind('192.0.2.140')
    .all()
  expect(results).toEqual([{ action: 'session.begin' }])
})

test('AU6 ten thousand session tokens are all different and hold 256 bits', () => {
  const tokens = Array.from({ length: 10_000 }, newSecret)
  expect(new Set(tokens).size).toBe(10_000)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
})

test('AU8 sessions end after 7 days without a call and 30 days after sign-in', () => {
  expect(SESSION_SECONDS).toEqual({ idle: 7 * 86_400, absolute: 30 * 86_400 })
})

describe('AU9 passwords', () => {
  test('a hash of older parameters still fits, and is renewed at the next sign-in', async () => {
    const person = await createPerson(2)
    const salt = Buffer.alloc(16, 7)
    const key = await new Promise<Buffer>((resolve, reject) =>
      scrypt(PASSWORD, salt, 32, { N: 2 ** 13, r: 8, p: 1 }, (error, key) =>
        error ? reject(error) : resolve(key),
      ),
    )
    const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    const old = `$scrypt$ln=13,r=8,p=1$${encode(salt)}$${encode(key)}`
    expect(needsRehash(old)).toBe(true)
    await env.DB.prepare('update users set password_hash = ? where id = ?')
      .bind(old, person.id)
      .run()
    const hashNow = async () =>
      (
        await env.DB.prepare('select password_hash from users where id = ?')
          .bind(person.id)
          .first<{ password_hash: string }>()
      )?.password_hash ?? ''
    expect((await attempt(person.username, 'wrong password', '192.0.2.120')).status).toBe(403)
    expect(await hashNow()).toBe(old)
    expect((await attempt(person.username, PASSWORD, '192.0.2.120')).status).toBe(200)
    const renewed = await hashNow()
    expect(renewed).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/)
    expect(2 ** 14 * 8 * 5).toBeLessThanOrEqual(2 ** 20)
    expect(await verifyPassword(PASSWORD, renewed)).toBe(true)
    expect((await attempt(person.username, PASSWORD, '192.0.2.120')).status).toBe(200)
    expect(await hashNow()).toBe(renewed)
  })

  test('the common ones are known in any case, ordinary ones are not', () => {
    for (const common of ['password', 'PASSWORD', '123456789', 'qwerty123', 'iloveyou', 'princess'])
      expect(isCommonPassword(common)).toBe(true)
    for (const fine of [PASSWORD, 'long enough', 'correct horse battery staple'])
      expect(isCommonPassword(fine)).toBe(false)
  })
})

test('PR1 sign-ins and refusals stand in the audit log, without what was typed', async () => {
  const person = await createPerson(2)
  await fetchApi('POST', '/auth/session', {
    json: { username: person.username, password: 'typed by mistake' },
    headers: { 'CF-Connecting-IP': '192.0.2.130', 'User-Agent': 'agent\u0009{"forged":1}' },
  })
  await attempt(person.username, PASSWORD, '192.0.2.130')
  await attempt('typed as a name', 'wrong password', '192.0.2.130')
  const { results } = await env.DB.prepare(
    'select actor_id, action, subject, detail from audit_entries where ip = ? order by id',
  )
    .bind('192.0.2.130')
    .all()
  expect(results).toMatchObject([
    { actor_id: person.id, action: 'session.refuse', subject: String(person.id) },
    { actor_id: person.id, action: 'session.begin', subject: String(person.id) },
    { actor_id: null, action: 'session.refuse', subject: '' },
  ])
  expect(JSON.stringify(results)).not.toMatch(/typed|\\t/)
})
