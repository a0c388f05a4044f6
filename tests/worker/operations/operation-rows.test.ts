/** What a sweep hashes, packs and purges; and the rows of operations at each step. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import { SWEEP } from '../../../worker/db/retention.ts'
import { COURSE_PURGE_SECONDS } from '../../../worker/features/courses/purge-queries.ts'
import {
  OPERATIONS,
  finishOperation,
  insertOperation,
} from '../../../worker/features/operations/queries.ts'
import { OperationFailed, type OperationStep } from '../../../worker/features/operations/step.ts'
import { adoptBucket } from '../../../worker/features/storage/installation.ts'
import { PACKING } from '../../../worker/features/storage/pack.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { packOf } from '../support/packs.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { deliver, workerEnv } from '../support/step-queue.ts'
import {
  createPerson,
  createProblem,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

const DAY = 86_400
const db = openDb(env.DB)

beforeEach(async () => {
  await emptyQueue()
  await adoptBucket(workerEnv, db)
})

test('test data get their hash, and the size of the day and the time of the sweep are noted', async () => {
  const { problemId } = await createProblem()
  const hash = () =>
    firstValue`select sha256 from test_data_versions where problem_id = ${problemId}`
  await vi.waitUntil(async () => (await hash()) !== null)
  const known = await hash()
  await runSql`update test_data_versions set sha256 = null where problem_id = ${problemId}`
  await runSql`delete from database_sizes`
  const now = nowSeconds()
  await sweep(workerEnv, now)
  expect(await hash()).toBe(known)
  expect(await allRows`select day from database_sizes`).toEqual([{ day: Math.floor(now / DAY) }])
  const swept = () => firstValue`select value from vitals where name = 'swept_at'`
  expect(await swept()).toBe(now)
  await sweep(workerEnv, now + 60)
  expect(await swept()).toBe(now + 60)
})

test('what is half a year old is packed, what is younger is not', async () => {
  const { student, problemId } = await createProblem()
  const id = await submit(student, problemId)
  await judgeAll(await registerRunner())
  const now = nowSeconds()
  await runSql`delete from sweep_positions`
  await sweep(workerEnv, now + (PACKING.afterDays - 1) * DAY)
  expect(await packOf(id)).toBeNull()
  await sweep(workerEnv, now + PACKING.afterDays * DAY + PACKING.everySeconds)
  expect(await packOf(id)).not.toBeNull()
})

test('a course that nobody can restore any more goes, another one stays', async () => {
  const [gone, stays] = [await createProblem(), await createProblem()]
  await gone.teacher.delete('/course', { course: gone.course })
  const names = async () =>
    (
      await allRows<{ name: string }>`select name from courses
        where name in (${gone.course}, ${stays.course})`
    ).map(({ name }) => name)
  const mark = nowSeconds() + COURSE_PURGE_SECONDS + 60
  for (const now of [mark, mark + SWEEP.markedSeconds, mark + SWEEP.markedSeconds + 60])
    await sweep(workerEnv, now)
  expect(await names()).toEqual([stays.course])
})

/** An operation on three things; this person owns it. */
async function startOperation(owner: Person) {
  const id = newHexId(Date.now())
  const start = { id, kind: 'copycat', ownerId: owner.id, total: 3, payload: { from: 0 } } as const
  await insertOperation(db, { ...start, now: nowSeconds() })
  return id
}

const rowOf = (id: string) => firstRow`select * from operations where id = ${id}`

test('the row of an operation says at each step how far it is and who has it; that of another one stays', async () => {
  const owner = await createPerson(2)
  const [id, other] = [await startOperation(owner), await startOperation(owner)]
  const [began, beside] = [await rowOf(id), await rowOf(other)]
  const now = nowSeconds()
  const common = {
    id,
    kind: 'copycat',
    owner_id: owner.id,
    total: 3,
    created_at: began?.['created_at'],
  }
  expect(began).toEqual({
    ...common,
    state: 'running',
    done: 0,
    payload: '{"from":0}',
    result: null,
    error: null,
    attempt: 0,
    lease: null,
    lease_until: null,
    sent_at: began?.['created_at'],
    finished_at: null,
  })
  const seen: unknown[] = []
  const step: OperationStep = async ({ operation }) => {
    const row = await rowOf(id)
    expect(Number(row?.['lease_until'])).toBeGreaterThanOrEqual(now + OPERATIONS.leaseSeconds)
    expect(row?.['lease']).toBe(operation.lease)
    seen.push([row?.['done'], row?.['attempt'], row?.['payload'], operation.payload])
    await runSql`update operations set lease_until = ${now + 1} where id = ${id}`
    const done = operation.done + 1
    if (done < 3) return { done, total: 4, payload: { from: done } }
    await finishOperation(db, operation, { count: 3 }, now)
    return null
  }
  await deliver({ v: 1, jobId: id }, { copycat: step })
  expect(seen).toEqual([
    [0, 1, '{"from":0}', { from: 0 }],
    [1, 0, '{"from":1}', { from: 1 }],
    [2, 0, '{"from":2}', { from: 2 }],
  ])
  const over = await rowOf(id)
  expect(over).toEqual({
    ...common,
    state: 'done',
    done: 4,
    total: 4,
    payload: '{}',
    result: '{"count":3}',
    error: null,
    attempt: 0,
    lease: null,
    lease_until: null,
    sent_at: began?.['created_at'],
    finished_at: over?.['finished_at'],
  })
  expect(Number(over?.['finished_at'])).toBeGreaterThanOrEqual(now)
  expect(await rowOf(other)).toEqual(beside)
})

test('one that failed says why, keeps nothing and is not begun again', async () => {
  const owner = await createPerson(2)
  const [id, other] = [await startOperation(owner), await startOperation(owner)]
  const beside = await rowOf(other)
  let times = 0
  const copycat: OperationStep = async () => {
    times += 1
    throw new OperationFailed('The course is gone.')
  }
  for (const _time of [1, 2]) await deliver({ v: 1, jobId: id }, { copycat })
  expect(times).toBe(1)
  expect(await rowOf(id)).toMatchObject({
    state: 'failed',
    done: 0,
    payload: '{}',
    error: 'The course is gone.',
    lease: null,
    lease_until: null,
    finished_at: expect.any(Number),
  })
  expect((await owner.get(`/jobs/${id}`)).data).toEqual({
    state: 'failed',
    done: 0,
    total: 3,
    error: 'The course is gone.',
  })
  expect(await rowOf(other)).toEqual(beside)
})

test('one whose step fails is free for the next message, and one that somebody has is not', async () => {
  const id = await startOperation(await createPerson(2))
  const sentAt = Number((await rowOf(id))?.['sent_at'])
  await runSql`update operations set sent_at = ${sentAt - 50} where id = ${id}`
  let times = 0
  const copycat: OperationStep = async () => {
    times += 1
    // A second message during the step finds nothing to do.
    if (times === 1) await deliver({ v: 1, jobId: id }, { copycat })
    throw new Error('the connection was lost')
  }
  await deliver({ v: 1, jobId: id }, { copycat })
  expect(times).toBe(1)
  const row = await rowOf(id)
  expect(row).toMatchObject({ state: 'running', attempt: 1, lease: null, lease_until: null })
  expect(Number(row?.['sent_at'])).toBeGreaterThanOrEqual(sentAt)
})

test('one whose consumers die again and again is given up without another step', async () => {
  const owner = await createPerson(2)
  const id = await startOperation(owner)
  await runSql`update operations set attempt = ${OPERATIONS.maxAttempts} where id = ${id}`
  let times = 0
  const copycat: OperationStep = async () => {
    times += 1
    return null
  }
  await deliver({ v: 1, jobId: id }, { copycat })
  expect([times, (await owner.get(`/jobs/${id}`)).data.state]).toEqual([0, 'failed'])
})

test('old operations that are over go; a younger one, and one that is not over, stay', async () => {
  const owner = await createPerson(2)
  const now = nowSeconds()
  const at = async (days: number, isOver: boolean) => {
    const id = newHexId((now - days * DAY) * 1000)
    await insertOperation(db, { id, kind: 'copycat', ownerId: owner.id, total: 0, payload: 0, now })
    if (isOver) await runSql`update operations set state = 'done', finished_at = 1 where id = ${id}`
    return id
  }
  await at(SWEEP.operationDays + 1, true)
  const stay = [await at(SWEEP.operationDays + 1, false), await at(SWEEP.operationDays - 1, true)]
  await sweep(workerEnv, now)
  const left = await allRows`select id from operations where owner_id = ${owner.id} order by id`
  expect(left).toEqual(stay.map((id) => ({ id })))
})
