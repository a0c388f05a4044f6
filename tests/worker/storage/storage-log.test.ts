/** An admin's decisions about the storage: their effects and their log entries. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import {
  adoptBucket,
  getInstallation,
  holdDeletions,
  isBucketOurs,
} from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { allRows, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createPeople, createPerson } from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(async () => {
  await env.BUCKET.delete('installation-id')
  await runSql`delete from installation`
})

const database = expect.objectContaining({ weeklyBytes: null, weeksLeft: null })

test('each state is shown and confirmed by its name alone, and logged with what was held', async () => {
  const [admin, teacher] = [await createPerson(0), ...(await createPeople(1))]
  const read = async () => (await admin.get('/storage')).data
  const confirm = (state: string) => admin.post('/storage/confirm', { state })
  expect(await read()).toEqual({ state: 'unchecked', held: null, database })
  expect((await confirm('held')).code).toBe('storage_changed')
  await adoptBucket(workerEnv, db)
  expect(await read()).toEqual({ state: 'ok', held: null, database })
  const token = (await getInstallation(db))?.token
  const held = { prefix: 'outputs/', orphans: 3, objects: 4 }
  await holdDeletions(db, held)
  expect(await read()).toEqual({ state: 'held', held, database })
  expect((await confirm('mismatch')).code).toBe('storage_changed')
  const before = nowSeconds()
  expect((await confirm('held')).status).toBe(200)
  const known = await getInstallation(db)
  expect(known).toMatchObject({ state: 'ok', held: null, token })
  expect(known?.confirmedAt).toBeGreaterThanOrEqual(before)

  await env.BUCKET.put('installation-id', 'of another')
  expect(await isBucketOurs(workerEnv, db)).toBe(false)
  expect((await read()).state).toBe('mismatch')
  expect((await confirm('mismatch')).status).toBe(200)
  // The database keeps its id, and the bucket gets the same id.
  expect(await (await env.BUCKET.get('installation-id'))?.text()).toBe(token)
  expect((await read()).state).toBe('ok')
  expect((await teacher.post('/storage/confirm', { state: 'held' })).status).toBe(403)
  const entries = await allRows<{ action: string; subject: string; detail: string }>`
    select action, subject, detail from audit_entries where actor_id = ${admin.id} order by id`
  expect(entries.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }))).toEqual(
    [
      { action: 'storage.confirm', subject: 'held', detail: held },
      { action: 'storage.confirm', subject: 'mismatch', detail: {} },
    ],
  )
})

test('a hold lasts as long as the bucket is ours', async () => {
  await adoptBucket(workerEnv, db)
  await holdDeletions(db, { prefix: 'outputs/', orphans: 3, objects: 4 })
  expect(await isBucketOurs(workerEnv, db)).toBe(true)
  expect(await getInstallation(db)).toMatchObject({ state: 'held' })
})
