/** Batch sign-up without passwords: people get a mailed link. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../worker/app.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { Env } from '../../../worker/env.ts'
import { insertActivationLinks } from '../../../worker/features/auth/sign-up/batch-signup-queries.ts'
import { OPERATIONS } from '../../../worker/features/operations/queries.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { allRows, firstRow } from '../support/sql.ts'
import { deliver, finishOperations, workerEnv } from '../support/step-queue.ts'
import { call, createCourse, requestOf, signIn, uniqueName } from '../support/world.ts'

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
