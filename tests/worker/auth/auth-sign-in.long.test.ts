/** Signing in under attack, and over the years. */
import { env } from 'cloudflare:workers'
import { scrypt } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { SESSION_SECONDS } from '../../../worker/db/lifetimes.ts'
import {
  insertSession,
  loginBuckets,
  takeLoginTokens,
} from '../../../worker/features/auth/queries.ts'
import { LOGIN_LIMITS } from '../../../worker/features/auth/auth-limits.ts'
import commonPasswords from '../../../worker/lib/common-passwords.json' with { type: 'json' }
import { newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { needsRehash, verifyPassword } from '../../../worker/lib/password.ts'
import { isGuessable } from '../../../worker/lib/password-strength.ts'
import { HASH_QUEUE, inTurn, isQueued } from '../../../worker/lib/hash-queue.ts'
import { leaveTokens, passTime, refilledSince, useUp } from '../support/buckets.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import {
  createPeople,
  createPerson,
  fetchApi,
  PASSWORD,
  signIn,
  type Person,
} from '../support/world.ts'

function attempt(username: string, password: string, ip: string) {
  return signIn(username, password, { 'CF-Connecting-IP': ip })
}

const { perNameAndSite, perName, perDevice, perAddress } = LOGIN_LIMITS

/** The keys of a name's limits: for the site of an IPv4 address, and for all addresses together. */
function keysOf(name: string, ip = '') {
  const [{ key: site }, everywhere] = loginBuckets(name, ip, undefined)
  return { site, everywhere: everywhere?.key ?? '' }
}

/** Guesses until a guess comes too soon; answers how many were checked, and the refusal. */
async function guessUntilRefused(username: string, ipOf: (guess: number) => string) {
  for (let guess = 0; ; guess += 1) {
    const answer = await attempt(username, `guess ${guess}`, ipOf(guess))
    if (answer.status !== 403) return { checked: guess, answer }
  }
}

/** Signs in; answers the cookie by which the account then recognises this browser. */
async function deviceOf(person: Person, password = PASSWORD, cookie = ''): Promise<string> {
  const response = await signIn(person.username, password, {
    'CF-Connecting-IP': '198.51.100.50',
    Cookie: cookie,
  })
  expect(response.status).toBe(200)
  const line = response.headers.getSetCookie().find((text) => text.startsWith('__Host-device='))
  expect(line).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  return line?.split(';')[0] ?? ''
}

describe('guessing', () => {
  test('meets its end at one address, and locks out nobody elsewhere [AU3]', async () => {
    const person = await createPerson(2)
    const start = Date.now()
    const { checked, answer } = await guessUntilRefused(person.username, () => '192.0.2.101')
    expect(checked).toBeGreaterThanOrEqual(10)
    expect(checked).toBeLessThanOrEqual(10 + refilledSince(start, perNameAndSite))
    expect(answer).toMatchObject({ status: 429, code: 'too_many_logins' })
    const wait = Number(answer.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await attempt(person.username, PASSWORD, '192.0.2.104')).status).toBe(200)
    await passTime(wait * 1000)
    expect((await attempt(person.username, PASSWORD, '192.0.2.101')).status).toBe(200)
  })

  test('from every /64 of one /48 counts as from one site, and the audit keeps each address', async () => {
    const person = await createPerson(2)
    const start = Date.now()
    const { checked } = await guessUntilRefused(person.username, (n) => `2001:db8:7:${n}::9`)
    expect(checked).toBeLessThanOrEqual(10 + refilledSince(start, perNameAndSite))
    expect((await attempt(person.username, PASSWORD, '2001:db8:7:ffff::1')).status).toBe(429)
    expect((await attempt(person.username, PASSWORD, '2001:db8:8::1')).status).toBe(200)
    expect(await firstValue`select count(*) from audit_entries where ip = '2001:db8:7:9::9'`).toBe(
      1,
    )
  })

  test('by a username leaves its e-mail address its own limits, as with names that nobody has: no answer tells whose is which [AU1]', async () => {
    const person = await createPerson(2)
    const ip = '192.0.2.105'
    const { username } = person
    const guesses = Array.from({ length: 12 }, () => attempt(username, 'a wrong guess', ip))
    const checked = (await Promise.all(guesses)).filter(({ status }) => status === 403)
    expect(checked.length).toBeGreaterThanOrEqual(10)
    const byEmail = await attempt(`${username}@EXAMPLE.test`, 'a wrong guess', ip)
    expect(byEmail).toMatchObject({ status: 403, code: 'login_failed' })

    const heard = []
    for (const name of [username, 'nobody']) {
      const email = `${name}@example.test`
      for (const [key, rule] of [
        [keysOf(name, ip).site, perNameAndSite],
        [keysOf(name, ip).everywhere, perName],
      ] as const) {
        await useUp(key, rule)
        for (const spelt of [name, name.toUpperCase(), ` ${name} `])
          heard.push(await attempt(spelt, 'a wrong guess', ip))
        heard.push(await attempt(email, 'a wrong guess', ip))
        await passTime(7_200_000)
      }
    }
    const told = heard.map(({ status, code, message }) => ({ status, code, message }))
    const each = [429, 429, 429, 403, 429, 429, 429, 403]
    expect(told.map(({ status }) => status)).toEqual([...each, ...each])
    expect(told.slice(each.length)).toEqual(told.slice(0, each.length))
  })

  test('from many networks slows the account down for strangers, by a minute at most [AU3]', async () => {
    const person = await createPerson(2)
    await leaveTokens(keysOf(person.username).everywhere, perName, 3)
    const start = Date.now()
    const { checked, answer } = await guessUntilRefused(person.username, (n) => `203.0.113.${n}`)
    expect(checked).toBeLessThanOrEqual(3 + refilledSince(start, perName))
    expect(Number(answer.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
    await leaveTokens(keysOf(person.username).everywhere, perName, 0)
    expect((await attempt(person.username, PASSWORD, '192.0.2.106')).status).toBe(429)
    await passTime(perName.intervalMs)
    expect((await attempt(person.username, PASSWORD, '192.0.2.106')).status).toBe(200)
  })

  test('ten wrong tries of a classmate use up no account', () => {
    expect(perName.burst).toBeGreaterThan(perNameAndSite.burst)
    expect(perName.intervalMs).toBeLessThanOrEqual(perNameAndSite.intervalMs)
  })

  test('at once is no way around: of forty guesses sent together ten are checked [AU3]', async () => {
    const person = await createPerson(2)
    const start = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        attempt(person.username, `guess ${index}`, '192.0.2.115'),
      ),
    )
    const checked = answers.filter((answer) => answer.status !== 429)
    expect(checked.length).toBeLessThanOrEqual(10 + refilledSince(start, perNameAndSite))
    for (const answer of answers.filter((answer) => answer.status === 429))
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('at many accounts at once from one address is no way around either', async () => {
    const ip = '2001:db8:9:1::1'
    await leaveTokens('login:address:2001:db8:9:1', perAddress, 4)
    const start = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => attempt(`nobody${index}`, 'guess', ip)),
    )
    const checked = answers.filter((answer) => answer.status === 403)
    expect(checked.length).toBeLessThanOrEqual(4 + refilledSince(start, perAddress))
    await useUp('login:site:2001:db8:9', LOGIN_LIMITS.perSite)
    expect((await attempt('nobody', 'guess', '2001:db8:9:2::1')).status).toBe(429)
  })

  test('a class signs in behind one address at once and often: who succeeds gives the token back', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createPerson(2)))
    const ip = '192.0.2.110'
    for (let round = 0; round < 2; round += 1) {
      await leaveTokens(`login:address:${ip}`, perAddress, people.length)
      const answers = await Promise.all(
        people.map(({ username }) => attempt(username, PASSWORD, ip)),
      )
      expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
    }
    await leaveTokens(`login:address:${ip}`, perAddress, 1)
    for (const { username } of people)
      expect((await attempt(username, PASSWORD, ip)).status).toBe(200)
  })
})

test('an exam of 300 behind one address, where each mistypes once, locks nobody out', async () => {
  const db = openDb(env.DB)
  const take = (ip: string, person: number) =>
    takeLoginTokens(db, loginBuckets(`exam-${person}`, ip, undefined))
  for (const ip of ['192.0.2.140', '2001:db8:140:1::1']) {
    for (let person = 0; person < 300; person += 1) await take(ip, person)
    const { answers } = await take(ip, 0)
    expect(answers.flat().map(({ allowed }) => allowed)).not.toContain(0)
  }
})

test('where many of a site wait for hashing, one more is told when to come again, and nothing is looked up for it', async () => {
  const ip = '192.0.2.150'
  const over = Promise.withResolvers<void>()
  // One more than the queue holds, because the first is at work.
  const crowd = Array.from({ length: 1 + HASH_QUEUE.waiting }, () =>
    inTurn(`site:${ip}`, () => over.promise),
  )
  const json = { username: 'anybody', password: PASSWORD }
  const headers = { 'CF-Connecting-IP': ip }
  const refused = await recordCall('POST', '/auth/session', { json, headers })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBe(HASH_QUEUE.retryMs / 1_000)
  expect(refused.trips).toEqual([])
  over.resolve()
  await Promise.all(crowd)
  expect((await attempt('anybody', PASSWORD, ip)).status).toBe(403)
})

describe('a browser that has signed in to an account', () => {
  test('waits behind the others of the account: many of them keep nobody else waiting', async () => {
    const [many, one] = await createPeople(2, 2)
    const cookies: string[] = []
    for (let made = 0; made < 12; made += 1) cookies.push(await deviceOf(many))
    let isOneIn = false
    const before = cookies.map(async (cookie) => {
      await attemptFrom(many, PASSWORD, cookie, '192.0.2.118')
      return !isOneIn
    })
    const after = attempt(one.username, PASSWORD, '192.0.2.119').then(() => (isOneIn = true))
    const [sooner] = await Promise.all([Promise.all(before), after])
    expect(sooner.filter(Boolean).length).toBeLessThan(6)
  })

  /** Uses up the limits of strangers at an account and at an address. */
  async function besiege(person: Person, ip: string) {
    await useUp(keysOf(person.username, ip).site, perNameAndSite)
    await useUp(keysOf(person.username).everywhere, perName)
    await useUp(`login:address:${ip}`, perAddress)
  }

  function attemptFrom(person: Person, password: string, Cookie: string, ip: string) {
    return signIn(person.username, password, { 'CF-Connecting-IP': ip, Cookie })
  }

  test('comes in whatever strangers do, also behind their address, and has a limit of its own', async () => {
    const person = await createPerson(2)
    const ip = '192.0.2.120'
    const cookie = await deviceOf(person)
    await besiege(person, ip)
    expect((await attempt(person.username, PASSWORD, ip)).status).toBe(429)
    expect((await attemptFrom(person, PASSWORD, cookie, ip)).status).toBe(200)
    expect((await attemptFrom(person, 'wrong password', cookie, ip)).status).toBe(403)
    const [, key = ''] = cookie.split('=')
    await useUp(loginBuckets(person.username, ip, key)[0].key, perDevice)
    expect((await attemptFrom(person, PASSWORD, cookie, '192.0.2.121')).status).toBe(429)
  })

  test('is known to the accounts that signed in there, to no other, and until the password changes', async () => {
    const [first, second, third] = await createPeople(2, 2, 2)
    const ip = '192.0.2.122'
    const cookie = await deviceOf(second, PASSWORD, await deviceOf(first))
    for (const person of [first, second, third]) await besiege(person, ip)
    expect((await attemptFrom(first, PASSWORD, cookie, ip)).status).toBe(200)
    expect((await attemptFrom(second, PASSWORD, cookie, ip)).status).toBe(200)
    expect((await attemptFrom(third, PASSWORD, cookie, ip)).status).toBe(429)
    const forged = `__Host-device=${'a'.repeat(16)}.${'b'.repeat(43)}~~x`
    expect((await attemptFrom(third, PASSWORD, forged, ip)).status).toBe(429)
    const changed = await fetchApi('POST', '/auth/change-password', {
      as: first,
      json: { oldPassword: PASSWORD, newPassword: 'words that are new' },
    })
    expect((await attemptFrom(first, 'words that are new', cookie, ip)).status).toBe(429)
    const own = changed.headers.getSetCookie().find((text) => text.startsWith('__Host-device='))
    const renewed = own?.split(';')[0] ?? ''
    expect((await attemptFrom(first, 'words that are new', renewed, ip)).status).toBe(200)
  })
})

test('a sign-in that was checked before the password changed or the account closed begins nothing', async () => {
  const person = await createPerson(2)
  const read = async () =>
    firstValue<string>`select password_hash from users where id = ${person.id}`
  const verifiedHash = (await read()) ?? ''
  const begin = (tokenHash: string) =>
    insertSession(openDb(env.DB), { ip: '192.0.2.140', agent: '', now: 1 }, [], {
      userId: person.id,
      tokenHash,
      oldTokenHash: null,
      verifiedHash,
      newHash: 'anew',
      shared: false,
    })
  const change = (set: string) =>
    env.DB.prepare(`update users set ${set} where id = ?`).bind(person.id).run()
  await change("password_hash = 'changed'")
  expect(await begin('late')).toBeNull()
  expect(await read()).toBe('changed')
  await change(`active = 0, password_hash = '${verifiedHash}'`)
  expect(await begin('later')).toBeNull()
  await change('active = 1')
  expect(await begin('in time')).not.toBeNull()
  expect(await read()).toBe('anew')
  const results = await allRows`select action from audit_entries where ip = '192.0.2.140'`
  expect(results).toEqual([{ action: 'session.begin' }])
})

test('ten thousand session tokens are all different and hold 256 bits [AU6]', () => {
  const tokens = Array.from({ length: 10_000 }, newSecret)
  expect(new Set(tokens).size).toBe(10_000)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
})

test('sessions end after 7 days without a call and 30 days after sign-in [AU8]', () => {
  expect(SESSION_SECONDS).toMatchObject({ idle: 7 * 86_400, absolute: 30 * 86_400 })
})

describe('passwords', () => {
  /** A person with a hash that Node made with these parameters, and the hash. */
  async function personOfOldHash(ln: number, p: number): Promise<{ person: Person; old: string }> {
    const person = await createPerson(2)
    const salt = Buffer.alloc(16, 7)
    const options = { N: 2 ** ln, r: 8, p, maxmem: 64 * 1024 * 1024 }
    const key = await new Promise<Buffer>((resolve, reject) =>
      scrypt(PASSWORD, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key))),
    )
    const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    const old = `$scrypt$ln=${ln},r=8,p=${p}$${encode(salt)}$${encode(key)}`
    await runSql`update users set password_hash = ${old} where id = ${person.id}`
    return { person, old }
  }

  async function hashOf({ id }: Person): Promise<string> {
    const hash = await firstValue<string>`select password_hash from users where id = ${id}`
    return hash ?? ''
  }

  test.each([
    ['13', 13, 1],
    ['14 in one piece', 14, 5],
  ])(
    'a hash of an older scheme (ln=%s) still fits, and is renewed at the next sign-in [AU9]',
    async (_, ln, p) => {
      const { person, old } = await personOfOldHash(ln, p)
      expect(needsRehash(old)).toBe(true)
      expect((await attempt(person.username, 'wrong password', '192.0.2.125')).status).toBe(403)
      expect(await hashOf(person)).toBe(old)
      expect((await attempt(person.username, PASSWORD, '192.0.2.125')).status).toBe(200)
      const renewed = await hashOf(person)
      expect(renewed).toMatch(/^\$scrypt-chain\$n=5,ln=14,r=8,p=1\$/)
      expect(2 ** 14 * 8).toBeLessThanOrEqual(2 ** 20)
      expect(await verifyPassword(PASSWORD, renewed)).toBe(true)
      expect((await attempt(person.username, PASSWORD, '192.0.2.125')).status).toBe(200)
      expect(await hashOf(person)).toBe(renewed)
    },
  )

  test('while others wait, a hash of an older scheme is left as it is, and the sign-in goes on', async () => {
    const { person, old } = await personOfOldHash(13, 1)
    const [before, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = inTurn('first', () => before.promise)
    const signingIn = attempt(person.username, PASSWORD, '192.0.2.126')
    await vi.waitFor(() => expect(isQueued()).toBe(true))
    const others = [inTurn('others', () => over.promise), inTurn('others', async () => {})]
    before.resolve()
    expect((await signingIn).status).toBe(200)
    expect(await hashOf(person)).toBe(old)
    over.resolve()
    await Promise.all([first, ...others])
    expect((await attempt(person.username, PASSWORD, '192.0.2.126')).status).toBe(200)
    expect(await hashOf(person)).not.toBe(old)
  })
})

test('the 3,000 most common passwords are refused [AU9]', () => {
  expect(commonPasswords.long).toHaveLength(3_000)
  expect(commonPasswords.long.filter((password) => !isGuessable(password, []))).toEqual([])
})

test('sign-ins and refusals stand in the audit log, without what was typed', async () => {
  const person = await createPerson(2)
  await signIn(person.username, 'typed by mistake', {
    'CF-Connecting-IP': '192.0.2.130',
    'User-Agent': 'agent\u0009{"forged":1}',
  })
  await attempt(person.username, PASSWORD, '192.0.2.130')
  await attempt('typed as a name', 'wrong password', '192.0.2.130')
  const results = await allRows`select actor_id, action, subject, detail from audit_entries
      where ip = '192.0.2.130' order by id`
  expect(results).toMatchObject([
    { actor_id: person.id, action: 'session.refuse', subject: String(person.id) },
    { actor_id: person.id, action: 'session.begin', subject: String(person.id) },
    { actor_id: null, action: 'session.refuse', subject: '' },
  ])
  expect(JSON.stringify(results)).not.toMatch(/typed|\\t/)
})

test('what was typed as a name that nobody has is kept nowhere', async () => {
  const person = await createPerson(2)
  const ip = '192.0.2.131'
  await attempt('my secret passphrase', 'guess', ip)
  await attempt(person.username, 'wrong password', ip)
  const kept = await allRows`select user_id, ok from login_records where ip = ${ip}`
  expect(kept).toEqual([{ user_id: person.id, ok: 0 }])
  const tables = await allRows<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not glob '_cf*' and name not glob 'sqlite*'`
  const dump = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from ${name}`)))
  const text = JSON.stringify(dump.map(({ results }) => results))
  expect(text).not.toContain('secret passphrase')
  expect(text).not.toContain((await sha256Hex('my secret passphrase')).slice(0, 8))
})
