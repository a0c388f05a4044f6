/** Invitations of teaching assistants by mail; and what is kept, exported and erased of how people joined. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { SESSION_SECONDS } from '../../../worker/db/lifetimes.ts'
import { noteTime } from '../../../worker/db/vitals.ts'
import { mailDueLinks } from '../../../worker/features/auth/sign-up/due-links.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { createCode, outcome } from '../support/joining.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { allRows, firstValue, queryPlan, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { call, createCourse, createPerson, Person, uniqueName } from '../support/world.ts'

const db = openDb(env.DB)

/** A course and how its teacher invites. */
async function inviting() {
  const { course, teacher } = await createCourse()
  const invite = (...emails: string[]) => teacher.post(`/course/${course}/invitations`, { emails })
  return { course, teacher, invite }
}

/** The code in the last invitation to an address. */
async function codeFor(email: string, count = 1): Promise<string> {
  return /\/join#(\S+)/.exec(await lastMailTo(email, count))?.[1] ?? ''
}

/** Makes an account by a code. */
async function makeAccount(code: string, email: string) {
  const username = uniqueName('guest')
  const json = { code, username, email, password: 'a few plain words' }
  const answer = await call('POST', '/join/account', { json })
  const id = await firstValue<number>`select id from users where username = ${username}`
  return { answer, person: new Person(id ?? 0, username, '').withSessionOf(answer) }
}

describe('an invitation', () => {
  test('makes an account whose address is confirmed, as teaching assistant, once', async () => {
    const { course, invite } = await inviting()
    const email = `${uniqueName('ta')}@example.test`
    expect((await invite(email)).status).toBe(200)
    const code = await codeFor(email)
    expect((await makeAccount(code, `other-${email}`)).answer.code).toBe('bad_body')
    const { person } = await makeAccount(code, email)
    const me = (await person.get('/auth/me')).data
    expect([me.emailConfirmed, me.confirmBy]).toEqual([true, undefined])
    expect((await person.get(`/course/${course}`)).data.TAs[0].username).toBe(person.username)
    expect((await makeAccount(code, email)).answer.code).toBe('join_code_full')
  })

  test('takes an existing account, and gives way to a newer one to the same address', async () => {
    const { invite } = await inviting()
    const person = await createPerson(2)
    const email = `${person.username}@example.test`
    await invite(email)
    const old = await codeFor(email)
    await invite(email)
    const code = await codeFor(email, 2)
    expect(outcome(await person.post('/join', { code: old }))).toBe('join_code_not_found')
    expect(outcome(await person.post('/join', { code }))).toBe('joined')
    const kept = await allRows`select code, joined from join_codes where email = ${email}`
    expect(kept).toEqual([{ code: null, joined: 1 }])
  })

  test('needs a fresh password, room among the codes, and no more than a hundred at once', async () => {
    const { course, teacher, invite } = await inviting()
    const many = (count: number) =>
      Array.from({ length: count }, () => `${uniqueName('many')}@example.test`)
    for (const _each of [1, 2]) expect((await invite(...many(20))).status).toBe(200)
    expect((await invite(...many(11))).code).toBe('too_many_join_codes')
    const path = `/course/${course}/joining`
    expect((await teacher.get(path)).data.codes).toHaveLength(40)
    await runSql`insert or replace into rate_limits (key, full_at_ms, allowed)
      values (${`invite:user:${teacher.id}`}, ${Date.now() + 100 * 60_000}, 1)`
    expect((await invite(...many(1))).status).toBe(429)
    expect((await teacher.get(path)).data.codes).toHaveLength(40)
    await runSql`update sessions set confirmed_at = confirmed_at - ${SESSION_SECONDS.confirmed + 1}
      where user_id = ${teacher.id}`
    expect((await invite(...many(1))).code).toBe('password_required')
  })
})

describe('the first mail of an account', () => {
  test('waits while the mail service pauses; then the sweeper mails it, once', async () => {
    const { code } = await createCode()
    await noteTime(db, 'mails_resume_at', nowSeconds() + 3_600)
    const email = `${uniqueName('late')}@example.test`
    const { person } = await makeAccount(code, email)
    const mails = () => allRows`select id from logged_mails where recipient = ${email}`
    await mailDueLinks(workerEnv, db, nowSeconds())
    expect(await mails()).toEqual([])
    await runSql`delete from vitals where name = 'mails_resume_at'`
    for (const _each of [1, 2]) await mailDueLinks(workerEnv, db, nowSeconds())
    expect(await mails()).toHaveLength(1)
    const json = { token: tokenIn(await lastMailTo(email), 'confirm') }
    expect((await person.post('/auth/email/confirm', json)).status).toBe(200)
  })

  test('is found by the index of due links', async () => {
    const plan = await queryPlan(
      `select id from users where link_due_at is not null and disabled_at is null
      and (password_hash is null or (confirm_due_at is not null and email_confirmed_at is null))
      and link_due_at <= ? order by link_due_at`,
      1,
    )
    expect(plan.join()).toContain('users_link_due')
  })
})

test('a file that enrols a person ends their request', async () => {
  const { course, teacher, code } = await createCode({ approval: true })
  const person = await createPerson(2)
  expect(outcome(await person.post('/join', { code }))).toBe('waiting')
  const newUsers = `username,password,email\n${person.username},,${person.username}@example.test`
  const added = await teacher.post('/auth/batch-signup', { newUsers, course })
  expect(added.data).toMatchObject({ enrolled: 1 })
  expect(await allRows`select state from join_requests where user_id = ${person.id}`).toEqual([])
})

test('the export says how a person joined; erasing leaves nothing of it', async () => {
  const { course, invite } = await inviting()
  const waits = await createCode({ approval: true })
  const admin = await createPerson(0)
  const email = `${uniqueName('leaver')}@example.test`
  await invite(email)
  const { person } = await makeAccount(await codeFor(email), email)
  await person.post('/join', { code: waits.code })
  await runSql`insert into notices (kind, course_id, user_id, subject_id, created_at)
    select 'answer', id, ${person.id}, 'q', 7 from courses where name = ${course}`
  await runSql`insert into notice_settings (user_id, unsubscribe_key) values (${person.id}, ${uniqueName('key')})`
  await runSql`insert into notice_mails (due_at, user_id) values (1, ${person.id})`
  const { data } = await person.get('/auth/me/export')
  expect(data.memberships).toMatchObject([{ course, role: 'ta', joinedBy: 'code' }])
  expect(data.joinRequests).toMatchObject([{ course: waits.course, state: 'waiting' }])
  expect(data.notices).toEqual([{ course, kind: 'answer', subjectId: 'q', time: 7 }])
  expect(data.noticeSettings).toMatchObject({ seenId: 0, mailsOff: false })
  expect(JSON.stringify(data)).not.toContain('unsubscribe')
  expect((await admin.delete(`/user/${person.username}`)).status).toBe(200)
  const left =
    await allRows`select 'request' as what from join_requests where user_id = ${person.id}
    union all select 'notice' from notices where user_id = ${person.id}
    union all select 'setting' from notice_settings where user_id = ${person.id}
    union all select 'mail' from notice_mails where user_id = ${person.id}
    union all select 'code' from join_codes where email = ${email}`
  expect(left).toEqual([])
})
