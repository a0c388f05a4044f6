/** Batch sign-up without passwords: people get a mailed link. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { setupItems } from '#contract/installation/setup'
import { app } from '../../../worker/app.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { Env } from '../../../worker/env.ts'
import { insertActivationLinks } from '../../../worker/features/auth/sign-up/batch-signup-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { OPERATIONS, takeStalledOperations } from '../../../worker/features/operations/queries.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { deliver, finishOperations, workerEnv } from '../support/step-queue.ts'
import {
  call,
  createCourse,
  createPerson,
  requestOf,
  signIn,
  uniqueName,
} from '../support/world.ts'

/** A file of people without passwords: `<mark>-<index>`. */
function csvOf(mark: string, count: number, head = 'username,email'): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `${mark}-${index},${mark}-${index}@example.test`,
  )
  return [head, ...rows].join('\n')
}

const links = { mailLinks: true }

describe('a file without passwords', () => {
  test('makes accounts that wait for the link that each is mailed, and enrols them', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('ln')
    const newUsers = csvOf(mark, 12)
    const check = await teacher.post('/auth/batch-signup', {
      newUsers,
      course,
      ...links,
      dryRun: true,
    })
    expect(check.data).toMatchObject({ created: 12 })
    const started = await teacher.post('/auth/batch-signup', { newUsers, course, ...links })
    expect(started).toMatchObject({ status: 202, data: { done: 0, total: 12 } })
    const { jobId } = started.data
    await finishOperations(jobId)
    const answer = await teacher.get(`/auth/batch-signup/${jobId}`)
    expect(answer).toMatchObject({ status: 200, data: { created: 12, notMailed: [] } })
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(13)
    expect(await env.BUCKET.get(`signups/${jobId}`)).toBeNull()

    const name = `${mark}-11`
    const mail = await lastMailTo(`${name}@example.test`)
    expect(mail).toContain(name)
    expect((await signIn(name, 'long enough words')).status).toBe(403)
    const body = { token: tokenIn(mail, 'activate'), password: 'long enough words' }
    expect((await call('POST', '/auth/activate', { json: body })).status).toBe(200)
    expect((await signIn(name, 'long enough words')).status).toBe(200)
    const account = await firstRow`select active, email_confirmed_at is not null as confirmed
      from users where username = ${name}`
    expect(account).toEqual({ active: 1, confirmed: 1 })
    // The same file again mails nobody.
    const again = await teacher.post('/auth/batch-signup', { newUsers, course, ...links })
    expect(again).toMatchObject({ status: 200, data: { created: 0, unchanged: 12 } })
    expect(
      await allRows`select 1 from logged_mails where recipient like ${`${mark}-%`}`,
    ).toHaveLength(12)
  })

  test('mails only those whose password cell is empty; a bad password is still refused', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lp')
    const csv = (password: string) =>
      `username,password,email\n${mark}-a,${password},${mark}-a@example.test\n${mark}-b,,${mark}-b@example.test`
    const refused = await teacher.post('/auth/batch-signup', {
      newUsers: csv('short'),
      course,
      ...links,
    })
    expect(refused).toMatchObject({ status: 400, data: { created: 0 } })
    const { data } = await teacher.post('/auth/batch-signup', {
      newUsers: csv('long enough words'),
      course,
      ...links,
    })
    expect(data.total).toBe(2)
    await finishOperations(data.jobId)
    expect((await signIn(`${mark}-a`, 'long enough words')).status).toBe(200)
    await lastMailTo(`${mark}-b@example.test`)
    expect(
      await allRows`select 1 from logged_mails where recipient = ${`${mark}-a@example.test`}`,
    ).toEqual([])
  })

  test('a password given later, by the same teacher, opens the account without the link', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lf')
    const started = await teacher.post('/auth/batch-signup', {
      newUsers: csvOf(mark, 1),
      course,
      ...links,
    })
    await finishOperations(started.data.jobId)
    const newUsers = `username,password,email\n${mark}-0,long enough words,${mark}-0@example.test`
    const forced = await teacher.post('/auth/batch-signup', { newUsers, course, force: true })
    expect(forced.data).toMatchObject({ updated: 1 })
    expect((await signIn(`${mark}-0`, 'long enough words')).status).toBe(200)
  })

  test('is refused where no mail can be sent, before anything is stored', async () => {
    const { course, teacher } = await createCourse()
    const bare = { ...workerEnv, MAIL_DRIVER: undefined }
    const context = createExecutionContext()
    const newUsers = csvOf(uniqueName('no'), 1)
    const request = requestOf('POST', '/auth/batch-signup', {
      as: teacher,
      json: { newUsers, course, ...links, dryRun: true },
    })
    const answer = await app.fetch(request, bare, context)
    await waitOnExecutionContext(context)
    expect(await answer.json()).toMatchObject({ code: 'not_configured' })
    expect(answer.status).toBe(409)
  })

  test('names those whose mail was not taken; their accounts are there', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lm')
    const started = await teacher.post('/auth/batch-signup', {
      newUsers: csvOf(mark, 2),
      course,
      ...links,
    })
    const { jobId } = started.data
    const refusing: Env = {
      ...workerEnv,
      MAIL_DRIVER: 'cloudflare',
      MAIL_FROM: 'judge@example.test',
      MAIL: { send: () => Promise.reject(new Error('no such destination')) },
    }
    await deliver({ v: 1, jobId }, undefined, refusing)
    const { data } = await teacher.get(`/auth/batch-signup/${jobId}`)
    expect(data).toMatchObject({ created: 2, notMailed: [`${mark}-0`, `${mark}-1`] })
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(3)
    expect(await firstRow`select value from vitals where name = 'mail_errors'`).toEqual({
      value: 1,
    })
  })

  test('waits as long as the mail service asks, then goes on where it stopped; admins see what waits', async () => {
    const { course, teacher } = await createCourse()
    const admin = await createPerson(0)
    const mark = uniqueName('lw')
    const started = await teacher.post('/auth/batch-signup', {
      newUsers: csvOf(mark, 3),
      course,
      ...links,
    })
    const { jobId } = started.data
    const sent: string[] = []
    const busy: Env = {
      ...workerEnv,
      MAIL_DRIVER: 'cloudflare',
      MAIL_FROM: 'judge@example.test',
      MAIL: {
        async send(mail: { to: string }) {
          if (sent.length === 1)
            throw Object.assign(new Error('no more'), { code: 'E_DAILY_LIMIT_EXCEEDED' })
          sent.push(mail.to)
          return { messageId: '1' }
        },
      } as unknown as SendEmail,
    }
    await deliver({ v: 1, jobId }, undefined, busy)
    expect((await teacher.get(`/jobs/${jobId}`)).data).toMatchObject({ state: 'running', done: 1 })
    const mailItem = async () =>
      setupItems
        .parse((await admin.get('/setup?page=https://judge.test')).data)
        .find(({ item }) => item === 'mail')
    const { waiting } = (await mailItem()) ?? {}
    expect(waiting?.mails).toBe(2)
    expect(Math.abs((waiting?.until ?? 0) - nowSeconds() - 3_600)).toBeLessThan(60)
    // A message that comes too early finds nothing to do.
    await deliver({ v: 1, jobId })
    expect((await teacher.get(`/jobs/${jobId}`)).data).toMatchObject({ done: 1 })
    expect(await takeStalledOperations(openDb(env.DB), nowSeconds() + 3_000)).not.toContain(jobId)
    expect(await takeStalledOperations(openDb(env.DB), nowSeconds() + 3_700)).toContain(jobId)
    await runSql`update operations set lease_until = 1 where id = ${jobId}`
    await finishOperations(jobId)
    const { data } = await teacher.get(`/auth/batch-signup/${jobId}`)
    expect(data).toMatchObject({ created: 3, notMailed: [] })
    expect(sent).toEqual([`${mark}-0@example.test`])
    expect(
      await allRows`select recipient from logged_mails where recipient like ${`${mark}-%`} order by id`,
    ).toEqual([1, 2].map((n) => ({ recipient: `${mark}-${n}@example.test` })))
    expect(await mailItem()).not.toHaveProperty('waiting')
  })

  test('waits for the next day once MAIL_DAILY_LIMIT mails are out, whoever sent them', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('ld')
    const started = await teacher.post('/auth/batch-signup', {
      newUsers: csvOf(mark, 3),
      course,
      ...links,
    })
    const { jobId } = started.data
    await runSql`delete from vitals where name in ('mail_day', 'mails_of_day')`
    const limited: Env = { ...workerEnv, MAIL_DAILY_LIMIT: '3' }
    const admin = await createPerson(0)
    expect((await admin.post('/setup/mail')).data.fault).toBeNull()
    await deliver({ v: 1, jobId }, undefined, limited)
    const mailed = async () =>
      (await allRows`select 1 from logged_mails where recipient like ${`${mark}-%`}`).length
    expect(await mailed()).toBe(2)
    const until = Number(await firstValue`select lease_until from operations where id = ${jobId}`)
    expect([until % 86_400, until > nowSeconds()]).toEqual([0, true])
    await runSql`update operations set lease_until = 1 where id = ${jobId}`
    await deliver({ v: 1, jobId }, undefined, limited)
    expect(await mailed()).toBe(2)
    // Yesterday's mails do not count.
    await runSql`update operations set lease_until = 1 where id = ${jobId}`
    await runSql`update vitals set value = value - 1 where name = 'mail_day'`
    await deliver({ v: 1, jobId }, undefined, limited)
    expect(await mailed()).toBe(3)
    expect((await teacher.get(`/auth/batch-signup/${jobId}`)).data).toMatchObject({ created: 3 })
    expect(await firstValue`select value from vitals where name = 'mails_of_day'`).toBe(1)
  })

  test('is no failure when links cannot be mailed again and again: it names who got none', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lg')
    const newUsers = csvOf(mark, 2)
    const started = await teacher.post('/auth/batch-signup', { newUsers, course, ...links })
    const { jobId } = started.data
    const broken: Env = { ...workerEnv, WEB_ORIGIN: undefined }
    // The first stores the accounts.
    for (let count = 0; count <= OPERATIONS.maxAttempts; count += 1)
      await deliver({ v: 1, jobId }, undefined, broken)
    expect(await teacher.get(`/auth/batch-signup/${jobId}`)).toMatchObject({
      status: 200,
      data: { created: 2, notMailed: [`${mark}-0`, `${mark}-1`] },
    })
  })

  test('a step that is repeated gives another link to those who wait, and none to others', async () => {
    const { course, teacher, student } = await createCourse()
    const mark = uniqueName('lr')
    const newUsers = csvOf(mark, 1)
    const started = await teacher.post('/auth/batch-signup', { newUsers, course, ...links })
    await finishOperations(started.data.jobId)
    const hash = async () =>
      (
        await firstRow<{ hash: string }>`select token_hash as hash
      from account_links join users on users.id = user_id where username = ${`${mark}-0`}`
      )?.hash
    const before = await hash()
    const again = [`${mark}-0`, student.username].map((username) => ({
      username,
      tokenHash: `again ${username}`,
    }))
    const stored = await insertActivationLinks(openDb(env.DB), again, 1)
    expect(stored).toEqual([`again ${mark}-0`])
    expect(await hash()).not.toBe(before)
  })
})
