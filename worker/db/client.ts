/** The one way to the database. A factory, so that read replicas (`withSession`) need one change here. */
import { drizzle } from 'drizzle-orm/d1'
import * as schema from './schema.ts'

/** A drizzle client over the D1 binding. */
export function openDb(binding: D1Database) {
  return drizzle(binding, { schema, casing: 'snake_case' })
}

export type Db = ReturnType<typeof openDb>
