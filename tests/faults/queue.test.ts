/** Lost messages: deleted from the queue, or delivered so often that the queue drops them. */
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { ticket } from '#contract/judging'
import { FaultStack } from './support/fault-stack.ts'

const SUBMISSIONS = 6

const pulled = z.object({
  result: z.object({ messages: z.array(z.object({ lease_id: z.string(), body: z.string() })) }),
})

let faults: FaultStack

beforeAll(async () => {
  // No runner is woken: tickets and claims have to suffice.
  faults = await FaultStack.start({ LIVE_UPDATES: 'off' })
})

async function callQueue(action: 'pull' | 'ack', json: unknown): Promise<unknown> {
  const { QUEUES_API_BASE, QUEUES_ACCOUNT_ID, QUEUE_ID, QUEUES_API_TOKEN } =
    faults.stack.runnerEnvironment
  const answer = await fetch(
    `${QUEUES_API_BASE}/accounts/${QUEUES_ACCOUNT_ID}/queues/${QUEUE_ID}/messages/${action}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${QUEUES_API_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(json),
    },
  )
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Leases of all visible messages, by judgement. @param visibilityMs how long the messages are then hidden */
async function pull(visibilityMs: number): Promise<Map<string, string>> {
  const json = { batch_size: 100, visibility_timeout_ms: visibilityMs }
  const { result } = pulled.parse(await callQueue('pull', json))
  return new Map(
    result.messages.map(({ body, lease_id }) => [
      ticket.parse(JSON.parse(Buffer.from(body, 'base64').toString())).judgementId,
      lease_id,
    ]),
  )
}

/** Waits until pulls have found a message for each judgement. @param sweeps whether the sweeper runs meanwhile */
async function pullAll(ids: string[], visibilityMs: number, sweeps = false): Promise<string[]> {
  const leases = new Map<string, string>()
  async function look(): Promise<string[]> {
    if (sweeps) await faults.stack.runCron()
    for (const [id, lease] of await pull(visibilityMs)) leases.set(id, lease)
    return ids.filter((id) => !leases.has(id))
  }
  await expect.poll(look, { interval: 1_000 }).toEqual([])
  return ids.map((id) => leases.get(id) ?? '')
}

async function purge(ids: string[]): Promise<void> {
  const leases = await pullAll(ids, 60_000)
  await callQueue('ack', { acks: leases.map((lease_id) => ({ lease_id })) })
}

/** Delivers the messages until the queue drops them. */
async function expire(ids: string[]): Promise<void> {
  await pullAll(ids, 0)
  await expect.poll(async () => (await pull(0)).size).toBe(0)
}

test.each([
  ['purged', purge],
  ['expired', expire],
])(
  `messages that were %s come back with the sweeper, and everything is judged [QF7]`,
  async (how, lose) => {
    const problemId = await faults.createProblem(how)
    const sent = await faults.submitAll(problemId, SUBMISSIONS, { mark: how })
    const details = await Promise.all(sent.map(({ submissionId }) => faults.read(submissionId)))
    const ids = details.flatMap(({ judgements }) =>
      judgements.map(({ judgementId }) => judgementId),
    )
    await lose(ids)
    // The messages stay visible: the runner finds them in the queue.
    await pullAll(ids, 0, true)
    const runner = await faults.addRunner()
    await runner.start()
    await faults.expectOneResultEach(sent)
    await runner.stop()
  },
)
