/** The next sweep sends refused notices again, and sends none twice. */
import { env } from 'cloudflare:workers'
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { ALARM_SWEEP_SECONDS } from '../../../worker/db/vitals.ts'
import type { Env } from '../../../worker/env.ts'
import { TELLING } from '../../../worker/features/alarms/queries.ts'
import { isOlder } from '../../../worker/features/alarms/states.ts'
import { LOOK_EVERY_MS, watchSweeper } from '../../../worker/features/alarms/watch-sweeper.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import worker from '../../../worker/index.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newOperator } from '../support/alarms.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createPerson, requestOf } from '../support/world.ts'

const now = nowSeconds()

beforeEach(async () => {
  await runSql`delete from alarms`
  await runSql`delete from vitals`
  await adoptBucket(workerEnv, openDb(env.DB))
  await runSql`update installation set state = 'held'`
})

/** Sets the state of the storage; the alarm `storage_held` follows it. */
const storageIs = (state: 'ok' | 'held') => runSql`update installation set state = ${state}`

const subjectsOf = async ({ mails }: ReturnType<typeof newOperator>) =>
  (await mails()).map(({ subject }) => subject)

const BEGUN = 'Deletion from the storage is paused'

test('two sweeps at once tell an alarm once, and its end once', async () => {
  const operator = newOperator()
  const both = (at: number) => Promise.all([sweep(operator.env, at), sweep(operator.env, at)])
  await both(now)
  expect((await operator.notices()).map(({ isOver }) => isOver)).toEqual([false])
  await storageIs('ok')
  await both(now + 60)
  expect((await operator.notices()).map(({ isOver }) => isOver)).toEqual([false, true])
  expect(await subjectsOf(operator)).toEqual([BEGUN, `Over: ${BEGUN}`])
})

test('a webhook that fails is tried by later sweeps, later each time, and the mail is not sent again', async () => {
  const operator = newOperator(500)
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const healed = { ...operator.env, ALARM_WEBHOOK_URL: operator.url.replace('500', '200') }
  await sweep(operator.env, now)
  await sweep(operator.env, now + 29)
  expect(await operator.notices()).toHaveLength(1)
  await sweep(operator.env, now + 30)
  await sweep(operator.env, now + 89)
  expect(await operator.notices()).toHaveLength(2)
  const line =
    '{"alarm":"storage_held","channel":"webhook","fault":"Error: The webhook answered 500"}'
  expect(errors.mock.calls).toEqual([[line], [line]])
  errors.mockRestore()
  await sweep(healed, now + 90)
  await sweep(healed, now + 900)
  expect(await operator.receivedAt(healed.ALARM_WEBHOOK_URL)).toHaveLength(1)
  expect(await subjectsOf(operator)).toEqual([BEGUN])
})

test('a webhook that fails for ever is given up, and hears nothing of an end without a beginning', async () => {
  const operator = newOperator(500)
  let at = now
  for (let count = 0; count < TELLING.most + 3; count += 1) {
    await sweep(operator.env, at)
    at += TELLING.firstPauseSeconds * 2 ** count
  }
  expect(await operator.notices()).toHaveLength(TELLING.most)
  await storageIs('ok')
  await sweep(operator.env, at)
  await sweep(operator.env, at + 60)
  expect(await operator.notices()).toHaveLength(TELLING.most)
  expect(await subjectsOf(operator)).toEqual([BEGUN, `Over: ${BEGUN}`])
  expect(await allRows`select state from alarms where state = 'storage_held'`).toEqual([])
})

test('a redirect is not followed', async () => {
  const operator = newOperator(302)
  await sweep(operator.env, now)
  expect(await operator.notices()).toHaveLength(1)
  expect(await operator.receivedAt(`https://hooks.test/200/elsewhere-${operator.name}`)).toEqual([])
  expect(await firstValue`select webhook_told from alarms where state = 'storage_held'`).toBeNull()
})

test('the rest of a sweep does not wait for a webhook that hangs', async () => {
  const operator = newOperator('held')
  await runSql`delete from sweep_positions`
  let isOver = false
  const sweeping = sweep(operator.env, now).then(() => (isOver = true))
  // Packing, which belongs to the storage, comes last in a sweep.
  await vi.waitUntil(
    async () =>
      (await firstValue`select count(*) from sweep_positions where prefix like 'packs%'`) !== 0,
    { timeout: 7_000 },
  )
  expect(isOver).toBe(false)
  await operator.notices()
  await sweeping
  expect(await operator.notices()).toHaveLength(1)
})

test('what is over before a webhook has answered is told as over by the next sweep', async () => {
  const operator = newOperator('held')
  const settings = { ...operator.env, ALARM_EMAIL: '' }
  const sweeping = sweep(settings, now)
  await vi.waitUntil(
    async () => (await firstValue`select tries from alarms where state = 'storage_held'`) === 1,
    { timeout: 7_000 },
  )
  await storageIs('ok')
  await sweep(settings, now + 60)
  expect((await operator.notices()).map(({ isOver }) => isOver)).toEqual([false])
  await sweeping
  const healed = { ...settings, ALARM_WEBHOOK_URL: operator.url.replace('held', '200') }
  await sweep(healed, now + 120)
  await sweep(healed, now + 180)
  const later = await operator.receivedAt(healed.ALARM_WEBHOOK_URL)
  expect(later.map(({ isOver }) => isOver)).toEqual([true])
})

test('what begins again is told again; what begins again before its end was told is not', async () => {
  const operator = newOperator()
  await sweep(operator.env, now)
  await storageIs('ok')
  await sweep(operator.env, now + 60)
  await storageIs('held')
  await sweep(operator.env, now + 120)
  expect((await operator.notices()).map(({ isOver }) => isOver)).toEqual([false, true, false])
  // The webhook fails, so nobody hears of the end.
  await storageIs('ok')
  await sweep({ ...operator.env, ALARM_WEBHOOK_URL: operator.url.replace('200', '500') }, now + 180)
  await storageIs('held')
  await sweep(operator.env, now + 240)
  expect(await operator.notices()).toHaveLength(3)
})

test('whoever sets an address while an alarm lasts is told it; one that is wrong is not called', async () => {
  await sweep({ ...workerEnv, ALARM_EMAIL: '' }, now)
  const wrong = newOperator()
  await sweep({ ...wrong.env, ALARM_WEBHOOK_URL: 'https://10.0.0.1/', ALARM_EMAIL: 'me' }, now + 60)
  expect([await wrong.notices(), await wrong.mails()]).toEqual([[], []])
  const operator = newOperator()
  await sweep(operator.env, now + 120)
  expect(await operator.notices()).toHaveLength(1)
  expect(await subjectsOf(operator)).toEqual([BEGUN])
})

/** A call to the Worker’s own entry, with all work after its answer. */
async function callWorker(bindings: Env, request = requestOf('GET', '/health')) {
  const context = createExecutionContext()
  const answer = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    bindings,
    context,
  )
  await waitOnExecutionContext(context)
  return answer
}

/** Moves the clock on, so that this isolate checks the sweeper again. */
function passHours(hours: number): number {
  vi.useFakeTimers({ toFake: ['Date'], now: (now + hours * 3600) * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  return nowSeconds()
}

test('a call finds the sweeper late and tells it, once in five minutes; the next sweep tells that it is over', async () => {
  const today = passHours(1)
  await storageIs('ok')
  const operator = newOperator()
  const lateAt = today - ALARM_SWEEP_SECONDS
  await runSql`insert into vitals (name, value) values ('swept_at', ${lateAt}), ('backed_up_at', ${today})`
  const answer = await callWorker(operator.env)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ code: 'unhealthy', data: { sweep: 'late' } })
  const begun = { state: 'sweep_late', since: lateAt, isOver: false }
  expect(await operator.notices()).toMatchObject([begun])
  await runSql`delete from alarms`
  vi.setSystemTime(Date.now() + LOOK_EVERY_MS - 1)
  await callWorker(operator.env)
  expect(await allRows`select state from alarms`).toEqual([])
  vi.setSystemTime(Date.now() + 1)
  await callWorker(operator.env)
  expect(await operator.notices()).toMatchObject([begun, begun])
  await sweep(operator.env, nowSeconds())
  const over = { state: 'sweep_late', isOver: true }
  expect(await operator.notices()).toMatchObject([begun, begun, over])
})

test('a sweeper that has never run, or ran a while ago, is not late', async () => {
  const today = passHours(2)
  const bindings = newOperator().env
  const healthOf = async () => {
    const { data } = await (await callWorker(bindings)).json<{ data: { sweep: string } }>()
    return data.sweep
  }
  expect(await healthOf()).toBe('unchecked')
  await runSql`insert into vitals (name, value) values ('swept_at', ${today + LOOK_EVERY_MS / 1000 - ALARM_SWEEP_SECONDS + 1})`
  expect(await healthOf()).toBe('ok')
  await watchSweeper(bindings, Date.now() + LOOK_EVERY_MS)
  expect(await allRows`select state from alarms`).toEqual([])
})

test.each([
  ['0.1.9', '0.2.0', true],
  ['0.2.0', '0.10.0', true],
  ['0.2.0', '0.2.0', false],
  ['1.0.0', '0.2.0', false],
  ['', '0.2.0', false],
  ['of tomorrow', '0.2.0', false],
])('a host of version %j is older than a server of %j: %j', (own, server, expected) => {
  expect(isOlder(own, server)).toBe(expected)
})

test('an admin sends a test, and the set-up page says what came of it', async () => {
  const ask = async (bindings: Env, method = 'POST', path = '/setup/alarms') => {
    const request = requestOf(method, path, { as: await createPerson(0) })
    const answer = await callWorker(bindings, request)
    return answer.json<{ code?: string; data: unknown }>()
  }
  const itemOf = async (bindings: Env) => {
    const { data } = await ask(bindings, 'GET', '/setup?page=https://judge.test')
    return (data as { item: string; state: string }[]).find(({ item }) => item === 'alarms')
  }
  const operator = newOperator()
  expect(await itemOf(operator.env)).toMatchObject({ state: 'open', lacks: [] })
  expect((await ask(operator.env)).data).toEqual([
    { channel: 'webhook', fault: null },
    { channel: 'mail', fault: null },
  ])
  expect(await operator.notices()).toMatchObject([{ state: 'test', isOver: false }])
  expect(await itemOf(operator.env)).toMatchObject({ state: 'done' })

  await runSql`update vitals set value = value - 60 where name = 'alarm_told_at'`
  const broken = newOperator(404)
  expect((await ask(broken.env)).data).toEqual([
    { channel: 'webhook', fault: 'Error: The webhook answered 404' },
    { channel: 'mail', fault: null },
  ])
  expect(await itemOf(broken.env)).toMatchObject({ state: 'failed' })
  expect(await ask({ ...workerEnv, ALARM_EMAIL: '' })).toMatchObject({
    code: 'not_configured',
    data: [{ name: 'ALARM_WEBHOOK_URL' }, { name: 'ALARM_EMAIL' }],
  })
  const unmailed = { ...operator.env, ALARM_WEBHOOK_URL: '', MAIL_DRIVER: '' }
  expect(await ask(unmailed)).toMatchObject({ data: [{ name: 'MAIL_DRIVER' }] })
})
