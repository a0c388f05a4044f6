/** The real D1 behind a proxy that notes every round trip to the database. */

export interface Statement {
  sql: string
  params: unknown[]
}

/**
 * One round trip: a statement, or a batch. `isBackground`: it was begun for `waitUntil`, so nobody waits for it. `rowsRead`
 * and `rowsWritten` are sums over its statements.
 */
export interface Trip {
  statements: Statement[]
  rowsRead: number
  rowsWritten: number
  isBackground: boolean
  isOver: boolean
}

const SENDING = new Set<PropertyKey>(['first', 'run', 'all', 'raw'])

/** A method or a field of the real object, as a proxy's `get` must give it. */
export function realPart(target: object, key: PropertyKey): unknown {
  const part: unknown = Reflect.get(target, key)
  return typeof part === 'function' ? part.bind(target) : part
}

/** How many rows the statements of an answer have read or written. */
function rowsOf(answer: unknown, key: 'rows_read' | 'rows_written'): number {
  if (Array.isArray(answer)) return answer.reduce((sum, part) => sum + rowsOf(part, key), 0)
  const meta: unknown = Object(answer).meta
  return Number(Object(meta)[key] ?? 0)
}

/** Sends statements and adds the trip; the answer `counted` tells what they have read. */
async function note<T>(
  trips: Trip[],
  statements: Statement[],
  send: () => Promise<{ answer: T; counted: unknown }>,
): Promise<T> {
  const trip = { statements, rowsRead: 0, rowsWritten: 0, isBackground: false, isOver: false }
  trips.push(trip)
  try {
    const { answer, counted } = await send()
    trip.rowsRead = rowsOf(counted, 'rows_read')
    trip.rowsWritten = rowsOf(counted, 'rows_written')
    return answer
  } finally {
    trip.isOver = true
  }
}

/** A proxy of the database, and the round trips to it so far. */
export function recordingD1(db: D1Database): { db: D1Database; trips: Trip[] } {
  const trips: Trip[] = []
  const known = new WeakMap<object, { real: D1PreparedStatement; statement: Statement }>()

  function wrap(real: D1PreparedStatement, statement: Statement): D1PreparedStatement {
    const proxy = new Proxy(real, {
      get(target, key) {
        if (key === 'bind')
          return (...params: unknown[]) => wrap(real.bind(...params), { ...statement, params })
        const part = realPart(target, key)
        if (!SENDING.has(key) || typeof part !== 'function') return part
        return (...args: unknown[]) =>
          note(trips, [statement], async () => {
            // `raw` and `first` do not tell how many rows they have read, so a statement that only reads runs twice.
            const isSilent = key === 'raw' || key === 'first'
            if (isSilent && !/^\s*select/i.test(statement.sql)) {
              const counted = await real.all()
              const rows = key === 'raw' ? counted.results.map(Object.values) : null
              return { answer: rows ?? counted.results[0] ?? null, counted }
            }
            const answer = await part(...args)
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
        return note(
          trips,
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
