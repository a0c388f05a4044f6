/**
 * The Worker of the benchmarks: the API, a bare `select 1` and a bare `JSON.parse` beside it, the zip check alone, and
 * on demand the rows that a call reads in D1. Never deployed.
 */
import { checkTestData } from '#contract/test-data'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { readZipDirectory } from '../../../worker/lib/zip-directory.ts'

/** A method or a field of the real object, as a proxy's `get` must give it. */
function realPart(target: object, key: PropertyKey): unknown {
  const part: unknown = Reflect.get(target, key)
  return typeof part === 'function' ? part.bind(target) : part
}

/** The real D1 behind a proxy that adds up the rows its statements read. */
function countingD1(db: D1Database): { db: D1Database; rowsRead: () => number } {
  let rows = 0
  const known = new WeakMap<object, D1PreparedStatement>()
  function add<T extends { meta: D1Meta }>(result: T): T {
    rows += result.meta.rows_read
    return result
  }
  function wrap(real: D1PreparedStatement): D1PreparedStatement {
    const proxy = new Proxy(real, {
      get(target, key) {
        if (key === 'bind') return (...params: unknown[]) => wrap(real.bind(...params))
        if (key === 'all') return async () => add(await real.all())
        if (key === 'run') return async () => add(await real.run())
        // `raw` gives no meta: a read is made once more for it.
        if (key === 'raw')
          return async () => {
            add(await real.all())
            return real.raw()
          }
        return realPart(target, key)
      },
    })
    known.set(proxy, real)
    return proxy
  }
  const proxy = new Proxy(db, {
    get(target, key) {
      if (key === 'prepare') return (sql: string) => wrap(target.prepare(sql))
      if (key !== 'batch') return realPart(target, key)
      return async (proxies: D1PreparedStatement[]) => {
        const results = await target.batch(proxies.map((one) => known.get(one) ?? one))
        for (const result of results) add(result)
        return results
      }
    },
  })
  return { db: proxy, rowsRead: () => rows }
}

/** Parses a text and forgets it. */
function parse(text: string): Response {
  try {
    JSON.parse(text)
  } catch {
    // What is no JSON takes its time as well.
  }
  return new Response()
}

/** Checks a zip in R2; answers what was read of it. */
async function checkZip(env: Env, key: string): Promise<Response> {
  const { size } = (await env.BUCKET.head(key)) ?? { size: 0 }
  let bytes = 0
  const { entries, dataEnd } = await readZipDirectory(async (offset, length) => {
    const slice = await env.BUCKET.get(key, { range: { offset, length } })
    if (!slice) throw new Error('the zip is gone')
    bytes += length
    return new Uint8Array(await slice.arrayBuffer())
  }, size)
  const { errors } = checkTestData(entries, dataEnd)
  return Response.json({ bytes, entries: entries.length, errors: errors.length })
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/bench/select-1') {
      const { results } = await env.DB.prepare('select 1').all()
      return Response.json(results)
    }
    if (pathname === '/bench/parse') return parse(await request.text())
    if (pathname === '/bench/zip') return checkZip(env, searchParams.get('key') ?? '')
    if (!request.headers.has('X-Count-Rows')) return app.fetch(request, env, context)
    const { db, rowsRead } = countingD1(env.DB)
    // Calls that are counted meet the limits, as everywhere; those that are timed, hundreds by one person, do not.
    const limited = { ...env, DB: db, SUBMIT_LIMIT_PER_MINUTE: undefined }
    const answer = await app.fetch(request, limited, context)
    const text = await answer.text()
    const headers = { 'X-Rows-Read': String(rowsRead()) }
    return new Response(text, { status: answer.status, headers })
  },
} satisfies ExportedHandler<Env>
