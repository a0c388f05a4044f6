/** The database client. A factory, so that read replicas (`withSession`) need one change here. */
import { fillPlaceholders, sql, type GetColumnData, type Query, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { SQLiteRaw } from 'drizzle-orm/sqlite-core/query-builders/raw'
import { refusalOf } from './refusal.ts'

/** A drizzle client over the D1 binding, whose batches throw the refusals of their demands. */
function newClient(binding: D1Database) {
  const client = drizzle(binding, { casing: 'snake_case' })
  const send = client.batch.bind(client)
  const batch: typeof send = (statements) =>
    send(statements).catch((error: unknown) => {
      throw refusalOf(error) ?? error
    })
  return Object.assign(client, { batch })
}

export type Db = ReturnType<typeof newClient>

const clients = new WeakMap<D1Database, Db>()

/** The client of a D1 binding, kept as long as the binding: it caches the columns' names, which every query needs. */
export function openDb(binding: D1Database): Db {
  const known = clients.get(binding)
  if (known) return known
  const client = newClient(binding)
  clients.set(binding, client)
  return client
}

/**
 * A raw SQL statement with its rows, alone or in a batch. drizzle's `db.batch` expects a prepared statement on every item with
 * parameters, but its own `db.run` and `db.all` bring none (drizzle-orm 0.45, D1 driver), so this function adds it.
 */
export function rawQuery<Row>(db: Db, query: SQL): SQLiteRaw<Row[]> {
  const raw = db.all<Row>(query)
  return Object.assign(raw, { stmt: db.$client.prepare(raw.getQuery().sql) })
}

/**
 * Columns aliased by their keys, for selects in a batch: D1 answers a batch with objects, where two columns
 * of one name (`problems.id`, `courses.id`) would collide.
 */
export function aliasColumns<T extends Record<string, SQLiteColumn>>(columns: T) {
  const entries = Object.entries(columns).map(([key, column]) => [
    key,
    sql`${column}`.mapWith(column).as(key),
  ])
  return Object.fromEntries(entries) as { [K in keyof T]: SQL.Aliased<GetColumnData<T[K]>> }
}

/** A prepared query, made once per client: drizzle takes longer to build one than D1 to run it. */
export function preparedOnce<Query>(prepare: (db: Db) => Query): (db: Db) => Query {
  const made = new WeakMap<Db, Query>()
  return (db) => {
    const known = made.get(db)
    if (known !== undefined) return known
    const query = prepare(db)
    made.set(db, query)
    return query
  }
}

/** The part of a prepared query that `bindValues` needs. */
interface Prepared<Rows> {
  getQuery(): Query
  all(): Promise<Rows>
}

/**
 * A prepared query with values for its placeholders, for a batch. drizzle's `db.batch` takes queries only and builds each anew
 * (drizzle-orm 0.45, D1 driver); this one hands over the built query.
 */
export function bindValues<Rows>(
  prepared: Prepared<Rows>,
  values: Record<string, unknown>,
): SQLiteRaw<Rows> {
  const { sql, params } = prepared.getQuery()
  const getQuery = () => ({ sql, params: fillPlaceholders(params, values) })
  const query: unknown = Object.create(prepared, { getQuery: { value: getQuery } })
  return { _prepare: () => query } as unknown as SQLiteRaw<Rows>
}
