import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { operations } from '../../../worker/db/schema.ts'
import {
  OPERATIONS,
  demandLease,
  finishOperation,
  insertOperation,
  leaseOperation,
} from '../../../worker/features/operations/queries.ts'
import { OperationFailed, type OperationStep } from '../../../worker/features/operations/step.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { sendTickets } from '../../../worker/lib/queues.ts'
import { deliver, workerEnv } from '../support/step-queue.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import { call, createPerson, type Person } from '../support/world.ts'

/** An operation on three things; this person owns it. */
async function startOperation(owner: Person): Promise<string> {
  const id = newHexId(Date.now())
  const start = { id, kind: 'copycat', ownerId: owner.id, total: 3, payload: 0 } as const
  await insertOperation(openDb(env.DB), { ...start, now: nowSeconds() })
  return id
}

function only(step: OperationStep) {
  return { copycat: step }
}

const count: OperationStep = async ({ db, operation, now }) => {
  const done = operation.done + 1
  if (done < 3) return { done, payload: done }
  await finishOperation(db, operation, { counted: 3 }, now)
  return null
}

test('messages go out in as many sends as they need; one that fails keeps the others not back', async () => {
  const ids = Array.from({ length: 250 }, () => newHexId(Date.now()))
  const sends: unknown[][] = []
  const queue = {
    async sendBatch(messages: { body: { judgementId: string } }[]) {
      sends.push(messages.map(({ body }) => body.judgementId))
      if (sends.length === 1) throw new Error('the queue is away')
    },
  }
  await sendTickets(Object.assign({ ...workerEnv }, { JUDGE_QUEUE: queue }), ids)
  expect(sends.map((send) => send.length)).toEqual([100, 100, 50])
  expect(sends.flat()).toEqual(ids)
})

describe('operations', () => {
  test('an operation runs chunk by chunk to its result, which only its owner reads', async () => {
    const owner = await createPerson(2)
    const id = await startOperation(owner)
    expect((await owner.get(`/jobs/${id}`)).data).toEqual({
      state: 'running',
      done: 0,
      total: 3,
    })
    await deliver({ v: 1, jobId: id }, only(count))
    expect((await owner.get(`/jobs/${id}`)).data).toEqual({
      state: 'done',
      done: 3,
      total: 3,
      result: { counted: 3 },
    })
    const other = await createPerson(0)
    expect(await other.get(`/jobs/${id}`)).toMatchObject({ status: 404, code: 'job_not_found' })
    expect((await call('GET', `/jobs/${id}`)).status).toBe(401)
    expect((await owner.get('/jobs/nothing')).status).toBe(404)
  })

  test('messages delivered twice, at once or after the end do nothing more', async () => {
    const id = await startOperation(await createPerson(2))
    let chunks = 0
    const steps = only(async (context) => {
      chunks += 1
      return count(context)
    })
    await Promise.all([1, 2, 3].map(() => deliver({ v: 1, jobId: id }, steps)))
    await deliver({ v: 1, jobId: id }, steps)
    expect(chunks).toBe(3)
  })

  test('a malformed message and one for an operation that never was are dropped [QF6]', async () => {
    for (const body of ['nonsense', null, { v: 2 }, { v: 1, jobId: newHexId(Date.now()) }]) {
      const result = await deliver(body)
      expect(result.explicitAcks).toHaveLength(1)
      expect(result.retryMessages).toHaveLength(0)
    }
  })

  test('a chunk that fails is tried again, at most so often, and nothing of the fault is shown', async () => {
    const owner = await createPerson(2)
    const id = await startOperation(owner)
    let tries = 0
    const steps = only(async () => {
      tries += 1
      throw new Error('secret internals')
    })
    for (let time = 0; time < OPERATIONS.maxAttempts + 2; time += 1)
      await deliver({ v: 1, jobId: id }, steps)
    expect(tries).toBe(OPERATIONS.maxAttempts)
    const { data } = await owner.get(`/jobs/${id}`)
    expect(data.state).toBe('failed')
    expect(data.error).not.toContain('secret')
  })

  test('an operation whose consumers all ended without a word is given up before its next chunk', async () => {
    const owner = await createPerson(2)
    const id = await startOperation(owner)
    await runSql`update operations set attempt = ${OPERATIONS.maxAttempts} where id = ${id}`
    await deliver({ v: 1, jobId: id }, only(count))
    expect((await owner.get(`/jobs/${id}`)).data).toMatchObject({
      state: 'failed',
      done: 0,
      error: 'Something went wrong on our side several times. Nothing more will be tried.',
    })
  })

  test('a fault after progress is the first of its chunk, however often the job was taken before', async () => {
    const owner = await createPerson(2)
    const id = await startOperation(owner)
    await runSql`update operations set attempt = ${OPERATIONS.maxAttempts - 1} where id = ${id}`
    let isBroken = true
    const steps = only(async (context) => {
      if (context.operation.done === 1 && isBroken) throw new Error('just now')
      return count(context)
    })
    await deliver({ v: 1, jobId: id }, steps)
    expect((await owner.get(`/jobs/${id}`)).data).toMatchObject({ state: 'running', done: 1 })
    isBroken = false
    await deliver({ v: 1, jobId: id }, steps)
    expect((await owner.get(`/jobs/${id}`)).data.state).toBe('done')
  })

  test('an operation that cannot go on ends at once with its words', async () => {
    const owner = await createPerson(2)
    const id = await startOperation(owner)
    const steps = only(async () => {
      throw new OperationFailed('The course is gone.')
    })
    await deliver({ v: 1, jobId: id }, steps)
    expect((await owner.get(`/jobs/${id}`)).data).toMatchObject({
      state: 'failed',
      error: 'The course is gone.',
    })
  })

  test.each<[string, OperationStep]>([
    [
      'writes',
      async ({ db, operation }) => {
        const { id } = operation
        await db.batch([
          demandLease(db, operation),
          db.update(operations).set({ error: 'It wrote.' }).where(eq(operations.id, id)),
        ])
        return null
      },
    ],
    ['goes on', async () => ({ done: 2, payload: 2 })],
    [
      'ends it',
      async ({ db, operation, now }) => finishOperation(db, operation, null, now).then(() => null),
    ],
    [
      'cannot go on',
      async () => {
        throw new OperationFailed('The course is gone.')
      },
    ],
  ])('a step that %s that lost its lease changes nothing and is no fault', async (_, step) => {
    const id = await startOperation(await createPerson(2))
    const row = () => firstRow`select * from operations where id = ${id}`
    let taken: unknown
    const errors = vi.spyOn(console, 'error')
    const overtaken: OperationStep = async (context) => {
      await runSql`update operations set lease = 'another' where id = ${id}`
      taken = await row()
      return step(context)
    }
    const { explicitAcks } = await deliver({ v: 1, jobId: id }, only(overtaken))
    expect(explicitAcks).toHaveLength(1)
    expect(await row()).toEqual(taken)
    expect(errors.mock.calls).toEqual([])
    errors.mockRestore()
  })

  test.each([
    ['has its result', count],
    [
      'cannot go on',
      async () => {
        throw new OperationFailed('The course is gone.')
      },
    ],
  ])('one that %s keeps nothing of what it worked with', async (_, step: OperationStep) => {
    const id = await startOperation(await createPerson(2))
    const payload = () => firstValue`select payload from operations where id = ${id}`
    expect(await payload()).toBe('0')
    await deliver({ v: 1, jobId: id }, only(step))
    expect(await payload()).toBe('{}')
  })

  test('the sweeper sends a new message for an operation whose message was lost or whose consumer died', async () => {
    const id = await startOperation(await createPerson(2))
    const now = nowSeconds()
    await leaseOperation(openDb(env.DB), id, now)
    const sent: unknown[] = []
    const queue = {
      sendBatch: async (messages: { body: { jobId: string } }[]) => {
        sent.push(...messages.filter(({ body }) => body.jobId === id))
      },
    }
    const bindings = Object.assign({ ...workerEnv }, { STEP_QUEUE: queue })
    await sweep(bindings, now + OPERATIONS.stalledSeconds + 1)
    expect(sent).toHaveLength(0)
    const later = now + OPERATIONS.leaseSeconds + 1
    await sweep(bindings, later)
    expect(sent).toHaveLength(1)
    await sweep(bindings, later + 1)
    expect(sent).toHaveLength(1)
    expect((await leaseOperation(openDb(env.DB), id, later))?.attempt).toBe(2)
  })
})
