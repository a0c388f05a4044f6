/** When the sweeper may delete: the rules in brief. Long tests beside this file cover lost and exchanged databases. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { deleteOrphans } from '../../../worker/background/stored-objects.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import {
  adoptBucket,
  isBucketOurs,
  mayDeleteMany,
} from '../../../worker/features/storage/installation.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { workerEnv } from '../support/step-queue.ts'
import { firstValue } from '../support/sql.ts'

const db = openDb(env.DB)

/** Empties the bucket, and deletes what the sweeper has recorded about it. */
beforeEach(async () => {
  const { objects } = await env.BUCKET.list()
  await env.BUCKET.delete(objects.map(({ key }) => key))
  for (const table of ['orphans', 'installation', 'sweep_positions'])
    await env.DB.prepare(`delete from ${table}`).run()
})

test('a bucket with another installation’s id is not ours', async () => {
  await adoptBucket(workerEnv, db)
  expect(await isBucketOurs(workerEnv, db)).toBe(true)
  await env.BUCKET.put('installation-id', 'of another')
  expect(await isBucketOurs(workerEnv, db)).toBe(false)
  expect(await firstValue`select state from installation`).toBe('mismatch')
  await env.BUCKET.delete('installation-id')
  expect(await isBucketOurs(workerEnv, db)).toBe(false)
})

test('a page of which more than a tenth would go waits for an admin, whatever is swept meanwhile', async () => {
  await adoptBucket(workerEnv, db)
  const now = nowSeconds() + 2 * SWEEP.orphanSeconds
  for (const digit of '012') await env.BUCKET.put(`outputs/${digit.repeat(24)}/unnamed.json`, '[]')
  await deleteOrphans(workerEnv, db, now)
  expect(await deleteOrphans(workerEnv, db, now + SWEEP.markedSeconds)).toBe(false)
  expect((await env.BUCKET.list({ prefix: 'outputs/' })).objects).toHaveLength(3)
  expect(await isBucketOurs(workerEnv, db)).toBe(true)
  expect(await firstValue`select state from installation`).toBe('held')
})

test('an idle bucket is listed once an hour, a kind with more objects than a page each minute until its end', async () => {
  await adoptBucket(workerEnv, db)
  for (const digit of '01234') await env.BUCKET.put(`outputs/${digit.repeat(24)}/a.json`, '[]')
  const listed: (string | undefined)[][] = []
  const list = vi.spyOn(env.BUCKET, 'list')
  const now = nowSeconds()
  for (let minute = 0; minute < 63; minute += 1) {
    list.mockClear()
    await deleteOrphans(workerEnv, db, now + minute * 60, 2)
    listed.push(list.mock.calls.map(([options]) => options?.prefix))
  }
  list.mockRestore()
  const [first, second, third, ...later] = listed
  expect(first).toContain('test-data/')
  expect(first).toContain('output-packs/')
  expect([second, third]).toEqual([['outputs/'], ['outputs/']])
  expect(later.map((prefixes) => prefixes.length)).toEqual([
    ...Array.from({ length: 57 }, () => 0),
    (first?.length ?? 0) - 1,
    0,
    1,
  ])
})

test('an admin’s word is good for a day, and not before it was given', () => {
  expect(mayDeleteMany({ confirmedAt: null }, 1_000)).toBe(false)
  expect(mayDeleteMany({ confirmedAt: 1_000 }, 999)).toBe(false)
  expect(mayDeleteMany({ confirmedAt: 1_000 }, 1_000)).toBe(true)
  expect(mayDeleteMany({ confirmedAt: 1_000 }, 999 + SWEEP.confirmedSeconds)).toBe(true)
  expect(mayDeleteMany({ confirmedAt: 1_000 }, 1_000 + SWEEP.confirmedSeconds)).toBe(false)
})
