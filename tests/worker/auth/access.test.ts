/** Ways into an account, and when they end: the rules in brief. Long tests beside this file attack the rules. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { insertLink, type LinkPurpose } from '../../../worker/db/account-links.ts'
import { openDb } from '../../../worker/db/client.ts'
import { LINK_SECONDS, SESSION_SECONDS } from '../../../worker/db/lifetimes.ts'
import { useLink } from '../../../worker/features/auth/accounts/account-queries.ts'
import { insertSession, loginBuckets } from '../../../worker/features/auth/queries.ts'
import { LOGIN_LIMITS } from '../../../worker/features/auth/auth-limits.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { useUp } from '../support/buckets.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createPeople,
  createPerson,
  PASSWORD,
  signIn,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)
const NEW_PASSWORD = 'correct horse battery'

/** The token of a link with this purpose, made without a mail. */
async function linkFor(person: Person, purpose: LinkPurpose, newEmail?: string): Promise<string> {
  const token = newSecret()
  const tokenHash = await sha256Hex(token)
  const link = { userId: person.id, purpose, tokenHash, now: nowSeconds() }
  await db.batch([insertLink(db, { ...link, ...(newEmail !== undefined && { newEmail }) })])
  return token
}

/** Sets a new password by a link. */
function reset(token: string) {
  return call('POST', '/auth/password-reset', { json: { token, newPassword: NEW_PASSWORD } })
}

describe('a sign-in', () => {
  test('whose password changed while it was checked begins nothing, nor does that of an account closed meanwhile', async () => {
    const person = await createPerson(2)
    const hash = await firstValue<string>`select password_hash from users where id = ${person.id}`
    const attempt = { ip: '192.0.2.7', agent: 'tests', now: nowSeconds() }
    const begin = async (verifiedHash: string) =>
      insertSession(db, attempt, [], {
        userId: person.id,
        tokenHash: await sha256Hex(newSecret()),
        oldTokenHash: null,
        verifiedHash,
        newHash: null,
        shared: false,
      })
    expect(await begin('a hash of before')).toBeNull()
    expect(await begin(hash ?? '')).not.toBeNull()
    await runSql`update users set active = 0 where id = ${person.id}`
    expect(await begin(hash ?? '')).toBeNull()
    expect(await firstValue`select count(*) from sessions where user_id = ${person.id}`).toBe(2)
  })

  test('waits while the limit of its name is used up, also with the right password [AU3]', async () => {
    const person = await createPerson(2)
    const [, everywhere] = loginBuckets(person.username, '192.0.2.7', undefined)
    await useUp(everywhere?.key ?? '', LOGIN_LIMITS.perName)
    expect(await signIn(person.username)).toMatchObject({ status: 429, code: 'too_many_logins' })
  })
})

describe('a session', () => {
  test('is over when its account is closed', async () => {
    const person = await createPerson(2)
    await runSql`update users set active = 0 where id = ${person.id}`
    expect((await person.get('/auth/me')).status).toBe(401)
  })

  test('is ended by its person and by nobody else', async () => {
    const [person, stranger] = await createPeople(2, 2)
    const [{ id }] = (await person.get('/auth/sessions')).data
    expect((await stranger.delete(`/auth/sessions/${id}`)).status).toBe(404)
    expect((await person.get('/auth/me')).status).toBe(200)
    expect((await person.delete(`/auth/sessions/${id}`)).status).toBe(200)
    expect((await person.get('/auth/me')).status).toBe(401)
  })

  test('makes no API token, adds no judge host and erases nobody long after its password was typed, nor does an API token', async () => {
    const [admin, student] = await createPeople(0, 2)
    const form = { name: 'ci', scopes: ['read', 'admin'] }
    const { token } = (await admin.post('/auth/tokens', form)).data
    await runSql`update sessions set confirmed_at = confirmed_at - ${SESSION_SECONDS.confirmed + 1}
      where user_id = ${admin.id}`
    expect((await admin.post('/auth/tokens', form)).code).toBe('password_required')
    const calls = [
      ['PATCH', `/user/${student.username}`, { role: 0 }],
      ['POST', '/runners', { name: 'rack' }],
      ['DELETE', `/user/${student.username}`, undefined],
    ] as const
    for (const [method, path, json] of calls) {
      const refused = { status: 403, code: 'password_required' }
      expect(await call(method, path, { as: admin, json })).toMatchObject(refused)
      const denied = { status: 403, code: 'token_scope' }
      expect(await call(method, path, { token, json })).toMatchObject(denied)
    }
    expect((await student.get('/auth/me')).status).toBe(200)
  })
})

test('an admin signs a person out everywhere, API tokens too; the account, its password and others stay [AU5]', async () => {
  const [admin, person, other] = await createPeople(0, 2, 2)
  const { token } = (await person.post('/auth/tokens', { name: 'ci', scopes: ['read'] })).data
  const link = await linkFor(person, 'reset')
  const path = `/user/${person.username.toUpperCase()}/sessions`
  expect((await other.delete(path)).status).toBe(403)
  expect((await person.get('/auth/me')).status).toBe(200)
  expect((await admin.delete(path)).status).toBe(200)
  expect((await person.get('/auth/me')).status).toBe(401)
  expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  expect((await other.get('/auth/me')).status).toBe(200)
  expect((await signIn(person.username)).status).toBe(200)
  expect((await reset(link)).status).toBe(200)
  const entries = await allRows`select actor_id as actor, subject from audit_entries
    where action = 'user.sessions_end'`
  expect(entries).toEqual([{ actor: admin.id, subject: String(person.id) }])
  expect((await admin.delete('/user/nobody-of-this-name/sessions')).code).toBe('user_not_found')
})

test('a new password ends sessions, API tokens and links of its owner and of nobody else [AU5]', async () => {
  const [person, other] = await createPeople(2, 2)
  const { token } = (await person.post('/auth/tokens', { name: 'ci', scopes: ['read'] })).data
  const link = await linkFor(person, 'reset')
  const json = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await person.post('/auth/change-password', json)).status).toBe(200)
  expect((await person.get('/auth/me')).status).toBe(401)
  expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  expect((await reset(link)).code).toBe('bad_link')
  expect((await other.get('/auth/me')).status).toBe(200)
})

describe('a mailed link', () => {
  test('is over when its time is [AU7]', async () => {
    const person = await createPerson(2)
    const token = await linkFor(person, 'reset')
    await runSql`update account_links set expires_at = expires_at - ${LINK_SECONDS.reset}
      where user_id = ${person.id}`
    expect((await reset(token)).code).toBe('bad_link')
  })

  test('does what it was made for and nothing else', async () => {
    const person = await createPerson(2)
    const token = await linkFor(person, 'confirm')
    expect((await reset(token)).code).toBe('bad_link')
    const json = { token, password: NEW_PASSWORD }
    expect((await call('POST', '/auth/activate', { json })).code).toBe('bad_link')
  })

  test('that two follow at once works for one [AU7]', async () => {
    const person = await createPerson(2)
    const token = await linkFor(person, 'reset')
    const use = {
      userId: person.id,
      email: `${person.username}@example.test`,
      purpose: 'reset',
      tokenHash: await sha256Hex(token),
      newEmail: null,
    } as const
    const visit = { ip: '192.0.2.7', now: nowSeconds() }
    const both = ['first', 'second'].map((passwordHash) =>
      useLink(db, { ...use, passwordHash }, visit).catch(({ code }) => code),
    )
    expect((await Promise.all(both)).toSorted()).toEqual(['bad_link', undefined])
  })

  test('to a new address is followed by the account’s owner alone', async () => {
    const [person, other] = await createPeople(2, 2)
    const token = await linkFor(person, 'move', `new-${person.username}@example.test`)
    expect((await other.post('/auth/email/move', { token })).code).toBe('bad_link')
    expect((await person.post('/auth/email/move', { token })).status).toBe(200)
  })

  test('to an address nobody has confirmed asks for a new password: whoever made the account may know the old one', async () => {
    const person = await createPerson(2, { emailConfirmed: false })
    const token = await linkFor(person, 'activate')
    expect((await call('POST', '/auth/activate', { json: { token } })).data).toMatchObject([
      { path: ['password'], code: 'required' },
    ])
  })

  test('is sent to no account that an admin closed', async () => {
    const [admin, person] = await createPeople(0, 2)
    await admin.patch(`/user/${person.username}`, { active: false })
    const json = { email: `${person.username}@example.test` }
    expect((await call('POST', '/auth/password-recovery', { json })).status).toBe(404)
  })
})
