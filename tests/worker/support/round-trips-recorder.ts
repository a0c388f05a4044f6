/** API calls over the real D1, with a record of every round trip to it. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { app } from '../../../worker/app.ts'
import { realPart, recordingD1 } from '../../../scripts/bench/worker/recording-d1.ts'
import { workerEnv } from './step-queue.ts'
import { requestOf, type CallOptions } from './world.ts'

/** Makes a call; answers its status, its text and the round trips that began before its answer. */
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
        // A trip that runs now belongs to this promise, because handlers await all other trips before they go on.
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
