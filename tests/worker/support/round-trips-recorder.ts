/** Calls of the app over the real D1, with a record of every round trip to it. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { app } from '../../../worker/app.ts'
import { realPart, recordingD1 } from '../../../scripts/bench/worker/recording-d1.ts'
import { workerEnv } from './step-queue.ts'
import { requestOf, type CallOptions } from './world.ts'

/** Makes a call; gives its status, its text and the round trips begun before its answer. */
export async function recordCall(
  method: string,
  path: string,
  options: CallOptions = {},
  bindings = workerEnv,
) {
  const { db, trips } = recordingD1(bindings.DB)
  const real = createExecutionContext()
  const context = new Proxy(real, {
    get(target, key) {
      if (key !== 'waitUntil') return realPart(target, key)
      return (promise: Promise<unknown>) => {
        // What runs now was begun for this promise: a handler awaits everything else before it goes on.
        for (const trip of trips) if (!trip.isOver) trip.isBackground = true
        target.waitUntil(promise)
      }
    },
  })
  const response = await app.fetch(
    requestOf(method, path, options),
    { ...bindings, DB: db },
    context,
  )
  const awaited = trips.filter((trip) => !trip.isBackground)
  const text = await response.text()
  await waitOnExecutionContext(real)
  return { status: response.status, headers: response.headers, text, trips: awaited }
}
