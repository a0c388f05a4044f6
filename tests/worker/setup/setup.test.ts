/** The check list of the first-run page reflects the installation, and its trials report the truth. */
import { env } from 'cloudflare:workers'
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { setupItems, type SetupItemName } from '#contract/installation/setup'
import { app } from '../../../worker/app.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import type { Env } from '../../../worker/env.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { ALARM_SWEEP_SECONDS } from '../../../worker/db/vitals.ts'
import { lastMailTo } from '../support/mails.ts'
import { firstValue } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { call, createCourse, createPerson, registerRunner, requestOf } from '../support/world.ts'

const PAGE = '/setup?page=https://judge.test'

async function ask(method: string, path: string, settings: Partial<Env> = {}) {
  const admin = await createPerson(0)
  const context = createExecutionContext()
  const request = requestOf(method, path, { as: admin })
  const answer = await app.fetch(request, { ...workerEnv, ...settings }, context)
  await waitOnExecutionContext(context)
  const { code, data } = await answer.json<{ code?: string; data: unknown }>()
  return { status: answer.status, code, data, admin }
}

async function itemOf(name: SetupItemName, settings: Partial<Env> = {}, path = PAGE) {
  const items = setupItems.parse((await ask('GET', path, settings)).data)
  const found = items.find(({ item }) => item === name)
  return { state: found?.state, lacks: found?.lacks.map((fault) => fault.name) }
}

const done = { state: 'done', lacks: [] }

beforeEach(async () => {
  const statements = [
    'delete from vitals',
    'delete from runners',
    "update courses set deleted_at = 1 where name <> 'Public'",
    'update users set role = 2 where role = 1',
  ]
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
})

test('the address is done where links of mails lead to the page that asks', async () => {
  expect(await itemOf('address')).toEqual(done)
  const elsewhere = '/setup?page=https://other.test'
  expect(await itemOf('address', {}, elsewhere)).toEqual({ state: 'failed', lacks: [] })
  const lacking = { state: 'open', lacks: ['WEB_ORIGIN'] }
  expect(await itemOf('address', { WEB_ORIGIN: undefined })).toEqual(lacking)
})

test('the sweeper leaves its time; five minutes later it counts as silent', async () => {
  expect(await itemOf('cron')).toMatchObject({ state: 'open' })
  await sweep(workerEnv, nowSeconds())
  expect(await itemOf('cron')).toEqual(done)
  await sweep(workerEnv, nowSeconds() - ALARM_SWEEP_SECONDS)
  expect(await itemOf('cron')).toMatchObject({ state: 'failed' })
})

test('host, teacher and course are done once they are there', async () => {
  for (const name of ['host', 'teacher', 'course'] as const)
    expect([name, (await itemOf(name)).state]).toEqual([name, 'open'])
  await registerRunner()
  expect(await itemOf('host')).toEqual(done)
  await env.DB.prepare('update runners set heartbeat_at = heartbeat_at - 600').run()
  expect(await itemOf('host')).toMatchObject({ state: 'failed' })
  await registerRunner()
  expect(await itemOf('host')).toEqual(done)
  await createPerson(1)
  expect(await itemOf('teacher')).toEqual(done)
  expect(await itemOf('course')).toMatchObject({ state: 'open' })
  await createCourse()
  expect(await itemOf('course')).toEqual(done)
})

test('a test mail goes to the admin who asks; a driver that fails is quoted', async () => {
  expect(await itemOf('mail')).toEqual({ state: 'open', lacks: [] })
  const sent = await ask('POST', '/setup/mail')
  const email = `${sent.admin.username}@example.test`
  expect(sent.data).toEqual({ to: email, fault: null })
  expect(await lastMailTo(email)).toContain('test mail')
  expect(await itemOf('mail')).toEqual(done)
  await env.DB.prepare("update vitals set value = value - 5 where name = 'mail_sent_at'").run()
  const broken = {
    MAIL_DRIVER: 'cloudflare',
    MAIL_FROM: 'judge@example.test',
    MAIL: {
      async send() {
        throw new Error('550 no such sender judge@example.test')
      },
    } as unknown as SendEmail,
  }
  const failed = await ask('POST', '/setup/mail', broken)
  expect(failed.data).toMatchObject({ fault: 'Error: 550 no such sender …' })
  expect(await firstValue`select value from vitals where name = 'mail_errors'`).toBe(1)
  expect(await itemOf('mail', broken)).toEqual({ state: 'failed', lacks: [] })
  const none = { MAIL_DRIVER: undefined }
  expect(await itemOf('mail', none)).toEqual({ state: 'open', lacks: ['MAIL_DRIVER'] })
  expect(await ask('POST', '/setup/mail', none)).toMatchObject({ code: 'not_configured' })
})

test('a trial of hashing that did not come to its end is a failed one', async () => {
  expect(await itemOf('hashing')).toMatchObject({ state: 'open' })
  expect((await ask('POST', '/setup/hashing')).status).toBe(200)
  expect(await itemOf('hashing')).toEqual(done)
  await env.DB.prepare("update vitals set value = value - 3600 where name = 'hashed_at'").run()
  expect(await itemOf('hashing')).toMatchObject({ state: 'failed' })
})

test('registration needs its token', async () => {
  expect(await itemOf('registration')).toEqual(done)
  const lacks = ['RUNNER_REGISTRATION_TOKEN']
  expect(await itemOf('registration', { RUNNER_REGISTRATION_TOKEN: '' })).toEqual({
    state: 'open',
    lacks,
  })
})

test('the list is for admins', async () => {
  expect((await call('GET', PAGE, { as: await createPerson(1) })).status).toBe(403)
  expect((await call('GET', PAGE)).status).toBe(401)
})
