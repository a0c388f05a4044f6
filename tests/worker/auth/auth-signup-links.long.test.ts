/** Batch sign-up without passwords: people get a link by mail. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { setupItems } from '#contract/installation/setup'
import { sweep } from '../../../worker/background/sweep.ts'
import { app } from '../../../worker/app.ts'
import { openDb } from '../../../worker/db/client.ts'
import { noteTime } from '../../../worker/db/vitals.ts'
import type { Env } from '../../../worker/env.ts'
import { storeDueLinks } from '../../../worker/features/auth/sign-up/due-link-queries.ts'
import { mailDueLinks } from '../../../worker/features/auth/sign-up/due-links.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  call,
  createCourse,
  createPerson,
  requestOf,
  signIn,
  uniqueName,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(() => runSql`delete from vitals where name like '%mail%'`)

/** A file of people without passwords; their names are `<mark>-<index>`. */
function csvOf(mark: string, count: number, head = 'username,email'): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `${mark}-${index},${mark}-${index}@example.test`,
  )
  return [head, ...rows].join('\n')
}

/** Sends a file and mails the links, by default with the mails of the tests. */
async function upload(as: Person, json: object, bindings: Env = workerEnv) {
  const context = createExecutionContext()
  const request = requestOf('POST', '/auth/batch-signup', {
    as,
    json: { mailLinks: true, ...json },
  })
  const answer = await app.fetch(request, bindings, context)
  await waitOnExecutionContext(context)
  const { code, data } = await answer.json<{ code?: string; data: Record<string, unknown> }>()
  return { status: answer.status, code, data }
}

/** Bindings with this mail service. */
function mailingBy(send: (mail: { to: string }) => Promise<unknown>): Env {
  const service = { MAIL_DRIVER: 'cloudflare', MAIL_FROM: 'judge@example.test' } as const
  return { ...workerEnv, ...service, MAIL: { send } as unknown as SendEmail }
}

/** The numbers of the people in a file who got a mail, in order. */
async function mailedOf(mark: string): Promise<number[]> {
  const rows = await allRows<{ recipient: string }>`
    select recipient from logged_mails where recipient like ${`${mark}-%`} order by id`
  return rows.map(({ recipient }) => Number.parseInt(recipient.slice(mark.length + 1), 10))
}

describe('a file without passwords', () => {
  test('makes accounts that wait for the link that each is mailed, and enrols them', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('ln')
    const file = { newUsers: csvOf(mark, 12), course }
    expect((await upload(teacher, { ...file, dryRun: true })).data).toMatchObject({ created: 12 })
    expect(await upload(teacher, file)).toMatchObject({
      status: 200,
      data: { created: 12, notMailed: [], waitingLinks: 0 },
    })
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(13)

    const name = `${mark}-11`
    const mail = await lastMailTo(`${name}@example.test`)
    expect(mail).toContain(name)
    expect((await signIn(name, 'long enough words')).status).toBe(403)
    const body = { token: tokenIn(mail, 'activate'), password: 'long enough words' }
    expect((await call('POST', '/auth/activate', { json: body })).status).toBe(200)
    expect((await signIn(name, 'long enough words')).status).toBe(200)
    const account = await allRows`select active, email_confirmed_at is not null as confirmed
      from users where username = ${name}`
    expect(account).toEqual([{ active: 1, confirmed: 1 }])
    // Sending the same file again mails nobody.
    expect((await upload(teacher, file)).data).toMatchObject({ created: 0, unchanged: 12 })
    expect(await mailedOf(mark)).toHaveLength(12)
  })

  test('mails only those whose password cell is empty; a bad password is still refused', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lp')
    const csv = (password: string) =>
      `username,password,email\n${mark}-0,${password},${mark}-0@example.test\n${mark}-1,,${mark}-1@example.test`
    expect(await upload(teacher, { newUsers: csv('short'), course })).toMatchObject({
      status: 400,
      data: { created: 0 },
    })
    await upload(teacher, { newUsers: csv('long enough words'), course })
    expect((await signIn(`${mark}-0`, 'long enough words')).status).toBe(200)
    expect(await mailedOf(mark)).toEqual([1])
  })

  test('a password given later, by the same teacher, opens the account, and no link is due any more', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lf')
    await noteTime(db, 'mails_resume_at', nowSeconds() + 3_600)
    await upload(teacher, { newUsers: csvOf(mark, 1), course })
    const newUsers = `username,password,email\n${mark}-0,long enough words,${mark}-0@example.test`
    const forced = await teacher.post('/auth/batch-signup', { newUsers, course, force: true })
    expect(forced.data).toMatchObject({ updated: 1 })
    expect((await signIn(`${mark}-0`, 'long enough words')).status).toBe(200)
    await mailDueLinks(workerEnv, db, nowSeconds() + 86_400)
    expect(await mailedOf(mark)).toEqual([])
  })

  test('is refused where no mail can be sent, before anything is stored', async () => {
    const { course, teacher } = await createCourse()
    const bare = { ...workerEnv, MAIL_DRIVER: undefined }
    const file = { newUsers: csvOf(uniqueName('no'), 1), course, dryRun: true }
    expect(await upload(teacher, file, bare)).toMatchObject({ status: 409, code: 'not_configured' })
  })

  test('names those whose mail was not taken; their accounts are there', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lm')
    const refusing = mailingBy(() => Promise.reject(new Error('no such destination')))
    const { data } = await upload(teacher, { newUsers: csvOf(mark, 2), course }, refusing)
    expect(data).toMatchObject({
      created: 2,
      notMailed: [`${mark}-0`, `${mark}-1`],
      waitingLinks: 0,
    })
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(3)
    expect(await firstValue`select value from vitals where name = 'mail_errors'`).toBe(1)
  })
})

describe('links that are due', () => {
  test('wait as long as the mail service asks, then the sweeper mails them; admins see what waits', async () => {
    const { course, teacher } = await createCourse()
    const admin = await createPerson(0)
    const mark = uniqueName('lw')
    const sent: string[] = []
    const busy = mailingBy(async ({ to }) => {
      if (sent.length === 1)
        throw Object.assign(new Error('no more'), { code: 'E_DAILY_LIMIT_EXCEEDED' })
      sent.push(to)
      return { messageId: '1' }
    })
    const { data } = await upload(teacher, { newUsers: csvOf(mark, 3), course }, busy)
    expect(data).toMatchObject({ created: 3, notMailed: [], waitingLinks: 2 })
    expect(sent).toEqual([`${mark}-0@example.test`])
    const mailItem = async () =>
      setupItems
        .parse((await admin.get('/setup?page=https://judge.test')).data)
        .find(({ item }) => item === 'mail')
    const { waiting } = (await mailItem()) ?? {}
    expect(waiting?.mails).toBe(2)
    expect(Math.abs((waiting?.until ?? 0) - nowSeconds() - 3_600)).toBeLessThan(60)
    await sweep(workerEnv, nowSeconds() + 3_000)
    expect(await mailedOf(mark)).toEqual([])
    await sweep(workerEnv, nowSeconds() + 3_700)
    expect(await mailedOf(mark)).toEqual([1, 2])
    expect(await mailItem()).not.toHaveProperty('waiting')
  })

  test('wait for the next day once MAIL_DAILY_LIMIT mails are out, whoever sent them', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('ld')
    const limited: Env = { ...workerEnv, MAIL_DAILY_LIMIT: '3' }
    const admin = await createPerson(0)
    expect((await admin.post('/setup/mail')).data.fault).toBeNull()
    const { data } = await upload(teacher, { newUsers: csvOf(mark, 3), course }, limited)
    expect(data).toMatchObject({ created: 3, waitingLinks: 1 })
    expect(await mailedOf(mark)).toHaveLength(2)
    await mailDueLinks(limited, db, nowSeconds())
    const until = Number(await firstValue`select value from vitals where name = 'mails_resume_at'`)
    expect([until % 86_400, until > nowSeconds()]).toEqual([0, true])
    await mailDueLinks(limited, db, nowSeconds())
    expect(await mailedOf(mark)).toHaveLength(2)
    // Only today's mails count.
    await mailDueLinks(limited, db, until)
    expect(await mailedOf(mark)).toHaveLength(3)
    expect(await firstValue`select value from vitals where name = 'mails_of_day'`).toBe(1)
  })

  test('stay due while no mail can be sent', async () => {
    const { course, teacher } = await createCourse()
    const mark = uniqueName('lg')
    await noteTime(db, 'mails_resume_at', nowSeconds() + 3_600)
    await upload(teacher, { newUsers: csvOf(mark, 2), course })
    const later = nowSeconds() + 86_400
    expect(await mailDueLinks({ ...workerEnv, WEB_ORIGIN: undefined }, db, later)).toEqual([])
    expect(await mailedOf(mark)).toEqual([])
    await mailDueLinks(workerEnv, db, later)
    expect(await mailedOf(mark)).toEqual([0, 1])
  })

  test('are mailed by one caller at a time, again when that one died, and to nobody who needs none', async () => {
    const { course, teacher, student } = await createCourse()
    const admin = await createPerson(0)
    const mark = uniqueName('lr')
    await noteTime(db, 'mails_resume_at', nowSeconds() + 3_600)
    await upload(teacher, { newUsers: csvOf(mark, 3), course })
    const later = nowSeconds() + 86_400
    const names = [`${mark}-0`, `${mark}-1`, student.username]
    const take = (now: number) => {
      const links = names.map((username) => ({ username, tokenHash: `${username} ${now}` }))
      return storeDueLinks(db, links, now)
    }
    const hashesAt = (now: number) => [`${mark}-0 ${now}`, `${mark}-1 ${now}`]
    expect(await take(later)).toEqual(hashesAt(later))
    expect(await take(later + 599)).toEqual([])
    expect(await take(later + 600)).toEqual(hashesAt(later + 600))
    expect((await admin.delete(`/user/${mark}-1`)).status).toBe(200)
    await admin.patch(`/user/${mark}-2`, { active: false })
    await mailDueLinks(workerEnv, db, later + 1_200)
    expect(await mailedOf(mark)).toEqual([0])
  })
})
