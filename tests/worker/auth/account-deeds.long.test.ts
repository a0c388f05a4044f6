/** The audit entry of each action on an account, and the people whose open pages the action ends. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { insertLink, type LinkPurpose } from '../../../worker/db/account-links.ts'
import { app } from '../../../worker/app.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { Env } from '../../../worker/env.ts'
import { ACCOUNT_LIMITS } from '../../../worker/features/auth/auth-limits.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { leaveTokens, useUp } from '../support/buckets.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { workerEnv } from '../support/step-queue.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  PASSWORD,
  requestOf,
  signIn,
  uniqueName,
  type CallOptions,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)
const WORDS = 'brand new words'

const emailOf = ({ username }: Person) => `${username}@example.test`

/** The token of a link, made without a mail. */
async function linkFor(person: Person, purpose: LinkPurpose, newEmail?: string): Promise<string> {
  const token = newSecret()
  const link = { userId: person.id, purpose, tokenHash: await sha256Hex(token), now: nowSeconds() }
  await db.batch([insertLink(db, { ...link, ...(newEmail !== undefined && { newEmail }) })])
  return token
}

const hashOf = ({ cookie }: Person) => sha256Hex(cookie.slice('__Host-session='.length))

describe('the audit log', () => {
  const ip = '203.0.113.44'
  const headers = { 'CF-Connecting-IP': ip, 'User-Agent': 'tests' }

  /** The entries about a person, without their times. */
  async function entriesOf({ id }: Person) {
    const rows = await allRows<{
      action: string
      detail: string
    }>`select actor_id as actor, action, detail, ip
      from audit_entries where subject = ${String(id)} order by id`
    return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }))
  }

  test('says what became of a password, an address and sessions, and by whom', async () => {
    const [person, other] = await createPeople(2, 2)
    const post = (path: string, json: unknown) => person.post(path, json, headers)
    const guess = { password: 'not this one' }
    expect((await post('/auth/confirm-password', guess)).code).toBe('wrong_password')
    expect((await post('/auth/confirm-password', { password: PASSWORD })).status).toBe(200)
    const email = `${uniqueName('next')}@example.test`
    expect((await post('/auth/email', { email })).status).toBe(200)
    const move = tokenIn(await lastMailTo(email), 'move')
    expect((await post('/auth/email/move', { token: move })).status).toBe(200)
    expect((await post('/auth/email', {})).code).toBe('email_confirmed')
    const again = await signIn(person.username)
    const [session] = (await person.withSessionOf(again).get('/auth/sessions')).data.filter(
      ({ current }: { current: boolean }) => current,
    )
    await person.delete(`/auth/sessions/${session.id}`, undefined, headers)
    const change = { oldPassword: PASSWORD, newPassword: WORDS }
    expect((await post('/auth/change-password', change)).status).toBe(200)
    const own = { actor: person.id, ip, detail: {} }
    expect((await entriesOf(person)).filter(({ action }) => action !== 'session.begin')).toEqual([
      { ...own, action: 'user.password_refuse' },
      { ...own, action: 'user.email_ask', detail: { purpose: 'move' } },
      { ...own, action: 'user.email_move' },
      { ...own, action: 'session.end' },
      { ...own, action: 'user.password_change' },
    ])
    expect(await entriesOf(other)).toEqual([])
  })

  test('says what links did, in the name of who followed them', async () => {
    const open = (path: string, json: unknown) => call('POST', path, { json, headers })
    const [reset, waiting] = [await createPerson(2), await createPerson(2, { active: false })]
    const claim = await createPerson(2, { emailConfirmed: false })
    await open('/auth/password-recovery', { email: emailOf(reset) })
    const token = tokenIn(await lastMailTo(emailOf(reset)), 'token')
    await open('/auth/password-reset', { token, newPassword: WORDS })
    await open('/auth/activate', { token: await linkFor(waiting, 'activate') })
    const confirm = await linkFor(claim, 'confirm')
    await open('/auth/email/confirm', { token: confirm, newPassword: WORDS })
    const by = ({ id: actor }: Person, action: string) => ({ actor, action, detail: {}, ip })
    expect(await entriesOf(reset)).toEqual([
      { actor: null, action: 'user.password_recovery', detail: { purpose: 'reset' }, ip },
      by(reset, 'user.password_reset'),
    ])
    expect(await entriesOf(waiting)).toEqual([by(waiting, 'user.activate')])
    expect(await entriesOf(claim)).toEqual([by(claim, 'user.email_confirm')])
  })

  test('says what an admin made of an account', async () => {
    const [admin, claim] = [await createPerson(0), await createPerson(2, { emailConfirmed: false })]
    const username = uniqueName('made')
    const form = { username, email: `${username}@example.test`, role: 1 }
    expect((await admin.post('/user', form, headers)).status).toBe(200)
    const id = Number(await firstValue`select id from users where username = ${username}`)
    const made = { actor: admin.id, action: 'user.create', detail: { role: 1 }, ip }
    expect(await entriesOf({ ...admin, id } as Person)).toEqual([made])
    const path = `/user/${claim.username}`
    await admin.patch(path, { displayedName: 'New', emailConfirmed: true, role: 1 }, headers)
    await admin.delete(`${path}/sessions`, undefined, headers)
    await admin.delete(path, undefined, headers)
    const by = { actor: admin.id, ip, detail: {} }
    const changed = ['displayedName', 'role', 'emailConfirmed']
    expect(await entriesOf(claim)).toEqual([
      { ...by, action: 'user.update', detail: { changed, role: 1 } },
      { ...by, action: 'user.sessions_end' },
      { ...by, action: 'user.erase' },
    ])
  })

  test('says which profile was edited, once it was', async () => {
    const person = await createPerson(2)
    const save = (json: object) => person.post('/profile', json, headers)
    await save({ bio: '', displayedName: `The ${person.username}` })
    expect(await entriesOf(person)).toEqual([])
    await save({ bio: 'x' })
    const entry = { actor: person.id, action: 'user.profile', detail: {}, ip }
    expect(await entriesOf(person)).toEqual([entry])
  })

  test('keeps what an API token was refused, and who was named as a teacher but is a student', async () => {
    const [admin, student] = await createPeople(0, 2)
    const form = { name: 'ci', scopes: ['read', 'admin'] }
    const { token } = (await admin.post('/auth/tokens', form)).data
    const path = `/user/${student.username}`
    expect((await call('DELETE', path, { token, headers })).code).toBe('token_scope')
    const course = { course: uniqueName('C '), teacher: student.username }
    expect((await admin.post('/course', course, headers)).code).toBe('teacher_is_student')
    expect((await admin.get('/profile/nobody-here', headers)).code).toBe('user_not_found')
    const kept = () => allRows`select action, subject, detail, ip from audit_entries
      where actor_id = ${admin.id} and action <> 'token.create' order by id`
    const entry = { action: 'access.refuse', ip }
    await expect.poll(kept).toEqual([
      { ...entry, subject: `DELETE /api${path}`, detail: '{"code":"token_scope","agent":"tests"}' },
      {
        ...entry,
        subject: 'POST /api/course',
        detail: '{"code":"teacher_is_student","agent":"tests"}',
      },
    ])
  })
})

describe('open pages', () => {
  /** Makes a call and answers whose sockets it ended, and of which single session. */
  async function endedBy(method: string, path: string, options: CallOptions) {
    const ended: unknown[] = []
    const channel = (id: string) => ({
      end: async (session?: string) => ended.push(session === undefined ? [id] : [id, session]),
    })
    const bindings = { ...workerEnv, LIVE: { getByName: channel } } as unknown as Env
    const context = createExecutionContext()
    const answer = await app.fetch(requestOf(method, path, options), bindings, context)
    await waitOnExecutionContext(context)
    expect(answer.status, path).toBe(200)
    return ended
  }

  test('of the person alone end with their sessions, be it all or one', async () => {
    const [admin, person] = await createPeople(0, 2)
    const claim = await createPerson(2, { emailConfirmed: false })
    const all = ({ id }: Person) => [[String(id)]]
    const token = await linkFor(person, 'reset')
    const reset = { json: { token, newPassword: WORDS } }
    expect(await endedBy('POST', '/auth/password-reset', reset)).toEqual(all(person))
    const confirm = { json: { token: await linkFor(claim, 'confirm'), newPassword: WORDS } }
    expect(await endedBy('POST', '/auth/email/confirm', confirm)).toEqual(all(claim))
    const [mover, twice] = await createPeople(2, 2)
    const move = { token: await linkFor(mover, 'move', `${uniqueName('to')}@example.test`) }
    expect(await endedBy('POST', '/auth/email/move', { as: mover, json: move })).toEqual(all(mover))
    const first = await hashOf(twice)
    const second = twice.withSessionOf(await signIn(twice.username))
    const id = first.slice(0, 24)
    expect(await endedBy('DELETE', `/auth/sessions/${id}`, { as: second })).toEqual([
      [String(twice.id), first],
    ])
    const change = { oldPassword: PASSWORD, newPassword: WORDS }
    const changing = { as: second, json: change }
    expect(await endedBy('POST', '/auth/change-password', changing)).toEqual(all(twice))
    for (const [method, path, json] of [
      ['PATCH', `/user/${mover.username}`, { displayedName: 'x' }],
      ['DELETE', `/user/${mover.username}/sessions`, undefined],
      ['DELETE', `/user/${mover.username}`, undefined],
    ] as const)
      expect(await endedBy(method, path, { as: admin, json }), path).toEqual(all(mover))
  })
})

describe('a link', () => {
  test('that sets a password lets the account know the browser, and takes no word that others know', async () => {
    const { course, student: person, teacher } = await createCourse()
    await runSql`update courses set name = 'Graphtheory', name_key = 'graphtheory' where name = ${course}`
    const waiting = await createPerson(2, { active: false, emailConfirmed: false })
    const reset = await linkFor(person, 'reset')
    const activate = await linkFor(waiting, 'activate')
    const common = (path: string) => [
      expect.objectContaining({ path: [path], code: 'common_password' }),
    ]
    for (const newPassword of ['Graphtheory1', `${person.username}1`, `the${person.username}`]) {
      const json = { token: reset, newPassword }
      const { data } = await call('POST', '/auth/password-reset', { json })
      expect(data, newPassword).toEqual(common('newPassword'))
    }
    const own = { token: activate, password: `${waiting.username}1` }
    expect((await call('POST', '/auth/activate', { json: own })).data).toEqual(common('password'))
    const taught = { oldPassword: PASSWORD, newPassword: 'Graphtheory1' }
    const { data } = await teacher.post('/auth/change-password', taught)
    expect(data).toEqual(common('newPassword'))
    for (const [path, json] of [
      ['/auth/password-reset', { token: reset, newPassword: WORDS }],
      ['/auth/activate', { token: activate, password: WORDS }],
    ] as const) {
      const { status, headers } = await call('POST', path, { json })
      expect([status, headers.get('Set-Cookie')?.split('=')[0]]).toEqual([200, '__Host-device'])
    }
  })

  test('to another address replaces the one before it, and takes the account out of its course’s list', async () => {
    const { course, teacher, student } = await createCourse()
    await runSql`update users set made_in_course_id = (select id from courses where name = ${course})
      where id = ${student.id}`
    const emails = async () => (await teacher.get(`/course/${course}`)).data.emails
    expect(await emails()).toEqual({ [student.username]: emailOf(student) })
    const [one, two] = [uniqueName('one'), uniqueName('two')].map((name) => `${name}@example.test`)
    const tokens = []
    for (const email of [one ?? '', two ?? '']) {
      await student.post('/auth/email', { email })
      tokens.push(tokenIn(await lastMailTo(email), 'move'))
    }
    const move = (token: string | undefined) => student.post('/auth/email/move', { token })
    expect((await move(tokens[0])).code).toBe('bad_link')
    expect((await move(tokens[1])).status).toBe(200)
    expect((await student.get('/auth/me')).data.email).toBe(two)
    expect(await emails()).toEqual({})
  })

  test('of an address that two claim is for each what the account needs', async () => {
    const [open, waiting] = [
      await createPerson(2, { emailConfirmed: false }),
      await createPerson(2, { emailConfirmed: false, active: false }),
    ]
    const email = `${uniqueName('both')}@example.test`
    await runSql`update users set email = ${email} where id in (${open.id}, ${waiting.id})`
    await call('POST', '/auth/password-recovery', { json: { email } })
    const mail = await lastMailTo(email)
    const links = [open, waiting].map(
      ({ username }) => new RegExp(`^${username}: .*#(\\w+)=`, 'm').exec(mail)?.[1],
    )
    expect(links).toEqual(['token', 'activate'])
  })
})

test('a right password of an account that is closed is no guess: it costs no try', async () => {
  const person = await createPerson(2, { active: false })
  const ip = '203.0.113.45'
  await leaveTokens(`login:address:${ip}`, { burst: 400, intervalMs: 1_500 }, 1)
  for (let time = 0; time < 2; time += 1)
    expect((await signIn(person.username, PASSWORD, { 'CF-Connecting-IP': ip })).code).toBe(
      'invalid_user',
    )
  const records = await allRows`select ok, ip from login_records where user_id = ${person.id}`
  expect(records).toEqual([
    { ok: 1, ip },
    { ok: 1, ip },
  ])
})

test('asking what is free is limited by site, too', async () => {
  await useUp('check:site:2001:db8:77', ACCOUNT_LIMITS.checkPerSite)
  const ask = (ip: string) =>
    call('POST', '/auth/check/email', {
      json: { email: 'free@example.test' },
      headers: { 'CF-Connecting-IP': ip },
    })
  expect((await ask('2001:db8:77:1::1')).status).toBe(429)
  expect((await ask('2001:db8:78:1::1')).data).toEqual({ valid: 1 })
})
