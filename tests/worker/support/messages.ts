/** API calls with a record of their messages to the two queues. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { workerEnv } from './step-queue.ts'
import { requestOf, type CallOptions } from './world.ts'

/** A queue that records its messages, and a function that takes the records. */
function noteQueue(key: 'judgementId' | 'jobId') {
  const ids: string[] = []
  const queue = {
    async sendBatch(messages: { body: Record<string, string> }[]) {
      for (const { body } of messages) ids.push(body[key] ?? '')
    },
  }
  return { queue, take: () => ids.splice(0) }
}

/** Bindings with two such queues, and calls with them that wait for the work after the answer. */
export function noteMessages() {
  const [tickets, steps] = [noteQueue('judgementId'), noteQueue('jobId')]
  const bindings: Env = Object.assign(
    { ...workerEnv },
    { JUDGE_QUEUE: tickets.queue as never, STEP_QUEUE: steps.queue as never },
  )
  return {
    bindings,
    takeTickets: tickets.take,
    takeSteps: steps.take,
    async call(method: string, path: string, options: CallOptions = {}) {
      const context = createExecutionContext()
      const answer = await app.fetch(requestOf(method, path, options), bindings, context)
      const text = await answer.text()
      await waitOnExecutionContext(context)
      const body = text === '' ? {} : JSON.parse(text)
      return { status: answer.status, code: body.code, data: body.data }
    },
  }
}
