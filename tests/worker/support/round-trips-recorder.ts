/** Calls of the app over the real D1, with a record of every round trip to it. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { app } from '../../../worker/app.ts'
import { workerEnv } from './step-queue.ts'
import { requestOf, type CallOptions } from './world.ts'

export interface Statement {
  sql: string
  params: unknown[]
}

/**
 * One round trip: a statement, or a batch. `isBackground`: begun for `waitUntil`, nobody waits for it. `rowsRead` by its
 * statements together.
 */
export interface Trip {
  statements: Statement[]
  rowsRead: number
  isBackground: boolean
  isOver: boolean
}

const SENDING = new Set<PropertyKey>(['first', 'run', 'all', 'raw'])

/** A method or a field of the real object, as a proxy's `get` must give it. */
function realPart(target: object, key: PropertyKey): unknown {
  const part: unknown = Reflect.get(target, key)
  return typeof part === 'function' ? part.bind(target) : part
}

/** The rows that the statements of an answer have read. */
function rowsReadBy(answer: unknown): number {
  if (Array.isArray(answer)) return answer.reduce((sum, part) => sum + rowsReadBy(part), 0)
  const meta: unknown = Object(answer).meta
  return Number(Object(meta).rows_read ?? 0)
}

/** The real D1 behind a proxy that notes what is sent. */
function recordingD1(db: D1Database): { db: D1Database; trips: Trip[] } {
  const trips: Trip[] = []
  const known = new WeakMap<object, { real: D1PreparedStatement; statement: Statement }>()

  async function noting<T>(
    statements: Statement[],
    send: () => Promise<{ answer: T; counted: unknown }>,
  ): Promise<T> {
    const trip = { statements, rowsRead: 0, isBackground: false, isOver: false }
    trips.push(trip)
    try {
      const { answer, counted } = await send()
      trip.rowsRead = rowsReadBy(counted)
      return answer
    } finally {
      trip.isOver = true
    }
  }

  function wrap(real: D1PreparedStatement, statement: Statement): D1PreparedStatement {
    const proxy = new Proxy(real, {
      get(target, key) {
        if (key === 'bind')
          return (...params: unknown[]) => wrap(real.bind(...params), { ...statement, params })
        const part = realPart(target, key)
        if (!SENDING.has(key) || typeof part !== 'function') return part
        return (...args: unknown[]) =>
          noting([statement], async () => {
            const answer = await part(...args)
            // `raw` and `first` do not say what they have read: a read is made once more for it.
            const isSilent = (key === 'raw' || key === 'first') && /^\s*select/i.test(statement.sql)
            return { answer, counted: isSilent ? await real.all() : answer }
          })
      },
    })
    known.set(proxy, { real, statement })
    return proxy
  }

  const proxy = new Proxy(db, {
    get(target, key) {
      if (key === 'prepare') return (sql: string) => wrap(target.prepare(sql), { sql, params: [] })
      if (key !== 'batch') return realPart(target, key)
      return (proxies: D1PreparedStatement[]) => {
        const found = proxies.map((statement) => {
          const entry = known.get(statement)
          if (!entry) throw new Error('a statement that was not prepared here')
          return entry
        })
        return noting(
          found.map(({ statement }) => statement),
          async () => {
            const answer = await target.batch(found.map(({ real }) => real))
            return { answer, counted: answer }
          },
        )
      }
    },
  })
  return { db: proxy, trips }
}

/** Makes a call; gives its status, its text and the round trips begun before its answer. */
export async function recordCall(method: string, path: string, options: CallOptions = {}) {
  const { db, trips } = recordingD1(workerEnv.DB)
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
    { ...workerEnv, DB: db },
    context,
  )
  const awaited = trips.filter((trip) => !trip.isBackground)
  const text = await response.text()
  await waitOnExecutionContext(real)
  return { status: response.status, headers: response.headers, text, trips: awaited }
}
