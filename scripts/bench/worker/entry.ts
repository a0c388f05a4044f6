/**
 * The Worker of the benchmarks, which is never deployed. It has the API, a bare `select 1`, a packing of all submissions as if old, and
 * the sweeper at any minute, and the steps of an operation. On demand it counts the rows that a call reads and writes in D1, and everything else that the call uses.
 */
import { app } from '../../../worker/app.ts'
import { consumeSteps } from '../../../worker/background/consume-steps.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import type { Env } from '../../../worker/env.ts'
import { openDb } from '../../../worker/db/client.ts'
import { PACKING } from '../../../worker/features/storage/pack.ts'
import { packOldSubmissions } from '../../../worker/features/storage/pack-old.ts'
import { recordingD1 } from './recording-d1.ts'
import { takeUses, withUses } from './uses.ts'

export { HostChannel } from '../../../worker/features/judging/hosts/host-channel.ts'
export { LiveChannel } from '../../../worker/features/live/channel.ts'

/** Packs all submissions as if they were old. */
async function packAll(env: Env): Promise<Response> {
  const later = Math.floor(Date.now() / 1_000) + PACKING.afterDays * 86_400 + PACKING.everySeconds
  await packOldSubmissions(env, openDb(env.DB), later)
  return new Response()
}

/** Sweeps once for each minute from a given time on (epoch seconds). */
async function sweepMinutes(env: Env, { searchParams }: URL): Promise<Response> {
  const [from, minutes] = ['from', 'minutes'].map((name) => Number(searchParams.get(name)))
  for (let minute = 0; minute < (minutes ?? 0); minute += 1)
    await sweep(withUses(env), (from ?? 0) + minute * 60)
  return new Response()
}

/** Works on an operation for one slice of time, as the consumer of the step queue does. */
async function workOn(env: Env, { searchParams }: URL): Promise<Response> {
  const body = { v: 1, jobId: searchParams.get('id') }
  const message = { id: '', timestamp: new Date(), attempts: 1, body, ack() {}, retry() {} }
  const batch = { queue: '', messages: [message], ackAll() {}, retryAll() {} }
  await consumeSteps(batch as unknown as MessageBatch, env)
  return new Response()
}

/** Number of calls so far, including those of the benchmark. */
let calls = 0

export default {
  async fetch(request, env, context) {
    calls += 1
    const url = new URL(request.url)
    const { pathname } = url
    if (pathname === '/bench/calls') return new Response(String(calls))
    if (pathname === '/bench/select-1') {
      const { results } = await env.DB.prepare('select 1').all()
      return Response.json(results)
    }
    if (pathname === '/bench/pack') return packAll(env)
    if (pathname === '/bench/sweep') return sweepMinutes(env, url)
    if (pathname === '/bench/step') return workOn(env, url)
    if (pathname === '/bench/uses') return Response.json(takeUses())
    if (request.headers.has('X-Count-Uses')) return app.fetch(request, withUses(env), context)
    if (!request.headers.has('X-Count-Rows')) return app.fetch(request, env, context)
    const { db, trips } = recordingD1(env.DB)
    // The limits apply to calls whose rows are counted. They do not apply to timed calls, because one person makes hundreds.
    const limited = { ...env, DB: db, SUBMIT_LIMIT_PER_MINUTE: undefined }
    const answer = await app.fetch(request, limited, context)
    const text = await answer.text()
    const total = (key: 'rowsRead' | 'rowsWritten') =>
      String(trips.reduce((sum, trip) => sum + trip[key], 0))
    const headers = { 'X-Rows-Read': total('rowsRead'), 'X-Rows-Written': total('rowsWritten') }
    return new Response(text, { status: answer.status, headers })
  },
} satisfies ExportedHandler<Env>
