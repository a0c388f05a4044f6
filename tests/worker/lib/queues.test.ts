/** Messages leave in batches that the platform accepts. */
import { expect, test, vi } from 'vitest'
import { sendSteps, sendTickets } from '../../../worker/lib/queues.ts'
import { workerEnv } from '../support/step-queue.ts'

const idsBelow = (count: number) =>
  Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0'))

test('many go in as many batches as they need, in order; one that fails stops no other', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const batches: unknown[][] = []
  const queue = {
    sendBatch: async (messages: { body: unknown }[]) => {
      batches.push(messages.map(({ body }) => body))
      if (batches.length === 2) throw new Error('the queue is gone')
    },
  }
  const bindings = Object.assign(
    { ...workerEnv },
    { STEP_QUEUE: queue, JUDGE_QUEUE: queue, HOSTS: undefined },
  )
  const ids = idsBelow(250)
  await sendSteps(bindings, ids)
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50])
  expect(batches.flat()).toEqual(ids.map((jobId) => ({ v: 1, jobId })))
  expect(errors.mock.calls.map(([text]) => JSON.parse(text).steps)).toEqual([100])
  batches.length = 0
  await sendTickets(bindings, ids.slice(0, 100))
  expect(batches).toEqual([ids.slice(0, 100).map((judgementId) => ({ v: 1, judgementId }))])
  await sendTickets(bindings, [])
  expect(batches).toHaveLength(1)
  errors.mockRestore()
})
