/** The operator gets each alarm once when its state begins, and once when it ends. */
import { env } from 'cloudflare:workers'
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { alarmList, type AlarmState } from '#contract/installation/alarms'
import { DATABASE } from '#contract/limits'
import { app } from '../../../worker/app.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { Env } from '../../../worker/env.ts'
import { OPERATIONS, insertOperation } from '../../../worker/features/operations/queries.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { newOperator } from '../support/alarms.ts'
import { emptyQueue } from '../support/judge.ts'
import { runSql } from '../support/sql.ts'
import { deliver, workerEnv } from '../support/step-queue.ts'
import { createPerson, createProblem, registerRunner, requestOf, submit } from '../support/world.ts'

const DAY = 86_400
const db = openDb(env.DB)

/** The alarms that an admin sees. */
async function lasting(): Promise<AlarmState[]> {
  const { data } = await (await createPerson(0)).get('/alarms')
  return alarmList.parse(data).map(({ state }) => state)
}

/** A database that reports this size: no test fills ten gigabytes. */
function databaseOf(bytes: number): D1Database {
  const resized = (sql: string) => {
    const statement = env.DB.prepare(sql)
    if (sql !== 'select 1') return statement
    return {
      async all() {
        const answer = await statement.all()
        return { ...answer, meta: { ...answer.meta, size_after: bytes } }
      },
    }
  }
  return new Proxy(env.DB, {
    get: (target, name) => (name === 'prepare' ? resized : Reflect.get(target, name).bind(target)),
  })
}

const REFUSING = {
  MAIL_DRIVER: 'cloudflare',
  MAIL_FROM: 'judge@example.test',
  MAIL: {
    async send() {
      throw new Error('no such destination')
    },
  } as unknown as SendEmail,
}

/** Asks for a test mail with these bindings. */
async function sendMail(bindings: Partial<Env>) {
  const request = requestOf('POST', '/setup/mail', { as: await createPerson(0) })
  const context = createExecutionContext()
  expect((await app.fetch(request, { ...workerEnv, ...bindings }, context)).status).toBe(200)
  await waitOnExecutionContext(context)
}

/** How a state begins and ends, and the bindings that it needs meanwhile. */
interface Trial {
  state: AlarmState
  begin(): Promise<Partial<Env> | void>
  end(): Promise<Partial<Env> | void>
  /** Seconds until the operator is told. */
  patience?: number
  /** Seconds after which it ends by itself. */
  lasts?: number
}

const TRIALS: Trial[] = [
  {
    state: 'nobody_judges',
    async begin() {
      const { student, problemId } = await createProblem()
      await submit(student, problemId)
      await runSql`update judgements set queued_at = queued_at - 3600`
    },
    async end() {
      await registerRunner()
      await runSql`update runners set version = ${packageJson.version}, heartbeat_at = heartbeat_at + 3600`
    },
  },
  {
    state: 'storage_held',
    async begin() {
      await runSql`update installation set state = 'held'`
    },
    async end() {
      await runSql`update installation set state = 'ok'`
    },
  },
  {
    state: 'database_filling',
    begin: async () => ({ DB: databaseOf(DATABASE.warnShare * DATABASE.mostBytes) }),
    end: async () => ({ DB: databaseOf(DATABASE.warnShare * DATABASE.mostBytes - 1) }),
  },
  {
    state: 'mails_failing',
    begin: () => sendMail(REFUSING),
    end: () => sendMail({}),
    patience: 300,
  },
  {
    state: 'operation_given_up',
    async begin() {
      const { id: ownerId } = await createPerson(0)
      const id = newHexId(Date.now())
      await insertOperation(db, { id, kind: 'rejudge', ownerId, total: 1, payload: 0, now: 1 })
      const rejudge = () => Promise.reject(new Error('no'))
      for (let count = 0; count < OPERATIONS.maxAttempts; count += 1)
        await deliver({ v: 1, jobId: id }, { rejudge })
    },
    end: async () => {},
    lasts: DAY + 60,
  },
  {
    state: 'no_backup',
    async begin() {
      await runSql`update vitals set value = value - ${3 * DAY} where name = 'backed_up_at'`
    },
    async end() {
      await runSql`update vitals set value = value + ${3 * DAY} where name = 'backed_up_at'`
    },
  },
  {
    state: 'old_host',
    async begin() {
      await registerRunner()
      await runSql`update runners set version = '0.0.9', heartbeat_at = heartbeat_at + ${9 * DAY}`
    },
    async end() {
      await runSql`update runners set version = ${packageJson.version}`
    },
    patience: DAY,
  },
]

beforeEach(async () => {
  await emptyQueue()
  for (const table of ['alarms', 'vitals', 'runners', 'operations'])
    await env.DB.prepare(`delete from ${table}`).run()
  await adoptBucket(workerEnv, db)
  await runSql`insert into vitals (name, value) values ('backed_up_at', unixepoch())`
})

test.each(TRIALS)('$state is told once when it begins and once when it is over', async (trial) => {
  const { state, begin, end, patience = 0, lasts = 60 } = trial
  const operator = newOperator()
  const bindings: Env = { ...operator.env, BACKUP_DAYS: '3' }
  const start = nowSeconds()
  await sweep(bindings, start)
  expect(await operator.notices()).toEqual([])
  const ill = { ...bindings, ...(await begin()) }
  if (patience > 0) {
    await sweep(ill, start)
    expect(await lasting()).toEqual([state])
    await sweep(ill, start + patience - 1)
    expect(await operator.notices()).toEqual([])
  }
  await sweep(ill, start + patience)
  const told = await operator.notices()
  expect(told).toMatchObject([{ state, isOver: false }])
  expect(told[0]?.since).toBeLessThanOrEqual(nowSeconds() + patience)
  expect(told[0]?.url).toMatch(/^https:\/\/judge\.test\/admin\/(dashboard|setup)$/)
  expect(await lasting()).toEqual([state])
  await sweep(ill, start + patience + 45)
  expect(await operator.notices()).toHaveLength(1)

  const well = { ...bindings, ...(await end()) }
  await sweep(well, start + patience + lasts)
  expect(await operator.notices()).toMatchObject([
    { state, isOver: false },
    { state, since: told[0]?.since, isOver: true, text: expect.stringContaining('Over: ') },
  ])
  expect(await lasting()).toEqual([])
  await sweep(well, start + patience + lasts + 60)
  expect(await operator.notices()).toHaveLength(2)
  expect((await operator.mails()).map(({ subject }) => subject)).toEqual([
    told[0]?.text.split('. ')[0],
    `Over: ${told[0]?.text.split('. ')[0]}`,
  ])
})

test('a database that is nearly full is told beside one that fills up', async () => {
  const operator = newOperator()
  const now = nowSeconds()
  const fill = (share: number) =>
    sweep({ ...operator.env, DB: databaseOf(share * DATABASE.mostBytes) }, now)
  await fill(DATABASE.warnShare)
  await fill(DATABASE.alarmShare)
  const states = (await operator.notices()).map(({ state }) => state)
  expect(states).toEqual(['database_filling', 'database_nearly_full'])
})

test('an installation that was never backed up is told so many days after it began', async () => {
  const operator = newOperator()
  const settings = { ...operator.env, BACKUP_DAYS: '3' }
  await createPerson(2)
  await runSql`delete from vitals where name = 'backed_up_at'`
  const now = nowSeconds()
  await runSql`update users set created_at = ${now - 3 * DAY + 1}`
  await sweep(settings, now)
  await sweep({ ...settings, BACKUP_DAYS: '0' }, now + 60)
  expect(await lasting()).toEqual([])
  await sweep(settings, now + 61)
  expect(await lasting()).toEqual(['no_backup'])
})

test('a submission that waits for a busy host, and a host that drains alone, are told apart', async () => {
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  await runSql`update judgements set queued_at = queued_at - 3600`
  await registerRunner()
  await runSql`update runners set version = ${packageJson.version}`
  await sweep(workerEnv, nowSeconds())
  expect(await lasting()).toEqual([])
  await runSql`update runners set state = 'draining'`
  await sweep(workerEnv, nowSeconds())
  expect(await lasting()).toEqual(['nobody_judges'])
})
