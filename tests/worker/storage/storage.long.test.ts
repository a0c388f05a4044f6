/** A foreign database, an old database or a wrong clock never makes the sweeper delete needed objects. */
import { env } from 'cloudflare:workers'
import { applyD1Migrations } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import type { Env } from '../../../worker/env.ts'
import { adoptBucket, isBucketOurs } from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, judgeAll } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { allRows, runSql } from '../support/sql.ts'
import {
  call,
  createPerson,
  createProblem,
  fetchApi,
  registerRunner,
  submit,
} from '../support/world.ts'

/** Databases that replace the real one. */
type OtherDb = 'EMPTY_DB' | 'ANOTHERS_DB' | 'OLDER_DB' | 'YESTERDAYS_DB'

declare global {
  namespace Cloudflare {
    interface Env extends Record<OtherDb, D1Database> {}
  }
}

const DAY = 86_400

/** Copies the present database into another one. */
async function copyTo(other: D1Database): Promise<void> {
  const tables = await allRows<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '%cf_%' and name <> 'd1_migrations'`
  const statements = [other.prepare('pragma defer_foreign_keys = on')]
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`select * from "${name}"`).all()
    for (const row of results) {
      const columns = Object.keys(row)
      const values = Object.values(row).map((value) =>
        Array.isArray(value) ? new Uint8Array(value) : value,
      )
      const into = `"${name}" (${columns.map((column) => `"${column}"`).join(', ')})`
      const marks = columns.map(() => '?').join(', ')
      statements.push(
        other.prepare(`insert or replace into ${into} values (${marks})`).bind(...values),
      )
    }
  }
  await other.batch(statements)
}

async function keys(): Promise<string[]> {
  return (await env.BUCKET.list()).objects.map(({ key }) => key)
}

async function storageOf(bindings: Env): Promise<unknown> {
  const row = await bindings.DB.prepare('select state from installation').first<{ state: string }>()
  return row?.state
}

/** Ten sweeps, some with a clock that is a day ahead or a day behind. */
async function sweepTenTimes(bindings: Env): Promise<void> {
  const now = nowSeconds() + 2 * SWEEP.orphanSeconds
  for (const [index, shift] of [0, 0, 0, DAY, DAY, -DAY, -DAY, 0, DAY, 0].entries())
    await sweep(bindings, now + shift + index * 60)
}

/** A problem with a submission and a kept output. */
async function createJudged() {
  const world = await createProblem()
  await submit(world.student, world.problemId)
  await judgeAll(await registerRunner())
  await env.BUCKET.put(`outputs/${'0'.repeat(24)}/unnamed.json`, '[]')
  return world
}

beforeEach(async () => {
  await emptyQueue()
  await env.BUCKET.delete(await keys())
  for (const table of ['orphans', 'installation', 'sweep_positions', 'test_data_versions'])
    await env.DB.prepare(`delete from ${table}`).run()
})

test('a new installation gets its id, one that is older than the id as well', async () => {
  expect(await isBucketOurs(workerEnv, openDb(env.DB))).toBe(true)
  const [id] = await keys()
  expect(await keys()).toHaveLength(1)
  expect(await isBucketOurs(workerEnv, openDb(env.DB))).toBe(true)
  await env.BUCKET.delete(String(id))
  await runSql`delete from installation`
  await createJudged()
  expect(await isBucketOurs(workerEnv, openDb(env.DB))).toBe(true)
  expect(await keys()).toContain(id)
  expect((await call('GET', '/health')).data.storage).toBe('ok')
})

test.each<[string, OtherDb, (other: D1Database) => Promise<unknown>]>([
  ['an empty migrated one', 'EMPTY_DB', async () => {}],
  [
    'another installation’s',
    'ANOTHERS_DB',
    async (other) => {
      await copyTo(other)
      await other.prepare("update installation set token = 'of another'").run()
    },
  ],
  [
    'one of before the id',
    'OLDER_DB',
    async (other) => {
      await copyTo(other)
      await other.prepare('delete from installation').run()
    },
  ],
])(
  'the database is replaced by %s: nothing is deleted and it is told',
  async (_what, name, fill) => {
    await createJudged()
    await adoptBucket(workerEnv, openDb(env.DB))
    const before = await keys()
    const elsewhere = { ...workerEnv, DB: env[name] }
    await applyD1Migrations(elsewhere.DB, env.TEST_MIGRATIONS)
    await fill(elsewhere.DB)
    await sweepTenTimes(elsewhere)
    // A month later, too, nothing is deleted.
    await sweep(elsewhere, nowSeconds() + 30 * DAY)
    expect(await keys()).toEqual(before)
    expect(await storageOf(elsewhere)).toBe('mismatch')
    await sweepTenTimes(workerEnv)
    expect(await storageOf(workerEnv)).toBe('ok')
    expect(await keys()).toEqual(before)
  },
)

test('the database is replaced by yesterday’s: all is there when the right one comes back, and judging goes on', async () => {
  await createJudged()
  await adoptBucket(workerEnv, openDb(env.DB))
  const elsewhere = { ...workerEnv, DB: env.YESTERDAYS_DB }
  await applyD1Migrations(elsewhere.DB, env.TEST_MIGRATIONS)
  await copyTo(elsewhere.DB)
  const { problemId, student } = await createJudged()
  const before = await keys()
  await sweepTenTimes(elsewhere)
  expect(await keys()).toEqual(before)
  await sweepTenTimes(workerEnv)
  expect(await keys()).toEqual(before)
  expect(await storageOf(workerEnv)).toBe('ok')
  await submit(student, problemId)
  const token = await registerRunner()
  const { data } = await claim(token)
  const zip = await fetchApi('GET', `/runner/test-data/${data.testData.version}`, { token })
  expect(zip.status).toBe(200)
  await zip.arrayBuffer()
})

test('a bucket without its id is left alone until an admin says that it is this database’s', async () => {
  await createJudged()
  await adoptBucket(workerEnv, openDb(env.DB))
  await env.BUCKET.delete('installation-id')
  const before = await keys()
  await sweepTenTimes(workerEnv)
  await sweep(workerEnv, nowSeconds() + 30 * DAY)
  expect(await keys()).toEqual(before)
  expect((await call('GET', '/health')).data.storage).toBe('mismatch')
  const admin = await createPerson(0)
  const confirm = (state: string) => admin.post('/storage/confirm', { state })
  expect((await confirm('held')).code).toBe('storage_changed')
  expect((await confirm('mismatch')).status).toBe(200)
  expect((await admin.get('/storage')).data).toMatchObject({ state: 'ok', held: null })
  expect(await isBucketOurs(workerEnv, openDb(env.DB))).toBe(true)
})

test('what nothing names goes after its week, not before and not if it is named again', async () => {
  await createJudged()
  await adoptBucket(workerEnv, openDb(env.DB))
  const start = nowSeconds() + 2 * SWEEP.orphanSeconds
  const orphan = `outputs/${'0'.repeat(24)}/unnamed.json`
  for (let day = 0; day < 7; day += 1) await sweep(workerEnv, start + day * DAY)
  expect(await env.BUCKET.head(orphan)).not.toBeNull()
  // A clock that is set back does not restart the week.
  await sweep(workerEnv, start - 5 * DAY)
  await sweep(workerEnv, start + 7 * DAY)
  expect(await env.BUCKET.head(orphan)).toBeNull()
  const zip = String((await keys()).find((key) => key.startsWith('test-data/')))
  await runSql`update test_data_versions set object_key = 'other'`
  await sweep(workerEnv, start + 8 * DAY)
  await runSql`update test_data_versions set object_key = ${zip}`
  await sweep(workerEnv, start + 9 * DAY)
  await runSql`update test_data_versions set object_key = 'other'`
  await sweep(workerEnv, start + 16 * DAY - 60)
  expect(await env.BUCKET.head(zip)).not.toBeNull()
})

test('a page of which more than a tenth would go waits for an admin', async () => {
  await createJudged()
  await adoptBucket(workerEnv, openDb(env.DB))
  for (let index = 0; index < 3; index += 1)
    await env.BUCKET.put(`outputs/${String(index).repeat(24)}/unnamed.json`, '[]')
  const outputs = async () => (await env.BUCKET.list({ prefix: 'outputs/' })).objects.length
  const before = await outputs()
  const start = nowSeconds() - SWEEP.markedSeconds + 2 * SWEEP.orphanSeconds
  await env.DB.batch(
    (await keys())
      .filter((key) => key.includes('unnamed'))
      .map((key) =>
        env.DB.prepare('insert into orphans (key, since) values (?, ?)').bind(key, start),
      ),
  )
  const now = nowSeconds() + 3 * SWEEP.orphanSeconds
  for (let time = 0; time < 3; time += 1) await sweep(workerEnv, now)
  expect(await outputs()).toBe(before)
  const admin = await createPerson(0)
  expect((await call('GET', '/health')).data.storage).toBe('held')
  expect((await admin.get('/storage')).data).toMatchObject({
    state: 'held',
    held: { prefix: 'outputs/', orphans: before, objects: before },
  })
  const json = { state: 'held' }
  expect((await admin.post('/storage/confirm', json)).status).toBe(200)
  await sweep(workerEnv, now)
  expect(await outputs()).toBe(0)
  expect((await call('GET', '/health')).data.storage).toBe('ok')
})
