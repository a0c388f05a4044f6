/** Sessions, tokens and links, exact to the second; and every field of the answers about one's own account. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { insertLink, findLink, type LinkPurpose } from '../../../worker/db/account-links.ts'
import { app } from '../../../worker/app.ts'
import { openDb } from '../../../worker/db/client.ts'
import { LINK_SECONDS } from '../../../worker/db/lifetimes.ts'
import { deleteExpiredAccess, findSessionUser, findTokenUser } from '../../../worker/db/sessions.ts'
import {
  insertSession,
  loginBuckets,
  takeLoginTokens,
} from '../../../worker/features/auth/queries.ts'
import { ACCOUNT_LIMITS, LOGIN_LIMITS } from '../../../worker/features/auth/auth-limits.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { useUp } from '../support/buckets.ts'
import { workerEnv } from '../support/step-queue.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { createPeople, createPerson, requestOf, type Person } from '../support/world.ts'

const db = openDb(env.DB)
const NOW = 1_800_000_000
const HOUR = 3_600
const DAY = 86_400

/** The hash of a new session with these times. */
async function sessionOf(
  person: Person,
  times: { created?: number; seen?: number; shared?: boolean; agent?: string },
): Promise<string> {
  const { created = NOW, seen = created, shared = false, agent = 'tests' } = times
  const hash = await sha256Hex(newSecret())
  await runSql`insert into sessions (token_hash, user_id, created_at, last_seen_at, confirmed_at, shared, ip, agent)
    values (${hash}, ${person.id}, ${created}, ${seen}, ${created}, ${Number(shared)}, '203.0.113.6', ${agent})`
  return hash
}

describe('a session', () => {
  test.each([
    ['a week without a call', { seen: NOW - 7 * DAY, created: NOW - 8 * DAY }],
    ['thirty days', { seen: NOW, created: NOW - 30 * DAY }],
    [
      'two hours without a call, shared',
      { seen: NOW - 2 * HOUR, created: NOW - 3 * HOUR, shared: true },
    ],
    ['twelve hours, shared', { seen: NOW, created: NOW - 12 * HOUR, shared: true }],
  ])('ends after %s, to the second', async (_after, times) => {
    const person = await createPerson(2)
    const hash = await sessionOf(person, times)
    const found = await findSessionUser(db, hash, NOW - 1)
    expect(found?.user.username).toBe(person.username)
    expect(await findSessionUser(db, hash, NOW)).toBeUndefined()
  })

  test('is listed with its own times and origin, the newest first, without those that ended or are others’', async () => {
    const [person, other] = await createPeople(2, 2)
    const now = nowSeconds()
    const older = await sessionOf(person, { created: now - 900, seen: now - 30, agent: 'older' })
    const newest = await sessionOf(person, { created: now + 5, seen: now + 9, agent: 'newest' })
    await sessionOf(person, { created: now - 31 * DAY, seen: now - 1 })
    await sessionOf(other, { created: now - 3 })
    const { data } = await person.get('/auth/sessions')
    const rest = { ipAddr: '203.0.113.6', current: false }
    const own = { createTime: expect.any(Number), lastSeen: expect.any(Number), agent: 'tests' }
    expect(data).toEqual([
      { ...rest, id: newest.slice(0, 24), createTime: now + 5, lastSeen: now + 9, agent: 'newest' },
      { ...own, id: expect.any(String), ipAddr: '127.0.0.1', current: true },
      {
        ...rest,
        id: older.slice(0, 24),
        createTime: now - 900,
        lastSeen: now - 30,
        agent: 'older',
      },
    ])
  })

  test('that another one ends keeps the browser’s cookie and cache, and others’ sessions', async () => {
    const [person, other] = await createPeople(2, 2)
    const hash = await sessionOf(person, { created: nowSeconds() })
    const ended = await person.delete(`/auth/sessions/${hash.slice(0, 24)}`)
    expect([ended.status, ended.headers.get('Set-Cookie')]).toEqual([200, null])
    expect(ended.headers.get('Clear-Site-Data')).toBeNull()
    const left =
      await allRows`select user_id from sessions where user_id in (${person.id}, ${other.id})`
    expect(left.map((row) => row['user_id']).toSorted()).toEqual([person.id, other.id].toSorted())
    expect((await person.delete(`/auth/sessions/${hash.slice(0, 24)}`)).code).toBe(
      'session_not_found',
    )
  })
})

describe('the last use', () => {
  /** Makes a call, and waits for its work after the answer. */
  async function use(headers: Record<string, string>) {
    const context = createExecutionContext()
    const answer = await app.fetch(requestOf('GET', '/auth/me', { headers }), workerEnv, context)
    await waitOnExecutionContext(context)
    expect(answer.status).toBe(200)
  }

  test('of a session and of an API token is noted at most every five minutes, for it alone', async () => {
    const person = await createPerson(2)
    const made = await person.post('/auth/tokens', { name: 'ci', scopes: ['read'] })
    const spare = await person.post('/auth/tokens', { name: 'spare', scopes: ['read'] })
    const other = await sessionOf(person, { created: nowSeconds(), seen: 5 })
    const seen = () => firstValue<number>`select last_seen_at from sessions
      where user_id = ${person.id} and token_hash <> ${other}`
    const used = async () => {
      const { data } = await person.get('/auth/tokens')
      return data.map(({ lastUsed }: { lastUsed: number | null }) => lastUsed)
    }
    expect(await used()).toEqual([null, null])
    const begun = nowSeconds()
    for (const [ago, isNoted] of [
      [200, false],
      [305, true],
    ] as const) {
      await runSql`update sessions set last_seen_at = ${begun - ago} where user_id = ${person.id}
        and token_hash <> ${other}`
      await runSql`update api_tokens set last_used_at = ${begun - ago} where id = ${made.data.id}`
      await use({ Cookie: person.cookie })
      await use({ Authorization: `Bearer ${made.data.token}` })
      expect(((await seen()) ?? 0) >= begun).toBe(isNoted)
      const [unused, latest] = await used()
      expect([unused, (latest ?? 0) >= begun]).toEqual([null, isNoted])
    }
    expect(spare.data.lastUsed).toBeNull()
    expect(await firstValue`select last_seen_at from sessions where token_hash = ${other}`).toBe(5)
  })
})

test('an API token ends at its second, and belongs to its owner', async () => {
  const person = await createPerson(2)
  const { data } = await person.post('/auth/tokens', { name: 'ci', scopes: ['read', 'submit'] })
  const hash = await sha256Hex(data.token)
  await runSql`update api_tokens set expires_at = ${NOW} where id = ${data.id}`
  const found = await findTokenUser(db, hash, NOW - 1)
  expect(found).toMatchObject({ user: { id: person.id }, scopes: ['read', 'submit'] })
  expect(await findTokenUser(db, hash, NOW)).toBeUndefined()
})

test('GET /auth/me tells of oneself all that the app shows', async () => {
  const [person, claim] = [await createPerson(1), await createPerson(2, { emailConfirmed: false })]
  await person.post('/profile', { displayedName: 'Ada', bio: 'Counts.' })
  expect((await person.get('/auth/me')).data).toEqual({
    username: person.username,
    displayedName: 'Ada',
    bio: 'Counts.',
    role: 1,
    email: `${person.username}@example.test`,
    emailConfirmed: true,
    live: true,
  })
  expect((await claim.get('/auth/me')).data).toMatchObject({ role: 2, emailConfirmed: false })
})

describe('a mailed link', () => {
  test.each<[LinkPurpose, number]>([
    ['reset', 600],
    ['activate', 7 * DAY],
    ['confirm', 7 * DAY],
    ['move', DAY],
  ])(
    'to %s lasts %i seconds, to the second; a newer one begins anew and leaves others',
    async (purpose, seconds) => {
      const [person, other] = await createPeople(2, 2)
      const make = (userId: number, tokenHash: string, now: number, newEmail: string) =>
        db.batch([insertLink(db, { userId, purpose, tokenHash, now, newEmail })])
      const name = person.username
      await make(other.id, `${name} other`, NOW, 'other@x.test')
      await make(person.id, `${name} one`, NOW, 'one@x.test')
      const found = (which: string, now: number) =>
        findLink(db, { purpose, tokenHash: `${name} ${which}` }, null, now)
      expect(await found('one', NOW + seconds - 1)).toMatchObject({
        userId: person.id,
        username: name,
        newEmail: 'one@x.test',
      })
      expect(await found('one', NOW + seconds)).toBeUndefined()
      await make(person.id, `${name} two`, NOW + 100, 'two@x.test')
      expect(await found('one', NOW)).toBeUndefined()
      expect((await found('two', NOW + seconds + 99))?.newEmail).toBe('two@x.test')
      expect((await found('other', NOW))?.newEmail).toBe('other@x.test')
    },
  )

  test('and a session are swept once they are over, others stay', async () => {
    const [over, live] = await createPeople(2, 2)
    for (const [person, until, created] of [
      [over, NOW - 1, NOW - 30 * DAY - 1],
      [live, NOW, NOW - 30 * DAY],
    ] as const) {
      await runSql`delete from sessions where user_id = ${person.id}`
      await sessionOf(person, { created, seen: NOW })
      await runSql`insert into account_links (user_id, purpose, token_hash, expires_at)
        values (${person.id}, 'reset', ${person.username}, ${until})`
    }
    await deleteExpiredAccess(db, NOW)
    for (const table of ['sessions', 'account_links']) {
      const left = await env.DB.prepare(
        `select user_id as id from ${table} where user_id in (?, ?)`,
      )
        .bind(over.id, live.id)
        .all()
      expect(left.results, table).toEqual([{ id: live.id }])
    }
  })
})

describe('an attempt to sign in', () => {
  test('that its name’s limit at a site refuses takes nothing from the name or the address', async () => {
    const name = 'somebody-else'
    const buckets = loginBuckets(name, '2001:db8:5:6::7', undefined)
    expect(buckets.map(({ rule }) => rule)).toEqual([
      LOGIN_LIMITS.perNameAndSite,
      LOGIN_LIMITS.perName,
      LOGIN_LIMITS.perAddress,
      LOGIN_LIMITS.perSite,
    ])
    expect(buckets.slice(2).map(({ key }) => key)).toEqual([
      'login:address:2001:db8:5:6',
      'login:site:2001:db8:5',
    ])
    await useUp(buckets[0].key, LOGIN_LIMITS.perNameAndSite)
    const { answers, debited } = await takeLoginTokens(db, buckets)
    expect(answers.map((each) => each.map(({ allowed }) => allowed))).toEqual([[0], [], [], []])
    expect(debited).toEqual([expect.objectContaining({ key: buckets[0].key })])
    const [site] = loginBuckets(name, '203.0.113.7', undefined)
    const own = loginBuckets(name, '203.0.113.7', 'key')
    expect(own).toEqual([
      { key: expect.stringMatching(/^login:device:.{4}:key$/), rule: LOGIN_LIMITS.perDevice },
    ])
    expect(site.key).toMatch(/^login:name-site:.{4}:203\.0\.113\.7$/)
  })

  test('leaves a session, a record and an entry of it, and ends the browser’s own old session only', async () => {
    const [person, other] = await createPeople(2, 2)
    const ip = '2001:db8:9:8:7::6'
    const attempt = { ip, agent: 'a browser', now: NOW }
    const [old, theirs] = [await sessionOf(person, {}), await sessionOf(other, {})]
    const hash = await firstValue<string>`select password_hash from users where id = ${person.id}`
    const begin = (tokenHash: string, verifiedHash: string) =>
      insertSession(db, attempt, [], {
        userId: person.id,
        tokenHash,
        oldTokenHash: old,
        verifiedHash,
        newHash: null,
        shared: true,
      })
    expect(await begin('late', 'an older hash')).toBeNull()
    expect(await firstValue`select count(*) from sessions where token_hash = ${old}`).toBe(1)
    const tokenHash = await sha256Hex(newSecret())
    expect(await begin(tokenHash, hash ?? '')).toEqual({
      replaced: { userId: person.id, tokenHash: old },
    })
    expect(await firstRow`select * from sessions where token_hash = ${tokenHash}`).toEqual({
      token_hash: tokenHash,
      user_id: person.id,
      ip,
      agent: 'a browser',
      created_at: NOW,
      last_seen_at: NOW,
      confirmed_at: NOW,
      shared: 1,
    })
    const records = await allRows`select ip, agent, ok, created_at from login_records
      where user_id = ${person.id}`
    expect(records).toEqual([{ ip: '2001:db8:9:8', agent: 'a browser', ok: 1, created_at: NOW }])
    const entries = await allRows`select action, subject, detail, ip, created_at from audit_entries
      where actor_id = ${person.id}`
    const detail = '{"agent":"a browser"}'
    const subject = String(person.id)
    expect(entries).toEqual([{ action: 'session.begin', subject, detail, ip, created_at: NOW }])
    const left =
      await allRows`select token_hash from sessions where token_hash in (${old}, ${theirs})`
    expect(left).toEqual([{ token_hash: theirs }])
  })
})

test('limits of a site are four times those of an address, and a mailed link outlives the wait for the next', () => {
  const { recoveryPerAddress, recoveryPerSite, checkPerAddress, checkPerSite } = ACCOUNT_LIMITS
  for (const [address, site] of [
    [recoveryPerAddress, recoveryPerSite],
    [checkPerAddress, checkPerSite],
    [LOGIN_LIMITS.perAddress, LOGIN_LIMITS.perSite],
  ] as const) {
    expect(site.burst).toBe(4 * address.burst)
    expect(site.intervalMs).toBe(address.intervalMs / 4)
  }
  const { recoveryMail } = ACCOUNT_LIMITS
  expect(recoveryMail.burst).toBe(1)
  expect(LINK_SECONDS.reset * 1000 - recoveryMail.intervalMs).toBe(180_000)
})
